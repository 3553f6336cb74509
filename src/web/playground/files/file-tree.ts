/** A folder with its direct contents, both sorted by name. */
export interface Folder {
  readonly name: string;
  readonly folders: readonly Folder[];
  /** Whole paths. */
  readonly files: readonly string[];
}

/** The folders of a list of paths with `/`. */
export function treeOf(paths: readonly string[], name = ""): Folder {
  const files: string[] = [];
  const inside = new Map<string, string[]>();
  const depth = name === "" ? 0 : name.length + 1;
  for (const path of paths) {
    const slash = path.indexOf("/", depth);
    if (slash < 0) {
      files.push(path);
      continue;
    }
    const folder = path.slice(0, slash);
    const group = inside.get(folder);
    if (group === undefined) inside.set(folder, [path]);
    else group.push(path);
  }
  return {
    name,
    folders: [...inside]
      .sort(([a], [b]) => compare(a, b))
      .map(([folder, list]) => treeOf(list, folder)),
    files: files.sort(compare),
  };
}

/**
 * Paths that hold every word of the query, without regard to case: those with all words in the file
 * name first, otherwise in their old order. An empty query finds nothing.
 */
export function filterFiles(paths: readonly string[], query: string): readonly string[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const inName: string[] = [];
  const inPath: string[] = [];
  for (const path of paths) {
    const text = path.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const name = nameOf(text);
    (words.every((word) => name.includes(word)) ? inName : inPath).push(path);
  }
  return [...inName, ...inPath];
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** All but the last part of a path; `""` at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function compare(a: string, b: string): number {
  return a.localeCompare(b, "en", { sensitivity: "base", numeric: true }) || (a < b ? -1 : 1);
}
