/**
 * Where the WebAssembly modules of the parsers lie. The packed program has the grammars in a folder
 * of its own; one that runs from sources takes them from the packages that they were copied from.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type GrammarSource, type ParserVersion, syntaxOf } from "../syntax/index.ts";

const requireFromHere = createRequire(import.meta.url);

/** Module and folder of the grammars, by release of the parser library. */
const places: Readonly<Record<ParserVersion, { readonly runtime: string; readonly from: string }>> =
  {
    "0.27": {
      runtime: "web-tree-sitter/web-tree-sitter.wasm",
      from: "@vscode/tree-sitter-wasm/wasm",
    },
    "0.25": { runtime: "web-tree-sitter-025/tree-sitter.wasm", from: "tree-sitter-wasms/out" },
  };

/** The grammars of this installation. What cannot be read is `null`: the language has no trees. */
export const installedGrammars: GrammarSource = {
  loadRuntime: (version) => read(() => [requireFromHere.resolve(places[version].runtime)]),
  loadGrammar(languageId) {
    const syntax = syntaxOf(languageId);
    if (syntax === null) return Promise.resolve(null);
    const name = `tree-sitter-${syntax.grammar}.wasm`;
    const here = dirname(fileURLToPath(import.meta.url));
    return read(() => [
      join(here, "..", "grammars", name),
      ...packageFolders().map((folder) => join(folder, places[syntax.version].from, name)),
    ]);
  },
};

/** The folders in which packages may lie, nearest first. */
function packageFolders(): readonly string[] {
  return requireFromHere.resolve.paths("tree-sitter-wasms") ?? [];
}

/** The first file that can be read. */
async function read(paths: () => readonly string[]): Promise<Uint8Array<ArrayBuffer> | null> {
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
