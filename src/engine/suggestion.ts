/** One suggestion: a text that was produced, typed along with, shown, and taken or left. */
import type { Dispose } from "../base/event.ts";
import type { CursorEdit, JudgedText } from "../core/index.ts";
import type { RequestFacts } from "./request-facts.ts";
import type { EngineResult } from "./types.ts";

/** What was produced, and what has become of it so far. It changes as it is told. */
export interface Suggestion {
  readonly id: string;
  readonly facts: RequestFacts;
  readonly judged: JudgedText;
  readonly source: NonNullable<EngineResult["source"]>;
  /** The texts on offer. They stay in memory and go with it. */
  readonly edits: readonly CursorEdit[];
  readonly doc: string;
  /** The newest request that it answered. */
  current: string;
  /** Offset of the request's cursor, moved along with the edits since. */
  cursor: number;
  state: "produced" | "shown" | "ended";
  shownAtMs: number;
  visibleIndex: number;
  client: string;
  pieces: number;
  takenChars: number;
  /** Units of the text that stand in the document by now, typed by hand or taken in pieces. */
  standingChars: number;
  stopDoubt: Dispose | null;
  /** An editor may tell that it was shown after it closed the document. */
  isDocumentClosed: boolean;
}

/** One place per document; a text that belongs to none has a place of its own. */
export function visibleKey(suggestion: Suggestion): string {
  return suggestion.facts.documentKey ?? `\0${suggestion.id}`;
}

export function textOf(suggestion: Suggestion): CursorEdit {
  const { edits, visibleIndex } = suggestion;
  return edits[visibleIndex] ?? { text: "", replaceBefore: 0, replaceAfter: 0 };
}

/** What is replaced recurs in the text: those units stood there already. */
export function ghostLength(edit: CursorEdit): number {
  return Math.max(0, edit.text.length - edit.replaceBefore - edit.replaceAfter);
}

export function ghostLengthOf(suggestion: Suggestion): number {
  return ghostLength(textOf(suggestion));
}

/** What the person typed by hand of it. */
export function typedChars(suggestion: Suggestion): number {
  return Math.max(0, suggestion.standingChars - suggestion.takenChars);
}
