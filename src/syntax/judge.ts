/**
 * Whether a text may stand at the cursor. It is refused when the file parses there without the line
 * that is being typed, and with the text it does not, however one goes on: the line's beginning can
 * be finished in some way, and with this text it cannot.
 * Cost: one incremental parse for a text that parses, the usual case; a dozen before one is refused.
 * What does not depend on the text is found out once for all texts of a cursor.
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

/** Judges the texts that may stand at one place of one version of a document. */
export class SyntaxTrial {
  readonly #place: JudgedPlace;
  readonly #lineStart: number;
  readonly #lineEnd: number;
  /** Whether the line's beginning can be finished, by what a text would replace. */
  readonly #canBeFinished = new Map<string, boolean>();
  #isBrokenAlready: boolean | null = null;
  #end = 0;

  constructor(place: JudgedPlace) {
    const { buffer, offset } = place;
    const { line } = buffer.positionAt(offset);
    this.#place = place;
    this.#lineStart = buffer.lineStart(line);
    this.#lineEnd = this.#lineStart + buffer.lineAt(line).replace(/\r?\n$/, "").length;
  }

  /**
   * True when the text breaks what parses. False as well where that cannot be told: the text around it
   * does not parse either, or `limitMs` is over.
   */
  breaks(edit: CursorEdit, limitMs: number): boolean {
    this.#end = this.#place.document.now() + limitMs;
    if (!this.#isBroken(edit) || this.#isBrokenWithoutLine()) return false;
    const { text } = edit;
    const isFinished = (end: string): boolean => !this.#isBroken({ ...edit, text: text + end });
    // The end of the whole text is the likeliest; the others are tried where nothing would do is ruled out.
    const [first, ...others] = this.#endings(text);
    if (first !== undefined && isFinished(first)) return false;
    return this.#mayBeFinished(edit) && !others.some(isFinished) && !this.#isOver;
  }

  /** Where the document does not parse near the cursor even without its line, nothing can be told. */
  #isBrokenWithoutLine(): boolean {
    const isBroken = this.#isBrokenAlready ?? this.#isBroken(null);
    if (!this.#isOver) this.#isBrokenAlready = isBroken;
    return isBroken;
  }

  /** Whether what stands left of the cursor can be finished in some way, without the text. */
  #mayBeFinished(edit: CursorEdit): boolean {
    const key = `${edit.replaceBefore} ${edit.replaceAfter}`;
    const known = this.#canBeFinished.get(key);
    if (known !== undefined) return known;
    const found = this.#endings("").some((end) => !this.#isBroken({ ...edit, text: end }));
    if (!this.#isOver) this.#canBeFinished.set(key, found);
    return found;
  }

  get #isOver(): boolean {
    return this.#place.document.now() > this.#end;
  }

  /** True when the document does not parse near an edit, or, for `null`, without the cursor's line. */
  #isBroken(edit: CursorEdit | null): boolean {
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
  #endings(text: string): readonly string[] {
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
