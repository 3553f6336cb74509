/**
 * The parser library (web-tree-sitter) with the grammars on top of it: loaded once per process, each
 * at its first use. Grammars come in two generations that no single release of the library reads.
 */
import type { Language, Parser } from "web-tree-sitter";
import type { LanguageSyntax } from "./languages.ts";
import { type NodeRoles, rolesOf } from "./node-roles.ts";
import type { GrammarSource, ParserVersion } from "./types.ts";

/** A loaded grammar. */
export interface Grammar {
  readonly syntax: LanguageSyntax;
  readonly roles: NodeRoles;
  /** A parser for it; whoever asks for one deletes it. */
  newParser(): Parser;
}

interface Library {
  readonly Language: typeof Language;
  readonly Parser: typeof Parser;
}

/** Loads grammars. The library keeps its state in module variables, so one instance serves all. */
export class ParserLibrary {
  readonly #source: GrammarSource;
  readonly #libraries = new Map<ParserVersion, Promise<Library | null>>();

  constructor(source: GrammarSource) {
    this.#source = source;
  }

  /** Loads the grammar of a language; `null` when it or its library cannot be had. Never throws. */
  async load(languageId: string, syntax: LanguageSyntax): Promise<Grammar | null> {
    try {
      const library = await this.#library(syntax.version);
      const bytes = library === null ? null : await this.#source.loadGrammar(languageId);
      if (library === null || bytes === null) return null;
      const language = await library.Language.load(bytes);
      const newParser = (): Parser => new library.Parser().setLanguage(language);
      // A grammar of another generation may load and fail only when it is used.
      const probe = newParser();
      probe.parse("a")?.delete();
      probe.delete();
      return { syntax, roles: rolesOf(language), newParser };
    } catch {
      return null;
    }
  }

  #library(version: ParserVersion): Promise<Library | null> {
    let library = this.#libraries.get(version);
    if (library === undefined) {
      library = this.#loadLibrary(version);
      this.#libraries.set(version, library);
    }
    return library;
  }

  async #loadLibrary(version: ParserVersion): Promise<Library | null> {
    const wasmBinary = await this.#source.loadRuntime(version);
    if (wasmBinary === null) return null;
    const library =
      version === "0.27" ? await import("web-tree-sitter") : await import("web-tree-sitter-025");
    await library.Parser.init({ wasmBinary });
    return library;
  }
}
