/** What each layer of settings says: values, warnings and problems, in words that name their place. */
import { nearest } from "./nearest.ts";
import {
  flagNameOf,
  otherVariables,
  type SettingKey,
  type SettingSpec,
  type SettingTable,
  variableOf,
} from "./schema.ts";

/** A parsed `midspan.toml`. */
export interface ConfigFile {
  /** Path for messages. */
  readonly file: string;
  /** The tables as the TOML parser gives them. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Where values may come from. */
export interface SettingSources {
  /** What the command line was given, by key: the text after the flag, or a boolean for a switch. */
  readonly flags: Readonly<Partial<Record<SettingKey, string | boolean>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly user: ConfigFile | null;
  readonly workspace: ConfigFile | null;
  /** What an editor sends; `file` says whose. Held to the same keys as a workspace's file. */
  readonly editor?: ConfigFile | null;
}

/** Where a value came from. */
export type SettingOrigin =
  | { readonly kind: "default" }
  | { readonly kind: "workspace" | "user" | "editor"; readonly file: string }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "flag"; readonly flag: string };

/** One thing that a layer says. */
export type LayerEntry =
  | {
      readonly kind: "value";
      readonly key: string;
      readonly spec: SettingSpec;
      readonly raw: unknown;
      readonly origin: SettingOrigin;
      /** How messages name it: `backend in /users/a/midspan.toml`, `--port`. */
      readonly label: string;
      /** A warning that comes with it; `null` for none. */
      readonly note: string | null;
    }
  | { readonly kind: "warning"; readonly text: string }
  | { readonly kind: "problem"; readonly text: string };

/** Everything that is given, from the weakest layer to the strongest: a later value overwrites. */
export function entriesOf(table: SettingTable, sources: SettingSources): readonly LayerEntry[] {
  return [
    ...fromFile(table, "workspace", sources.workspace),
    ...fromFile(table, "user", sources.user),
    ...fromFile(table, "editor", sources.editor ?? null),
    ...fromEnvironment(table, sources.environment),
    ...fromFlags(table, sources.flags),
  ];
}

function fromFile(
  table: SettingTable,
  layer: "user" | "workspace" | "editor",
  config: ConfigFile | null,
): LayerEntry[] {
  if (config === null) return [];
  const { file } = config;
  return flatten(table, config.values, "").map(([written, raw]): LayerEntry => {
    const key = Object.hasOwn(table, written) ? written : currentName(table, written);
    const spec = key === null ? undefined : table[key];
    if (key === null || spec === undefined) {
      return { kind: "problem", text: `${unknown("key", written, Object.keys(table))} in ${file}` };
    }
    if (layer !== "user" && spec.scope === "user") {
      const who = layer === "editor" ? "an editor" : "a workspace's file";
      return {
        kind: "warning",
        text: `${written} in ${file} is ignored: ${who} cannot set it; use your own midspan.toml, ${variableOf(key, spec)}${spec.flag === null ? "" : ` or --${flagNameOf(spec.flag.usage)}`}`,
      };
    }
    const note = key === written ? null : `${written} in ${file} is now called ${key}`;
    const origin = { kind: layer, file };
    return { kind: "value", key, spec, raw, origin, label: `${written} in ${file}`, note };
  });
}

function fromEnvironment(
  table: SettingTable,
  environment: Readonly<Record<string, string | undefined>>,
): LayerEntry[] {
  const variables = new Map(
    Object.entries(table).map(([key, spec]) => [variableOf(key, spec), { key, spec }]),
  );
  const entries: LayerEntry[] = [];
  for (const [variable, raw] of Object.entries(environment)) {
    const isOurs = variable.startsWith("MIDSPAN_");
    // An empty variable is how shells and containers say that it is not set.
    if (!isOurs || raw === undefined || raw === "") continue;
    if (otherVariables.some((other) => other === variable)) continue;
    const row = variables.get(variable);
    if (row === undefined) {
      // Other programs may use our prefix, so this is no error.
      const known = [...variables.keys(), ...otherVariables];
      entries.push({ kind: "warning", text: `${unknown("variable", variable, known)} is ignored` });
      continue;
    }
    const origin = { kind: "environment", variable } as const;
    entries.push({ kind: "value", ...row, raw, origin, label: variable, note: null });
  }
  return entries;
}

function fromFlags(
  table: SettingTable,
  flags: Readonly<Partial<Record<string, string | boolean>>>,
): LayerEntry[] {
  return Object.entries(flags).flatMap(([key, raw]): LayerEntry[] => {
    const spec = table[key];
    if (raw === undefined) return [];
    if (spec === undefined) {
      return [{ kind: "problem", text: unknown("setting", key, Object.keys(table)) }];
    }
    const flag = spec.flag === null ? key : `--${flagNameOf(spec.flag.usage)}`;
    const origin = { kind: "flag", flag } as const;
    return [{ kind: "value", key, spec, raw, origin, label: flag, note: null }];
  });
}

/** Tables become dotted keys. A list or a single value is a leaf. */
function flatten(
  table: SettingTable,
  values: Readonly<Record<string, unknown>>,
  prefix: string,
): [key: string, raw: unknown][] {
  return Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const key = prefix + name;
    const isTable = isRecord(value) && !Object.hasOwn(table, key);
    return isTable ? flatten(table, value, `${key}.`) : [[key, value]];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

function currentName(table: SettingTable, written: string): string | null {
  const row = Object.entries(table).find(([, spec]) => spec.formerly.includes(written));
  return row?.[0] ?? null;
}

/** `unknown key "thresold", did you mean threshold?` without a claim when nothing is close. */
export function unknown(what: string, word: string, known: readonly string[]): string {
  const guess = nearest(word, known);
  return `unknown ${what} ${JSON.stringify(word)}${guess === null ? "" : ` (did you mean ${guess}?)`}`;
}
