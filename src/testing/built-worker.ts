import { join } from "node:path";
import { build } from "esbuild";

/** Builds the thread that makes the index into `folder`, since Node 20 runs no TypeScript there. */
export async function buildIndexWorker(folder: string): Promise<string> {
  const outfile = join(folder, "index-worker.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "..", "host", "index-worker.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  return outfile;
}
