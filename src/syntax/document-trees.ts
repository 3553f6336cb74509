/**
 * The trees of the documents that a person works on. A document is known by a key; its versions need
 * not be announced: the difference to the version that was parsed last is found when somebody asks.
 * The least recently used trees go, so nobody has to say that a document was closed.
 */
import { languageOf } from "../core/index.ts";
import { type CursorInDocument, CursorSyntax } from "./cursor-syntax.ts";
import type { Syntax } from "./syntax.ts";
import type { SyntaxDocument } from "./syntax-document.ts";

/** Trees that are kept; a tree takes about 40 bytes for each unit of its text. */
const MAX_DOCUMENTS = 24;
const MAX_UNITS = 6_000_000;
/** Longer documents have no tree. */
const MAX_DOCUMENT_UNITS = 3_000_000;

interface Entry {
  readonly document: SyntaxDocument;
  units: number;
}

/** The trees of open documents; one for an engine. */
export class DocumentTrees {
  readonly #syntax: Syntax;
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
  }

  /** Number of trees that are kept. */
  get size(): number {
    return this.#entries.size;
  }

  /** Loads the grammar of a language before the first question; see `Syntax.prepare`. */
  prepare(languageId: string): Promise<boolean> {
    return this.#syntax.prepare(languageId);
  }

  /**
   * What a tree can say about a cursor, found out when it is asked. `null` for a language without a
   * grammar, while the grammar loads, and for a document that is too long.
   */
  at(cursor: CursorInDocument): CursorSyntax | null {
    const { key, buffer, languageId } = cursor;
    if (buffer.length > MAX_DOCUMENT_UNITS) return null;
    const { id } = languageOf(languageId);
    const name = `${id}\0${key}`;
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      const document = this.#syntax.open(id);
      if (document === null) {
        // It is there for a later key press; `prepare` never rejects.
        void this.#syntax.prepare(id);
        return null;
      }
      entry = { document, units: 0 };
    }
    entry.units = buffer.length;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    this.#shrink();
    return new CursorSyntax(entry.document, cursor);
  }

  /** Frees all trees. */
  close(): void {
    for (const { document } of this.#entries.values()) document.close();
    this.#entries.clear();
  }

  #shrink(): void {
    let units = 0;
    for (const entry of this.#entries.values()) units += entry.units;
    for (const [name, entry] of this.#entries) {
      if (this.#entries.size <= MAX_DOCUMENTS && units <= MAX_UNITS) return;
      entry.document.close();
      this.#entries.delete(name);
      units -= entry.units;
    }
  }
}
