/**
 * From an import as it is written to the files of the workspace that it can mean, by their paths alone:
 * no package manager, no build file. What leads out of the workspace is `[]`.
 */

/** The files that there are. */
export interface PathLookup {
  has(path: string): boolean;
  /** Paths that end in this file name, or in this folder followed by a file name. */
  named(fileName: string): readonly string[];
  /** Files that lie directly in a folder. */
  inFolder(folder: string): readonly string[];
}

/** A package of many files is shown by its first few. */
const MAX_FILES = 12;

/** Files that `source` can mean in a document at `from`; at most 12, `[]` when there is none. */
export function resolveImport(
  {
    source,
    from,
    languageId,
  }: { readonly source: string; readonly from: string; readonly languageId: string },
  files: PathLookup,
): readonly string[] {
  switch (languageId) {
    case "typescript":
    case "typescriptreact":
    case "javascript":
    case "javascriptreact":
      return scriptFile(source, from, files);
    case "python":
      return pythonFiles(source, from, files);
    case "go":
      return goFiles(source, files);
    case "java":
    case "kotlin":
      return javaFiles(source, files);
    case "rust":
      return rustFiles(source, from, files);
    default:
      return [];
  }
}

const scriptEndings = [
  ".ts",
  ".tsx",
  ".mts",
  ".cts",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".d.ts",
  ".vue",
  ".svelte",
];

function scriptFile(source: string, from: string, files: PathLookup): readonly string[] {
  if (!source.startsWith(".")) return scriptPackage(source, files);
  const base = joined(folderOf(from), source);
  if (base === null) return [];
  return scriptCandidates(base)
    .filter((path) => files.has(path))
    .slice(0, 1);
}

/** A path through an alias such as `@/a` or `~/a`, or a package of the same workspace. */
function scriptPackage(source: string, files: PathLookup): readonly string[] {
  const inside = source.replace(/^(?:@|~|#)?\//, "");
  const isAlias = inside !== source;
  const steps = inside.split("/");
  const last = steps.at(-1) ?? "";
  if (last === "" || (!isAlias && steps.length < 2)) return [];
  const found = [
    ...scriptEndings.flatMap((ending) => files.named(last.replace(/\.[cm]?js$/, "") + ending)),
    ...scriptEndings.flatMap((ending) => files.named(`${last}/index${ending}`)),
  ];
  const tail = `/${inside.replace(/\.[cm]?jsx?$/, "")}`;
  return found
    .filter((path) => `/${path.replace(/(?:\/index)?(?:\.d)?\.[a-z]+$/, "")}`.endsWith(tail))
    .sort(byLength)
    .slice(0, 1);
}

function scriptCandidates(base: string): string[] {
  const bare = base.replace(/\.(?:[cm]?jsx?|[cm]?tsx?)$/, "");
  return [
    base,
    ...scriptEndings.map((ending) => base + ending),
    ...scriptEndings.map((ending) => bare + ending),
    ...scriptEndings.map((ending) => `${base}/index${ending}`),
  ];
}

function pythonFiles(source: string, from: string, files: PathLookup): readonly string[] {
  const dots = /^\.*/.exec(source)?.[0].length ?? 0;
  const steps = source
    .slice(dots)
    .split(".")
    .filter((step) => step !== "");
  if (dots > 0) {
    let folder: string | null = folderOf(from);
    for (let up = 1; up < dots && folder !== null; up++) folder = parentOf(folder);
    if (folder === null) return [];
    const base = [folder, ...steps].filter((step) => step !== "").join("/");
    return pythonModule(base).filter((path) => files.has(path));
  }
  const last = steps.at(-1);
  if (last === undefined) return [];
  const tail = steps.join("/");
  return [
    ...files.named(`${last}.py`),
    ...files.named(`${last}.pyi`),
    ...files.named(`${last}/__init__.py`),
  ]
    .filter((path) => pythonModule(tail).some((end) => path === end || path.endsWith(`/${end}`)))
    .sort(byLength)
    .slice(0, 1);
}

function pythonModule(base: string): string[] {
  return [`${base}.py`, `${base}.pyi`, `${base}/__init__.py`];
}

/** A package is a folder; the module's own name stands before it. */
function goFiles(source: string, files: PathLookup): readonly string[] {
  const steps = source.split("/");
  for (let start = 0; start < steps.length; start++) {
    const folder = steps.slice(start).join("/");
    const found = files.inFolder(folder).filter((path) => /(?<!_test)\.go$/.test(path));
    if (found.length > 0) return found.slice(0, MAX_FILES);
  }
  return [];
}

function javaFiles(source: string, files: PathLookup): readonly string[] {
  const steps = source.split(".");
  // `import static a.b.C.method` names a member; `a.b.C.Inner` an inner class.
  for (let count = steps.length; count > 1 && count > steps.length - 2; count--) {
    const tail = steps.slice(0, count).join("/");
    const name = steps[count - 1] ?? "";
    const found = [...files.named(`${name}.java`), ...files.named(`${name}.kt`)].filter((path) =>
      `/${path.replace(/\.[a-z]+$/, "")}`.endsWith(`/${tail}`),
    );
    if (found.length > 0) return found.sort(byLength).slice(0, 1);
  }
  return [];
}

function rustFiles(source: string, from: string, files: PathLookup): readonly string[] {
  const steps = source.split("::");
  const file = from.slice(from.lastIndexOf("/") + 1);
  const isOwner = file === "mod.rs" || file === "lib.rs" || file === "main.rs";
  // A module's children lie beside `mod.rs`, or in the folder that is named like the file.
  const own = isOwner ? folderOf(from) : from.replace(/\.rs$/, "");
  let base: string | null;
  switch (steps[0]) {
    case "crate": {
      const at = from.lastIndexOf("src/");
      base = at < 0 ? folderOf(from) : from.slice(0, at + 3);
      break;
    }
    case "self":
      base = own;
      break;
    case "super":
      base = parentOf(own);
      break;
    default:
      // Another crate of the workspace lies in a folder of its name.
      return rustModule(
        [steps[0]?.replaceAll("_", "-") ?? "", "src", ...steps.slice(1)].join("/"),
        files,
      );
  }
  let rest = steps.slice(1);
  while (rest[0] === "super" && base !== null) {
    base = parentOf(base);
    rest = rest.slice(1);
  }
  if (base === null) return [];
  return rustModule([base, ...rest].filter((step) => step !== "").join("/"), files);
}

/** The last step may be an item of the module before it. */
function rustModule(path: string, files: PathLookup): readonly string[] {
  for (const module of [path, parentOf(path)]) {
    if (module === null || module === "") continue;
    const found = [`${module}.rs`, `${module}/mod.rs`, `${module}/lib.rs`].find((candidate) =>
      files.has(candidate),
    );
    if (found !== undefined) return [found];
  }
  return [];
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The folder above; `null` above the workspace. */
function parentOf(folder: string): string | null {
  return folder === "" ? null : folderOf(folder);
}

/** `relative` from `folder`, without dots; `null` where it leads out of the workspace. */
function joined(folder: string, relative: string): string | null {
  const steps = folder === "" ? [] : folder.split("/");
  for (const step of relative.split("/")) {
    if (step === "." || step === "") continue;
    if (step !== "..") steps.push(step);
    else if (steps.pop() === undefined) return null;
  }
  return steps.join("/");
}

/** The shortest path first: the nearest to the top is the most likely. Then by name. */
function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}
