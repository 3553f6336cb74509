/** Builds sources for tests that need a process or a thread of their own: Node 20 runs no TypeScript. */
import { join } from "node:path";
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
