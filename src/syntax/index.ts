export type { CursorInDocument, CursorSyntax } from "./cursor-syntax.ts";
export { DocumentTrees } from "./document-trees.ts";
export type { LanguageSyntax } from "./languages.ts";
export { languageSyntaxes, syntaxOf } from "./languages.ts";
export type { EnclosingScope, SyntaxPlace } from "./place.ts";
export type { Syntax } from "./syntax.ts";
export { createSyntax } from "./syntax.ts";
export type { SyntaxDocument } from "./syntax-document.ts";
export type {
  Definition,
  DefinitionKind,
  FileOutline,
  GrammarSource,
  ImportedName,
  ImportStatement,
  ParserVersion,
  Reference,
} from "./types.ts";
