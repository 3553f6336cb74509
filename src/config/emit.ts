/** What is generated from the table of settings: the manual page and the JSON Schema. */
import { BugError } from "../base/assert.ts";
import { takesOf } from "./explain.ts";
import { markdownTable } from "./markdown-table.ts";
import { type SettingSpec, settingSpecs, variableOf } from "./schema.ts";
import { schemaOf } from "./setting-schema.ts";
import { displayValue } from "./value.ts";

/** `docs/configuration.md`. */
export function configurationPage(): string {
  return [
    "<!-- Made from src/config/setting-table.ts by `npm run gen`; a check fails when it is stale. -->",
    "# Configuration",
    "",
    "Midspan needs no configuration.",
    "What you set, it takes from the first of these that says something:",
    "",
    "1. flags of the command line;",
    "2. `MIDSPAN_*` variables; an empty one counts as not set, a list is separated by commas;",
    "3. your own `midspan.toml`;",
    "4. the `midspan.toml` at the root of the workspace;",
    "5. the default.",
    "",
    "Your own file is `$XDG_CONFIG_HOME/midspan/midspan.toml` (`~/.config/midspan/midspan.toml`), on macOS `~/Library/Application Support/midspan/midspan.toml`, on Windows `%APPDATA%\\midspan\\midspan.toml`, and `$MIDSPAN_HOME/midspan.toml` where `MIDSPAN_HOME` is set.",
    "A workspace's file cannot say where code is sent, which keys are used or which files are kept out: such lines are ignored with a warning.",
    "An unknown key and a value out of range are errors that name the file.",
    "`midspan config` prints what holds, `midspan config --explain KEY` says why.",
    "",
    "```toml",
    "# midspan.toml",
    "threshold = 0.3",
    "",
    "[languages]",
    'disabled = ["markdown"]',
    "",
    "[index]",
    "maxFiles = 20000",
    "```",
    "",
    "An editor that knows TOML schemas checks the file against `docs/midspan.schema.json`.",
    "",
    "Three variables are no settings: `MIDSPAN_HOME` is the folder for everything that Midspan stores (default: the platform's folders for caches and data), `MIDSPAN_API_KEY` is the key of the backend, `MIDSPAN_DATA` is the folder with the data of benchmarks.",
    "",
    ...markdownTable([
      ["key", "default", "flag", "file"],
      ...Object.entries(settingSpecs).map(([key, spec]) => tableRow(key, spec)),
    ]),
    "",
    ...Object.entries(settingSpecs).flatMap(([key, spec]) => section(key, spec)),
  ].join("\n");
}

/** `docs/midspan.schema.json`: JSON Schema 2020-12 of a `midspan.toml`. */
export function settingsSchema(): string {
  const root: SchemaTable = { properties: {} };
  for (const [key, spec] of Object.entries(settingSpecs)) {
    const parts = key.split(".");
    const name = parts.pop() ?? key;
    let table = root;
    for (const part of parts) {
      const next = table.properties[part] ?? { properties: {} };
      if (!("properties" in next)) throw new BugError(`${key} is under a key that has a value`);
      table.properties[part] = next;
      table = next;
    }
    table.properties[name] = { leaf: schemaOf(spec) };
  }
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "midspan.toml",
    ...schemaOfTable(root),
  };
  return `${oneLineLists(JSON.stringify(schema, null, 2))}\n`;
}

interface SchemaTable {
  readonly properties: Record<string, SchemaTable | { readonly leaf: object }>;
}

function schemaOfTable(table: SchemaTable): object {
  const properties = Object.entries(table.properties).map(([name, entry]) => [
    name,
    "leaf" in entry ? entry.leaf : schemaOfTable(entry),
  ]);
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}

/** Lists of texts on one line, as the formatter of this repository writes them. */
function oneLineLists(json: string): string {
  return json.replace(/\[\n\s+("[^[\]{}]*")\n\s+\]/g, (_, items: string) => {
    return `[${items.replace(/\n\s+/g, " ")}]`;
  });
}

function tableRow(key: string, spec: SettingSpec): string[] {
  return [
    `[\`${key}\`](#${anchorOf(key)})`,
    `\`${defaultOf(spec)}\``,
    spec.flag === null ? "" : `\`${spec.flag.usage}\``,
    spec.scope === "user" ? "yours only" : "yours, workspace",
  ];
}

function section(key: string, spec: SettingSpec): string[] {
  const lines = [
    `## ${key}`,
    "",
    spec.text,
    "",
    `- takes ${takesOf(spec)}; default \`${defaultOf(spec)}\``,
    `- variable \`${variableOf(key, spec)}\``,
  ];
  if (spec.flag !== null) {
    const where = spec.flag.of === "serve" ? " of `serve`" : "";
    lines.push(`- flag \`${spec.flag.usage}\`${where}`);
  }
  if (spec.formerly.length > 0) {
    lines.push(`- formerly ${spec.formerly.map((name) => `\`${name}\``).join(", ")}`);
  }
  return [...lines, ""];
}

function defaultOf(spec: SettingSpec): string {
  return displayValue({ ...spec, secret: false }, spec.default);
}

/** The anchor that Markdown makes of a heading: lower case, without dots. */
function anchorOf(key: string): string {
  return key.toLowerCase().replaceAll(".", "");
}
