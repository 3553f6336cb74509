// `npm run check`: all that the build does, in the order in which a fault is cheapest to find.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, npm, root, run, say } from "./prepare.mjs";

ensureInstalled();
const steps = [
  ["layers.json and tsconfig files agree", () => node("scripts/gen-layers.mjs", "--check")],
  [
    "format and lint",
    () => run("@biomejs/biome", ["check", "--error-on-warnings"], { bin: "biome" }),
  ],
  ["types and layers", () => run("typescript", ["-b"], { bin: "tsc" })],
  ["types of the tests", () => run("typescript", ["-p", "test"], { bin: "tsc" })],
  [
    "types of the VS Code extension",
    () => run("typescript", ["-p", "editors/vscode"], { bin: "tsc" }),
  ],
  [
    "imports",
    () =>
      run("dependency-cruiser", ["src", "--config", ".dependency-cruiser.cjs"], {
        bin: "depcruise",
      }),
  ],
  ["unused code", () => run("knip", [])],
  ["generated files", () => run("tsx", ["scripts/gen.ts", "--check"])],
  ["watched figures", () => run("tsx", ["scripts/eval-quick.ts", "ci"])],
  ["tests", () => npm(["test"])],
];
for (const [name, step] of steps) {
  say(`\n▸ ${name}`);
  const code = step();
  if (code !== 0) {
    say(`✗ ${name}`);
    process.exit(code);
  }
}

function node(script, ...args) {
  return (
    spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: "inherit" })
      .status ?? 1
  );
}
