/** What a simulated person goes on to write, key by key. */
import type { DocumentEdit } from "../../engine/index.ts";

/** What one key does to the document. */
export interface ScriptedKey {
  /** `null` when the key types over what the editor had put there. */
  readonly edit: DocumentEdit | null;
  /** The cursor after it. */
  readonly cursor: number;
  /** Recorded time since the key before, in ms; `null` where the person has a rhythm of their own. */
  readonly gapMs: number | null;
}

/** Somebody's writing in one document. */
export interface TypingScript {
  /** The document before the first key. */
  readonly text: string;
  /** Characters that are written in all, whoever writes them. */
  readonly length: number;
  /** Characters of them that stand already: a place in the rhythm. */
  readonly written: number;
  readonly cursor: number;
  /** Closing brackets right of the cursor that the editor put there, to be typed over. */
  readonly closers: string;
  /** Text that comes next at the cursor, without a break. */
  readonly upcoming: string;
  /** The next key; `null` at the end. */
  next(): ScriptedKey | null;
  /** Goes on after the next `units` of `upcoming` were inserted and `closers` replaced on the way. */
  accept(accepted: AcceptedText): void;
}

/** How far an accepted text brings a person. */
export interface AcceptedText {
  readonly units: number;
  /** Closers right of the cursor that went. */
  readonly closers: number;
}
