/**
 * The declarations of direct dependencies: `.d.ts` files that their manifests name. They lie in
 * `node_modules`, which every walk leaves out, so only their names are used, never their text.
 */
import { readFile, stat } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { WantedFile } from "./symbol-table.ts";

const MAX_PACKAGES = 200;
const MAX_FILES_PER_PACKAGE = 24;
const MAX_BYTES = 400_000;

/** Declaration files of what the manifests among `paths` name as dependencies, in the order of names. */
export async function findDeclarations(
  root: string,
  paths: readonly string[],
): Promise<readonly WantedFile[]> {
  const names = new Set<string>();
  const manifests = paths.filter((path) => /(?:^|\/)package\.json$/.test(path)).slice(0, 50);
  for (const path of manifests) {
    const { dependencies, devDependencies, peerDependencies } = await manifestAt(join(root, path));
    for (const list of [dependencies, devDependencies, peerDependencies]) {
      for (const name of Object.keys(Object(list))) names.add(name);
    }
  }
  const found: WantedFile[] = [];
  for (const name of [...names].sort().slice(0, MAX_PACKAGES)) {
    if (!/^(?:@[\w.-]+\/)?[\w.-]+$/.test(name) || name.includes("..")) continue;
    const own = await declarationsOf(root, `node_modules/${name}`);
    found.push(...own);
    if (own.length > 0 || name.startsWith("@types/")) continue;
    const types = name.replace(/^@([^/]+)\//, "$1__");
    found.push(...(await declarationsOf(root, `node_modules/@types/${types}`)));
  }
  const seen = new Set<string>();
  return found.filter(({ path }) => !seen.has(path) && seen.add(path));
}

async function declarationsOf(root: string, folder: string): Promise<WantedFile[]> {
  const manifest = await manifestAt(join(root, folder, "package.json"));
  const entry = entryOf(manifest);
  const waiting = [entry ?? "index.d.ts"];
  const found = new Map<string, WantedFile>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.size === MAX_FILES_PER_PACKAGE) break;
    const inPackage = posix.normalize(path);
    if (inPackage.startsWith("..") || found.has(inPackage)) continue;
    const full = join(root, folder, inPackage);
    const about = await stat(full).catch(() => null);
    if (about === null || !about.isFile() || about.size > MAX_BYTES) continue;
    found.set(inPackage, {
      path: `${folder}/${inPackage}`,
      sizeBytes: about.size,
      modifiedMs: about.mtimeMs,
      isNamesOnly: true,
    });
    // What the entry passes on belongs to it.
    const text = await readFile(full, "utf8").catch(() => "");
    for (const [, source = ""] of text.matchAll(/\bfrom\s{0,4}["'](\.[^"'\n]{1,200})["']/g)) {
      const bare = posix.join(dirname(inPackage), source).replace(/\.(?:d\.)?[cm]?[jt]s$/, "");
      waiting.push(`${bare}.d.ts`, `${bare}/index.d.ts`, `${bare}.d.mts`);
    }
  }
  return [...found.values()];
}

/** The types that a manifest names; `null` when it names none. */
function entryOf(manifest: Readonly<Record<string, unknown>>): string | null {
  const { types, typings, exports } = manifest;
  if (typeof types === "string") return types;
  if (typeof typings === "string") return typings;
  let at: unknown = Object(exports);
  for (let depth = 0; depth < 5; depth++) {
    if (typeof at === "string") return /\.d\.[cm]?ts$/.test(at) ? at : null;
    const steps: Readonly<Record<string, unknown>> = Object(at);
    at = steps.types ?? steps["."] ?? steps.import ?? steps.default;
  }
  return null;
}

async function manifestAt(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return Object(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return {};
  }
}
