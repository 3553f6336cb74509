// Bundles the program, its worker and the page into dist/. esbuild and Vite only; types are checked
// by `npm run check`. Data files that the code reads at run time are bundled as JSON.
import { chmodSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Builds everything. Rejects with esbuild's or Vite's own message when a source is wrong. */
async function build() {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  await Promise.all([buildProgram(), buildPage()]);
}

async function buildProgram() {
  const esbuild = await import("esbuild");
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [
      "src/cli/main.ts",
      "src/host/index-worker.ts",
      "src/host/symbol-worker.ts",
      "src/host/process-keeper.ts",
      "src/host/embedded/child.ts",
    ],
    outdir: "dist",
    outbase: "src",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    sourcemap: "linked",
    logLevel: "warning",
  });
  chmodSync(join(root, "dist", "cli", "main.js"), 0o755);
}

async function buildPage() {
  const vite = await import("vite");
  await vite.build({ root: join(root, "src", "web"), logLevel: "warn" });
}

await build();
