/**
 * The table of languages that have syntax trees: which grammar, and what its trees are good for.
 * A language that is not here is served by the lexical rules of `core` alone.
 */
import { languageOf } from "../core/index.ts";
import type { ParserVersion } from "./types.ts";

/** How a language marks what other files can name. */
export type ExportRule =
  | "exported" // stands below an `export`
  | "public" // has the modifier `pub` or `public`
  | "not-private" // lacks `private`, `fileprivate` and `static` at the top
  | "capital" // begins with a capital letter
  | "not-underscore" // does not begin with an underscore
  | "all";

/** One language with a grammar. */
export interface LanguageSyntax {
  /** Release of the parser library whose grammars this one belongs to. */
  readonly version: ParserVersion;
  /** File name of the grammar's WebAssembly module, without `tree-sitter-` and `.wasm`. */
  readonly grammar: string;
  /** `all`: definitions and imports too. `structure`: scopes, regions and the syntax check only. */
  readonly outline: "all" | "structure";
  readonly exports: ExportRule;
  /** How imports are written; `null` where the language has none. */
  readonly imports:
    | "script"
    | "python"
    | "go"
    | "rust"
    | "path" // one dotted path per statement: Java, Kotlin, Swift, C#
    | "php"
    | "include"
    | "call" // Ruby's and shells' `require` and `source`
    | null;
  /** The syntax check is used. Off where error nodes are common in right text. */
  readonly check: boolean;
}

const script: LanguageSyntax = {
  version: "0.27",
  grammar: "typescript",
  outline: "all",
  exports: "exported",
  imports: "script",
  check: true,
};
const structure: LanguageSyntax = {
  ...script,
  outline: "structure",
  exports: "all",
  imports: null,
};
const javascript: LanguageSyntax = { ...script, grammar: "javascript" };

/** By language id. YAML is missing: no grammar for it loads with either release of the library. */
export const languageSyntaxes: Readonly<Record<string, LanguageSyntax>> = {
  typescript: script,
  typescriptreact: { ...script, grammar: "tsx" },
  javascript,
  javascriptreact: javascript,
  python: { ...script, grammar: "python", exports: "not-underscore", imports: "python" },
  go: { ...script, grammar: "go", exports: "capital", imports: "go" },
  rust: { ...script, grammar: "rust", exports: "public", imports: "rust" },
  java: { ...script, grammar: "java", exports: "not-private", imports: "path" },
  c: { ...script, version: "0.25", grammar: "c", exports: "not-private", imports: "include" },
  cpp: { ...script, grammar: "cpp", exports: "not-private", imports: "include" },
  csharp: { ...script, grammar: "c-sharp", exports: "not-private", imports: "path" },
  ruby: { ...script, grammar: "ruby", exports: "all", imports: "call" },
  php: { ...script, grammar: "php", exports: "not-private", imports: "php" },
  kotlin: {
    ...script,
    version: "0.25",
    grammar: "kotlin",
    exports: "not-private",
    imports: "path",
  },
  swift: { ...script, version: "0.25", grammar: "swift", exports: "not-private", imports: "path" },
  shellscript: { ...script, grammar: "bash", exports: "all", imports: "call" },
  powershell: { ...structure, grammar: "powershell" },
  css: { ...structure, grammar: "css" },
  html: { ...structure, version: "0.25", grammar: "html" },
  json: { ...structure, version: "0.25", grammar: "json" },
  jsonc: { ...structure, version: "0.25", grammar: "json" },
};

/** The row of a language id or of another name for it; `null` when it has no grammar. */
export function syntaxOf(languageId: string): LanguageSyntax | null {
  return languageSyntaxes[languageOf(languageId).id] ?? null;
}
