export type { Syntax } from "./syntax.ts";
export { createSyntax } from "./syntax.ts";
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
