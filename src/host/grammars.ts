/**
 * Where the WebAssembly modules of the parsers lie. The packed program has the grammars in a folder
 * of its own; one that runs from sources takes them from the packages that they were copied from.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type GrammarSource, syntaxOf } from "../syntax/index.ts";
import packages from "./grammar-packages.data.json" with { type: "json" };

const requireFromHere = createRequire(import.meta.url);

/** The grammars of this installation. What cannot be read is `null`: the language has no trees. */
export const installedGrammars: GrammarSource = {
  loadRuntime: (version) => firstOf(() => [requireFromHere.resolve(packages[version].runtime)]),
  loadGrammar(languageId) {
    const syntax = syntaxOf(languageId);
    if (syntax === null) return Promise.resolve(null);
    const name = `tree-sitter-${syntax.grammar}.wasm`;
    const { package: packageName, folder } = packages[syntax.version];
    // The built program is in chunks one folder below `dist`, whichever this code ended up in.
    const here = dirname(fileURLToPath(import.meta.url));
    return firstOf(() => [
      join(here, "..", "grammars", name),
      ...(requireFromHere.resolve.paths(packageName) ?? []).map((modules) =>
        join(modules, packageName, folder, name),
      ),
    ]);
  },
};

/** The first file that can be read; `null` when none can. */
async function firstOf(paths: () => readonly string[]): Promise<Uint8Array<ArrayBuffer> | null> {
  let candidates: readonly string[];
  try {
    candidates = paths();
  } catch {
    return null;
  }
  for (const path of candidates) {
    try {
      return new Uint8Array(await readFile(path));
    } catch {
      // The next place may have it.
    }
  }
  return null;
}
