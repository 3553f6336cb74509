/** Paths as the index knows them: relative to the workspace, with `/`; "" is the workspace. */
import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";

/** The path of an entry of a folder. */
export function childPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** An absolute path as seen from `root`; `null` when it is `root` itself or lies outside. */
export function pathInside(root: string, path: string): string | null {
  const inside = relative(root, path);
  // On Windows a path on another drive stays absolute.
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || inside === path;
  return isOutside || inside === "" ? null : inside.split(sep).join("/");
}

/** A folder as a walk meets it: links resolved where it exists. */
export function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
