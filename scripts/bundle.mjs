// Bundles the program, its worker and the page into dist/. esbuild and Vite only; types are checked
// by `npm run check`. Data files that the code reads at run time are bundled as JSON.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Builds everything. Rejects with esbuild's or Vite's own message when a source is wrong. */
async function build() {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  await Promise.all([buildProgram(), buildPage()]);
  await copyGrammars();
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

/**
 * The grammars that the table of languages names, with the licences of the packages they come from:
 * the packages themselves are three times as large, and are not installed with the program.
 */
async function copyGrammars() {
  const packages = JSON.parse(
    readFileSync(join(root, "src", "host", "grammar-packages.data.json"), "utf8"),
  );
  const target = join(root, "dist", "grammars");
  mkdirSync(target, { recursive: true });
  for (const { version, grammar } of Object.values(await languageTable())) {
    const { package: from, folder } = packages[version];
    const name = `tree-sitter-${grammar}.wasm`;
    copyFileSync(join(root, "node_modules", from, folder, name), join(target, name));
  }
  for (const { package: from } of Object.values(packages)) {
    const licence = `LICENSE-${from.replace(/\W+/g, "-").replace(/^-/, "")}`;
    copyFileSync(join(root, "node_modules", from, "LICENSE"), join(target, licence));
  }
}

/** The table in `src/syntax/languages.ts`, which this Node cannot read as it stands. */
async function languageTable() {
  const esbuild = await import("esbuild");
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["src/syntax/languages.ts"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)).languageSyntaxes;
}

async function buildPage() {
  const vite = await import("vite");
  await vite.build({ root: join(root, "src", "web"), logLevel: "warn" });
}

await build();
