/** What the tree of a document says about one cursor and about texts that may stand there. */
import type { Tree } from "web-tree-sitter";
import type { TextBuffer } from "../base/text-buffer.ts";
import {
  type CursorEdit,
  lexicalScopeProbe,
  type ScopeProbe,
  type SyntaxJudge,
  structureOf,
} from "../core/index.ts";
import { SyntaxTrial } from "./judge.ts";
import { placeAt, type SyntaxPlace } from "./place.ts";
import { statementEndIn } from "./statement-end.ts";
import type { SyntaxDocument } from "./syntax-document.ts";

/** A key press waits no longer for a parse; the lexical rules answer then. */
const PARSE_LIMIT_MS = 8;
/** A text that cannot be judged in this time is shown. */
const JUDGE_LIMIT_MS = 12;
/** Texts on longer lines are not judged: such lines are made by machines, and slow to recover from. */
const MAX_LINE_UNITS = 2_000;

/** One version of a document with a cursor in it. */
export interface CursorInDocument {
  /** Names the document; versions of one document have the same. */
  readonly key: string;
  readonly buffer: TextBuffer;
  readonly offset: number;
  readonly languageId: string;
}

/** Answers about one version of a document; later versions need another one. */
export class CursorSyntax implements SyntaxJudge {
  readonly #document: SyntaxDocument;
  readonly #cursor: CursorInDocument;
  #place: SyntaxPlace | null | undefined;
  /** `null` where texts are not judged. */
  #trial: SyntaxTrial | null | undefined;

  constructor(document: SyntaxDocument, cursor: CursorInDocument) {
    this.#document = document;
    this.#cursor = cursor;
  }

  /** Scopes, region and ends; `null` when there is no tree in time. */
  get place(): SyntaxPlace | null {
    if (this.#place === undefined) {
      const tree = this.#tree();
      const { roles } = this.#document.grammar;
      this.#place = tree === null ? null : placeAt(tree, { ...this.#cursor, roles });
    }
    return this.#place;
  }

  /**
   * A probe that knows the whole document where it is asked about the cursor, with `prefix` the
   * window left of it. It asks `fallback` about other places, and where there is no tree.
   */
  scopeProbe(prefix: string, fallback: ScopeProbe): ScopeProbe {
    const { offset } = this.#cursor;
    return {
      at: (asked, languageId) => {
        const isHere = asked === prefix && languageId === this.#cursor.languageId;
        const scope = isHere ? this.place?.scope(offset - prefix.length) : null;
        return scope ?? fallback.at(asked, languageId);
      },
    };
  }

  breaks(edit: CursorEdit): boolean {
    if (this.#trial === undefined) this.#trial = this.#newTrial();
    return this.#trial?.breaks(edit, JUDGE_LIMIT_MS) ?? false;
  }

  lastStatementEnd(edit: CursorEdit): number | null {
    const { buffer, offset, languageId } = this.#cursor;
    if (this.place === null) return null;
    const start = offset - edit.replaceBefore;
    const oldEnd = offset + edit.replaceAfter;
    // What the text leaves open is closed first, or the parser would make nothing of it.
    const head = buffer.slice(buffer.lineStart(buffer.positionAt(offset).line), offset);
    const here = lexicalScopeProbe.at("", languageId);
    const { end } = structureOf(edit.text, { scope: here, languageId, head, before: 0 });
    const closers = end.openBrackets.map((bracket) => bracket.close).reverse();
    const text = edit.text + closers.join("");
    const newEnd = start + text.length;
    const after = buffer.edit(start, oldEnd, text);
    const tree = this.#document.fork(after, { start, oldEnd, newEnd }, JUDGE_LIMIT_MS);
    if (tree === null) return null;
    try {
      const { roles } = this.#document.grammar;
      const stretch = { start, end: start + edit.text.length, roles };
      const found = statementEndIn(tree, stretch);
      return found === null ? null : found - start;
    } finally {
      tree.delete();
    }
  }

  #newTrial(): SyntaxTrial | null {
    const { buffer, offset, languageId } = this.#cursor;
    const { place } = this;
    if (place === null || !this.#document.grammar.syntax.check) return null;
    const { line } = buffer.positionAt(offset);
    const lineStart = buffer.lineStart(line);
    if (buffer.lineAt(line).length > MAX_LINE_UNITS) return null;
    const scope =
      place.scope(lineStart) ?? lexicalScopeProbe.at(buffer.slice(lineStart, offset), languageId);
    if (scope.region !== "code") return null;
    const judged = { document: this.#document, buffer, offset, languageId, scope };
    return new SyntaxTrial({ ...judged, windowStart: lineStart });
  }

  #tree(): Tree | null {
    return this.#document.update(this.#cursor.buffer, PARSE_LIMIT_MS);
  }
}
