/**
 * Writes what is generated from tables in the source: `docs/configuration.md`,
 * `docs/midspan.schema.json`, `docs/errors.md`, `docs/models.md` and the settings of the VS Code
 * extension. With `--check` it writes nothing and fails when one of them is stale.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { configurationPage, settingsSchema } from "../src/config/emit.ts";
import { extensionProperties, extensionSettings } from "../src/config/emit-vscode.ts";
import { markdownTable } from "../src/config/markdown-table.ts";
import { errorTable } from "../src/core/index.ts";
import { modelsPage } from "./models-page.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const isCheck = process.argv.includes("--check");

const pages: Readonly<Record<string, string>> = {
  "docs/configuration.md": configurationPage(),
  "docs/midspan.schema.json": settingsSchema(),
  "docs/errors.md": errorsPage(),
  "docs/models.md": modelsPage(),
  "editors/vscode/package.json": extensionManifest(),
  "editors/vscode/src/settings.data.json": `${JSON.stringify(extensionSettings(), null, 2)}\n`,
};

let staleCount = 0;
for (const [path, text] of Object.entries(pages)) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  staleCount++;
  if (isCheck) {
    console.error(`${path} is stale: run npm run gen`);
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
process.exit(isCheck && staleCount > 0 ? 1 : 0);

function errorsPage(): string {
  const rows = Object.entries(errorTable).map(([code, { status, retryable, says }]) => [
    `\`${code}\``,
    String(status),
    retryable ? "yes" : "no",
    `${says}.`,
  ]);
  return [
    "<!-- Made from src/core/errors.ts by `npm run gen`; a check fails when it is stale. -->",
    "# Errors",
    "",
    'An answer with a status of 400 or more has the body `{ "error": { "code", "message", "retryable" } }`.',
    "Recognise an error by its code; messages name the offending value and may change.",
    "Having nothing to suggest is no error: it is an answer with a `reason`.",
    "",
    ...markdownTable([["code", "status", "worth a retry", "meaning"], ...rows]),
    "",
  ].join("\n");
}

/** The manifest with its settings; the rest of it is written by hand. */
function extensionManifest(): string {
  const file = join(root, "editors", "vscode", "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  const { configuration } = manifest.contributes;
  const own = ["midspan.serverUrl", "midspan.proposedApi"];
  configuration.properties = {
    ...Object.fromEntries(own.map((key) => [key, configuration.properties[key]])),
    ...extensionProperties(),
  };
  manifest.version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
