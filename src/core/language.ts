/** Languages by id and by file name. */
import type { Language } from "./language-table.ts";
import { languageRows } from "./language-table.ts";

const defaults: Omit<Language, "id"> = {
  extensions: [],
  fileNames: [],
  lineComments: [],
  commentNeedsBlank: false,
  blockComments: [],
  nestedComments: false,
  strings: [],
  irregular: [],
  stringPrefixes: [],
  blocks: "none",
  blockEnds: [],
  continuations: [],
  hasBareUrls: false,
  loneClosers: "",
  nature: "code",
  fencesAreContent: false,
  indentUnit: "    ",
};

/** Every language, `plaintext` first. */
export const languages: readonly Language[] = Object.entries(languageRows).map(([id, row]) => ({
  ...defaults,
  ...row,
  id,
}));

/** Other names for the same rows, as some editors and callers write them. */
const aliases: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescriptreact",
  js: "javascript",
  jsx: "javascriptreact",
  py: "python",
  golang: "go",
  rs: "rust",
  rb: "ruby",
  cs: "csharp",
  "c#": "csharp",
  "c++": "cpp",
  "objective-c": "c",
  bash: "shellscript",
  sh: "shellscript",
  shell: "shellscript",
  zsh: "shellscript",
  md: "markdown",
  mdx: "markdown",
  yml: "yaml",
  text: "plaintext",
  tex: "latex",
};

const byId = new Map(languages.map((language) => [language.id, language]));
const byExtension = new Map(
  languages.flatMap((language) => language.extensions.map((end) => [end, language.id] as const)),
);
const byFileName = new Map(
  languages.flatMap((language) => language.fileNames.map((name) => [name, language.id] as const)),
);
const plaintext: Language = { ...defaults, id: "plaintext", nature: "prose" };

/** Rules of a language id, in any case; those of `plaintext` when it is unknown. */
export function languageOf(id: string): Language {
  const known = byId.get(id);
  if (known !== undefined) return known;
  const lower = id.toLowerCase();
  return byId.get(aliases[lower] ?? lower) ?? byId.get("plaintext") ?? plaintext;
}

/** Language id of a file by its name, with `/` or `\` as separator; `plaintext` when unknown. */
export function languageOfPath(path: string): string {
  const name = path
    .slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .toLowerCase();
  const known = byFileName.get(name);
  if (known !== undefined) return known;
  if (name.startsWith("dockerfile.")) return "dockerfile";
  const dot = name.lastIndexOf(".");
  return (dot < 0 ? undefined : byExtension.get(name.slice(dot + 1))) ?? "plaintext";
}
