// `npm run vscode [-- FILE.vsix]`: builds the VS Code extension with the server in it and packs it.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { join, sep } from "node:path";
import { ensureBuilt, ensureInstalled, root, say } from "./prepare.mjs";

ensureInstalled();
ensureBuilt();
const folder = join(root, "editors", "vscode");
const dist = join(folder, "dist");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const file = process.argv[2] ?? join(root, "build", `midspan-${version}.vsix`);

rmSync(dist, { recursive: true, force: true });
const esbuild = await import("esbuild");
await esbuild.build({
  absWorkingDir: root,
  entryPoints: ["editors/vscode/src/extension.ts"],
  outfile: "editors/vscode/dist/extension.cjs",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  logLevel: "warning",
});
// The program once more, this time with its packages in it: an extension has no `node_modules`.
await esbuild.build({
  absWorkingDir: root,
  entryPoints: programFiles(),
  outdir: "editors/vscode/dist/server",
  outbase: "dist",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // Packages in the older module format call `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "error",
});
for (const name of ["web", "grammars"]) {
  const from = join(root, "dist", name);
  if (existsSync(from)) cpSync(from, join(dist, "server", name), { recursive: true });
}
// Says the version, and that `.js` is a module.
cpSync(join(root, "package.json"), join(dist, "package.json"));
for (const name of ["LICENSE", "CHANGELOG.md"]) cpSync(join(root, name), join(folder, name));

mkdirSync(join(file, ".."), { recursive: true });
const { createVSIX } = await import("@vscode/vsce");
await createVSIX({
  cwd: folder,
  packagePath: file,
  dependencies: false,
  allowMissingRepository: true,
  skipLicense: false,
});
say(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);

/** What `scripts/bundle.mjs` built, its shared pieces apart. */
function programFiles() {
  return readdirSync(join(root, "dist"), { recursive: true })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".js") && !/^(chunks|web|grammars)\//.test(path))
    .map((path) => `dist/${path}`);
}
