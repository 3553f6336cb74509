import type { PathLookup } from "./resolve-import.ts";

/** Paths by their ends, made on the first question that needs them. O(paths) once. */
export class PathTable implements PathLookup {
  readonly #paths: ReadonlySet<string>;
  #byName: ReadonlyMap<string, readonly string[]> | null = null;
  #byFolder: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(paths: Iterable<string>) {
    this.#paths = new Set(paths);
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  named(fileName: string): readonly string[] {
    this.#byName ??= grouped(this.#paths, (path) => path.slice(path.lastIndexOf("/") + 1));
    const last = fileName.slice(fileName.lastIndexOf("/") + 1);
    const found = this.#byName.get(last) ?? [];
    return last === fileName
      ? found
      : found.filter((path) => path === fileName || path.endsWith(`/${fileName}`));
  }

  inFolder(folder: string): readonly string[] {
    this.#byFolder ??= grouped(this.#paths, (path) =>
      path.slice(0, Math.max(0, path.lastIndexOf("/"))),
    );
    return this.#byFolder.get(folder) ?? [];
  }
}

function grouped(
  paths: Iterable<string>,
  keyOf: (path: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const key = keyOf(path);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [path]);
    else group.push(path);
  }
  return groups;
}
