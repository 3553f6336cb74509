/** What a backend receives, nothing else. Rendered by us, or in two parts for server-side templates. */
export type FimPrompt =
  | {
      readonly kind: "rendered";
      /** The whole prompt with the sentinels of the family. */
      readonly text: string;
      /**
       * `text` in pieces, for a backend that sends token ids: joined they are `text`. Absent: the
       * server tells sentinels from text by itself.
       */
      readonly pieces?: readonly PromptPiece[];
      /** Index of the piece whose end is the cursor; absent when nothing stands before the cursor. */
      readonly cursorPiece?: number;
      /** Estimated or counted tokens of `text`; never more than 5 % too low. */
      readonly tokens: number;
    }
  | {
      readonly kind: "parts";
      readonly prefix: string;
      readonly suffix: string;
      readonly tokens: number;
    };

/** Part of a rendered prompt. */
export interface PromptPiece {
  /** One sentinel, byte by byte; `false`: text, in which nothing is a sentinel. */
  readonly isSentinel: boolean;
  readonly text: string;
}
