// Writes one tsconfig per layer from layers.json, the single source of who may import whom.
// `node scripts/gen-layers.mjs` writes; `--check` fails when a file is stale.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const layers = JSON.parse(readFileSync(join(root, "layers.json"), "utf8"));
const check = process.argv.includes("--check");

const globals = {
  pure: { lib: ["ES2023"], types: [] },
  web: { lib: ["ES2023", "WebWorker"], types: [] },
  node: { lib: ["ES2023"], types: ["node"] },
  dom: { lib: ["ES2023", "DOM", "DOM.Iterable"], types: [] },
};

const files = new Map();
for (const [name, layer] of Object.entries(layers)) {
  const isBundled = layer.sees === "dom";
  const compilerOptions = {
    ...globals[layer.sees],
    rootDir: "..",
    outDir: `../../build/types/${name}`,
  };
  if (isBundled) {
    Object.assign(compilerOptions, {
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
      noEmit: true,
      composite: false,
      isolatedDeclarations: false,
      module: "preserve",
      moduleResolution: "bundler",
    });
  }
  files.set(`src/${name}/tsconfig.json`, {
    extends: "../../tsconfig.base.json",
    compilerOptions: { ...compilerOptions, outDir: "../../build/types" },
    include: [
      "**/*.ts",
      "**/*.json",
      ...(layer.sees === "pure" && name !== "base" ? ["../base/ambient.d.ts"] : []),
    ],
    exclude: ["**/*.test.ts", "tsconfig.json"],
    references: layer.may.map((other) => ({ path: `../${other}` })),
  });
}
files.set("test/tsconfig.json", {
  extends: "../tsconfig.base.json",
  compilerOptions: {
    ...globals.node,
    rootDir: "..",
    noEmit: true,
    composite: false,
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
    isolatedDeclarations: false,
  },
  include: ["../src/**/*.test.ts", "**/*.ts", "../src/base/ambient.d.ts"],
  references: Object.keys(layers)
    .filter((name) => layers[name].sees !== "dom")
    .map((name) => ({ path: `../src/${name}` })),
});
files.set("tsconfig.json", {
  files: [],
  references: [
    ...Object.keys(layers).map((name) => ({ path: `./src/${name}` })),
    { path: "./test" },
  ],
});

let stale = 0;
for (const [path, content] of files) {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const file = join(root, path);
  const current = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (JSON.stringify(safeParse(current)) === JSON.stringify(content)) continue;
  if (check) {
    console.error(`${path} is stale: run node scripts/gen-layers.mjs`);
    stale++;
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
process.exit(stale > 0 ? 1 : 0);

function safeParse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
