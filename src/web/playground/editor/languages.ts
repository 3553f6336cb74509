/** Language ids of the server that the editor knows under another name. */
const editorIds: Readonly<Record<string, string>> = {
  typescriptreact: "typescript",
  javascriptreact: "javascript",
  jsonc: "json",
  shellscript: "shell",
  bash: "shell",
  toml: "ini",
  properties: "ini",
  vue: "html",
  svelte: "html",
  make: "shell",
  makefile: "shell",
  terraform: "hcl",
  proto: "protobuf",
};

/** The editor's language for one of the server's; unknown ones are plain text there. */
export function editorLanguage(languageId: string): string {
  return editorIds[languageId] ?? languageId;
}

/** The language that most files of a workspace have, for the scratch buffer. */
export interface ScratchLanguage {
  readonly extension: string;
  readonly languageId: string;
  readonly comment: string;
}

const scratchLanguages: readonly ScratchLanguage[] = [
  { extension: "ts", languageId: "typescript", comment: "//" },
  { extension: "js", languageId: "javascript", comment: "//" },
  { extension: "py", languageId: "python", comment: "#" },
  { extension: "go", languageId: "go", comment: "//" },
  { extension: "rs", languageId: "rust", comment: "//" },
  { extension: "java", languageId: "java", comment: "//" },
  { extension: "kt", languageId: "kotlin", comment: "//" },
  { extension: "cs", languageId: "csharp", comment: "//" },
  { extension: "cpp", languageId: "cpp", comment: "//" },
  { extension: "c", languageId: "c", comment: "//" },
  { extension: "rb", languageId: "ruby", comment: "#" },
  { extension: "php", languageId: "php", comment: "//" },
  { extension: "swift", languageId: "swift", comment: "//" },
];

/** TypeScript when the workspace has none of the known languages. */
export function scratchLanguage(files: readonly string[]): ScratchLanguage {
  const counts = new Map<string, number>();
  for (const file of files) {
    const extension = extensionOf(file);
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const [first, ...others] = scratchLanguages;
  if (first === undefined) throw new RangeError("no scratch language");
  return others.reduce(
    (best, next) =>
      (counts.get(next.extension) ?? 0) > (counts.get(best.extension) ?? 0) ? next : best,
    first,
  );
}

/** Lower case, without the dot; `""` when there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}
