/** Syntax trees for many languages: grammars are loaded once, then every question is answered at once. */
import { TextBuffer } from "../base/text-buffer.ts";
import { languageOf } from "../core/index.ts";
import { syntaxOf } from "./languages.ts";
import { outlineOf } from "./outline.ts";
import { type Grammar, ParserLibrary } from "./parser-library.ts";
import { type Now, SyntaxDocument } from "./syntax-document.ts";
import type { FileOutline, GrammarSource } from "./types.ts";

/** A file that takes longer has no outline; typical ones take a hundredth of it. */
const OUTLINE_LIMIT_MS = 5_000;

/** All languages' trees. */
export interface Syntax {
  /**
   * Loads the grammar of a language; true when its trees can be had from then on. False, always,
   * for a language without a grammar or with one that does not load. Never throws.
   */
  prepare(languageId: string): Promise<boolean>;
  /**
   * What an index wants to know of a text; `null` when the language is not prepared, or when
   * parsing takes longer than five seconds.
   */
  outline(text: string, languageId: string): FileOutline | null;
  /** A document to keep a tree of; `null` when the language is not prepared. The caller closes it. */
  open(languageId: string): SyntaxDocument | null;
}

/** Syntax over the grammars of `source`. `now` is monotonic, in milliseconds. */
export function createSyntax(options: {
  readonly source: GrammarSource;
  readonly now: Now;
}): Syntax {
  return new Languages(options);
}

class Languages implements Syntax {
  readonly #library: ParserLibrary;
  readonly #now: Now;
  /** Grammars by language id, those that failed too: nothing is tried twice. */
  readonly #loading = new Map<string, Promise<Grammar | null>>();
  readonly #grammars = new Map<string, Grammar>();

  constructor(options: { readonly source: GrammarSource; readonly now: Now }) {
    this.#library = new ParserLibrary(options.source);
    this.#now = options.now;
  }

  async prepare(languageId: string): Promise<boolean> {
    const { id } = languageOf(languageId);
    const syntax = syntaxOf(id);
    if (syntax === null) return false;
    let loading = this.#loading.get(id);
    if (loading === undefined) {
      loading = this.#library.load(id, syntax);
      this.#loading.set(id, loading);
    }
    const grammar = await loading;
    if (grammar !== null) this.#grammars.set(id, grammar);
    return grammar !== null;
  }

  outline(text: string, languageId: string): FileOutline | null {
    const document = this.open(languageId);
    if (document === null) return null;
    try {
      const tree = document.update(TextBuffer.from(text), OUTLINE_LIMIT_MS);
      return tree === null ? null : outlineOf(tree, { text, grammar: document.grammar });
    } finally {
      document.close();
    }
  }

  open(languageId: string): SyntaxDocument | null {
    const grammar = this.#grammars.get(languageOf(languageId).id);
    return grammar === undefined ? null : new SyntaxDocument(grammar, this.#now);
  }
}
