/** What a backend receives, nothing else. Rendered by us, or in two parts for server-side templates. */
export type FimPrompt =
  | {
      readonly kind: "rendered";
      /** The whole prompt with the sentinels of the family. */
      readonly text: string;
      /** Estimated or counted tokens of `text`; never more than 5 % too low. */
      readonly tokens: number;
    }
  | {
      readonly kind: "parts";
      readonly prefix: string;
      readonly suffix: string;
      readonly tokens: number;
    };
