/**
 * Whether a text may stand at the cursor. It is refused when the file parses there without the line
 * that is being typed, and with the text it does not, however one goes on: the line's beginning can
 * be finished in some way, and with this text it cannot.
 * Cost: one incremental parse for a text that parses, the usual case; a dozen before one is refused.
 */
import type { Tree } from "web-tree-sitter";
import type { TextBuffer } from "../base/text-buffer.ts";
import { type CursorEdit, type Scope, structureOf } from "../core/index.ts";
import { endingsOf } from "./endings.ts";
import type { SyntaxDocument } from "./syntax-document.ts";
import { errorsNear } from "./tree-errors.ts";

/** Errors farther away than this are those of other places. */
const NEAR = 4_000;

/** The document in which texts are judged. */
export interface JudgedPlace {
  readonly document: SyntaxDocument;
  readonly buffer: TextBuffer;
  readonly offset: number;
  readonly languageId: string;
  /** Structure at the cursor; offsets of its brackets count from `windowStart`. */
  readonly scope: Scope;
  readonly windowStart: number;
}

/**
 * True when the text breaks what parses. False as well where that cannot be told: the text around it
 * does not parse either, or `limitMs` is over.
 */
export function breaksSyntax(edit: CursorEdit, place: JudgedPlace, limitMs: number): boolean {
  const trial = new Trial(place, limitMs);
  if (!trial.isBroken(edit)) return false;
  if (trial.isBroken(null)) return false;
  if (trial.endings(edit.text).some((end) => !trial.isBroken({ ...edit, text: edit.text + end }))) {
    return false;
  }
  const nothing = { ...edit, text: "" };
  return (
    trial.endings("").some((end) => !trial.isBroken({ ...nothing, text: end })) && !trial.isOver
  );
}

class Trial {
  readonly #place: JudgedPlace;
  readonly #lineStart: number;
  readonly #lineEnd: number;
  readonly #end: number;

  constructor(place: JudgedPlace, limitMs: number) {
    const { buffer, offset, document } = place;
    const { line } = buffer.positionAt(offset);
    this.#place = place;
    this.#lineStart = buffer.lineStart(line);
    this.#lineEnd = this.#lineStart + buffer.lineAt(line).replace(/\r?\n$/, "").length;
    this.#end = document.now() + limitMs;
  }

  get isOver(): boolean {
    return this.#place.document.now() > this.#end;
  }

  /** True when the document does not parse near an edit, or, for `null`, without the cursor's line. */
  isBroken(edit: CursorEdit | null): boolean {
    const { buffer, offset } = this.#place;
    const start = edit === null ? this.#lineStart : offset - edit.replaceBefore;
    const oldEnd = edit === null ? this.#lineEnd : offset + edit.replaceAfter;
    const text = edit?.text ?? "";
    const newEnd = start + text.length;
    const after = buffer.edit(start, oldEnd, text);
    const tree = this.#tree(after, { start, oldEnd, newEnd });
    if (tree === null) return false;
    try {
      return errorsNear(tree, start - NEAR, newEnd + NEAR).count > 0;
    } finally {
      tree.delete();
    }
  }

  /** Ways to finish what stands left of the cursor and a text. */
  endings(text: string): readonly string[] {
    const { buffer, offset, languageId, scope, windowStart } = this.#place;
    const head = buffer.slice(this.#lineStart, offset);
    const before = offset - windowStart;
    const { end } = structureOf(text, { scope, languageId, head, before });
    const lineStart = this.#lineStart - windowStart;
    const opened = end.openBrackets.filter((bracket) => bracket.offset >= lineStart);
    const lastLine = (head + text).slice((head + text).lastIndexOf("\n") + 1);
    const indent = /^[ \t]*/.exec(lastLine)?.[0] ?? "";
    return endingsOf({
      languageId,
      scope: end,
      opened: opened.map((bracket) => bracket.close),
      indent,
    });
  }

  #tree(
    after: TextBuffer,
    change: { readonly start: number; readonly oldEnd: number; readonly newEnd: number },
  ): Tree | null {
    const { document } = this.#place;
    const left = this.#end - document.now();
    return left <= 0 ? null : document.fork(after, change, left);
  }
}
