/** Builds sources for tests that need a process or a thread of their own: Node 20 runs no TypeScript. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build } from "esbuild";

const options = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "error",
} as const satisfies BuildOptions;

/** Builds the thread that makes the index into `folder`; returns its path. */
export async function buildIndexWorker(folder: string): Promise<string> {
  const outfile = join(folder, "index-worker.mjs");
  const entry = join(import.meta.dirname, "..", "host", "index-worker.ts");
  await build({ ...options, entryPoints: [entry], outfile });
  return outfile;
}

/**
 * Builds the thread that keeps the symbols into `folder`; returns its path. Parsers are taken from the
 * packages around it, so the folder lies below the project.
 */
export async function buildSymbolWorker(folder: string): Promise<string> {
  const outfile = join(folder, "symbol-worker.mjs");
  const entry = join(import.meta.dirname, "..", "host", "symbol-worker.ts");
  await build({ ...options, packages: "external", entryPoints: [entry], outfile });
  return outfile;
}

/** Builds the process that ends a server when we end into `folder`; returns its path. */
export async function buildProcessKeeper(folder: string): Promise<string> {
  const outfile = join(folder, "process-keeper.mjs");
  const entry = join(import.meta.dirname, "..", "host", "process-keeper.ts");
  await build({ ...options, entryPoints: [entry], outfile });
  return outfile;
}

/** A program, whose imports are relative to `folder`, as text for `node --input-type=module -e`. */
export async function bundleScript(program: string, folder: string): Promise<string> {
  const stdin = { contents: program, resolveDir: folder, loader: "ts" } as const;
  const { outputFiles } = await build({ ...options, stdin, write: false });
  return outputFiles[0]?.text ?? "";
}

/** Builds the process with the embedded engine into `folder`; returns its address. */
export async function buildEngineChild(folder: string): Promise<URL> {
  const outfile = join(folder, "engine-child.mjs");
  const entry = join(import.meta.dirname, "..", "host", "embedded", "child.ts");
  await build({ ...options, entryPoints: [entry], outfile });
  return pathToFileURL(outfile);
}

/** Puts the scripted library where the embedded engine looks for the real one, below `folder`. */
export async function buildScriptedEngine(folder: string): Promise<void> {
  const root = join(folder, "node_modules", "node-llama-cpp");
  const entry = join(import.meta.dirname, "scripted-llama.ts");
  await build({ ...options, entryPoints: [entry], outfile: join(root, "dist", "index.js") });
  await writeFile(join(root, "package.json"), '{ "version": "3.21.1", "type": "module" }');
  const library = join(folder, "node_modules", "@node-llama-cpp", "scripted");
  await mkdir(library, { recursive: true });
}
