/** What syntax trees say about a text. Offsets are UTF-16 code units; ranges are half-open. */

/** What a definition defines. */
export type DefinitionKind =
  | "function"
  | "method"
  | "class"
  | "interface"
  | "type"
  | "enum"
  | "constant"
  | "variable"
  | "module"
  | "field";

/** A name that a file defines outside of function bodies. */
export interface Definition {
  readonly name: string;
  readonly kind: DefinitionKind;
  /** Where the whole definition begins and ends, modifiers and body included. */
  readonly start: number;
  readonly end: number;
  /** End of the signature: where the body begins, blanks left out; `end` where there is no body. */
  readonly signatureEnd: number;
  /** Name of the definition that it is a member of; `null` at the top. */
  readonly parent: string | null;
  /** Other files can name it, as far as the language marks that. */
  readonly isExported: boolean;
}

/** A use of a name. */
export interface Reference {
  readonly name: string;
  readonly offset: number;
}

/** One name of an import; `alias` is what the file calls it, `name` what its source calls it. */
export interface ImportedName {
  readonly name: string;
  readonly alias: string;
}

/** A statement that names another file or package. */
export interface ImportStatement {
  /** As written, without quotes: `./a.ts`, `os.path`, `..pkg`, `java.util.List`, `crate::a::b`. */
  readonly source: string;
  /** What it brings in. `*` as a name is everything, `default` a default export. */
  readonly names: readonly ImportedName[];
  readonly start: number;
  readonly end: number;
}

/** What an index wants to know of a file. All lists are in the order of the text. */
export interface FileOutline {
  readonly definitions: readonly Definition[];
  /** Every use of an identifier but the defining ones. */
  readonly references: readonly Reference[];
  readonly imports: readonly ImportStatement[];
  /** Line starts at which a chunk may be cut: before a definition or statement, its comments first. */
  readonly chunkBorders: readonly number[];
}

/** Version of the parser library that a grammar runs on. */
export type ParserVersion = "0.27" | "0.25";

/** Where the bytes of parsers come from. `null`: cannot be had; the language then has no trees. */
export interface GrammarSource {
  /** The WebAssembly module of the parser library. */
  loadRuntime(version: ParserVersion): Promise<Uint8Array<ArrayBuffer> | null>;
  /** The WebAssembly module of the grammar for a language id. */
  loadGrammar(languageId: string): Promise<Uint8Array<ArrayBuffer> | null>;
}
