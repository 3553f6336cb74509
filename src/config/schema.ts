/**
 * What a row of the table of settings says, and all that follows from the rows: the keys, the types of
 * the values, the flags and the variables.
 */
import { settingTable } from "./setting-table.ts";

/** What every setting says about itself. */
interface SettingFacts {
  /** Whose `midspan.toml` may set it; a `workspace` setting may stand in both. */
  readonly scope: "user" | "workspace";
  /** Printed as set or not set, never as it is. */
  readonly secret: boolean;
  /** One or more sentences for the manual page. */
  readonly text: string;
  /** What numbers count; `null` for a ratio or where there is no number. */
  readonly unit: string | null;
  /** Older names, still read with a warning. */
  readonly formerly: readonly string[];
  /** In the notation of the command line: `--port <port>`, `--offline`, `--no-open`. */
  readonly flag: SettingFlag | null;
}

/** A flag of the command line that sets a setting. */
export interface SettingFlag {
  readonly usage: string;
  /** `shared`: every command that completes has it; `serve`: that command alone. */
  readonly of: "shared" | "serve";
  /** What the flag does, where the text of the setting would read wrong beside it. */
  readonly text?: string;
}

/** One row of the table. Ranges include both ends. */
export type SettingSpec = SettingFacts &
  (
    | { readonly kind: "boolean"; readonly default: boolean }
    | {
        readonly kind: "integer" | "number";
        readonly default: number;
        readonly min: number;
        readonly max: number;
      }
    | {
        readonly kind: "text";
        readonly default: string;
        /** What a value must match; `null` for any text. */
        readonly pattern: string | null;
        /** The pattern in words, for messages; `null` exactly when `pattern` is. */
        readonly expects: string | null;
      }
    | { readonly kind: "choice"; readonly default: string; readonly choices: readonly string[] }
    | { readonly kind: "list"; readonly default: readonly string[] }
  );

/** A key of the table. */
export type SettingKey = keyof typeof settingTable;

/** Every setting with its value, typed by the table. Frozen. */
export type Settings = {
  readonly [Key in SettingKey]: SettingValue<(typeof settingTable)[Key]>;
};

type SettingValue<Spec> = Spec extends { readonly kind: "boolean" }
  ? boolean
  : Spec extends { readonly kind: "integer" | "number" }
    ? number
    : Spec extends { readonly kind: "choice"; readonly choices: readonly (infer Choice)[] }
      ? Choice
      : Spec extends { readonly kind: "list" }
        ? readonly string[]
        : string;

/** A table of settings; tests bring their own. */
export type SettingTable = Readonly<Record<string, SettingSpec>>;

/** The rows in the order of the table. The annotation makes the compiler check each row. */
export const settingSpecs: Readonly<Record<SettingKey, SettingSpec>> = settingTable;

/** True for a key of the table. */
export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingTable, key);
}

/** The keys in the order of the table. */
export const settingKeys: readonly SettingKey[] = Object.keys(settingTable).filter(isSettingKey);

/** The flags that a command registers, in the notation of the command line. */
export function settingFlags(
  of: SettingFlag["of"],
): readonly { readonly key: SettingKey; readonly usage: string; readonly text: string }[] {
  return settingKeys.flatMap((key) => {
    const { flag, text } = settingSpecs[key];
    return flag?.of === of ? [{ key, usage: flag.usage, text: flag.text ?? text }] : [];
  });
}

/**
 * The environment variable of a setting: `MIDSPAN_` and the flag's name, or the key where there is no
 * flag, in capitals: `MIDSPAN_LOG_LEVEL`, `MIDSPAN_PORT`, `MIDSPAN_REQUEST_TIMEOUT_MS`.
 */
export function variableOf(key: string, spec: SettingSpec): string {
  const flagName = spec.flag === null ? null : flagNameOf(spec.flag.usage).replace(/^no-/, "");
  const words = (flagName ?? key).replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[.-]/g, "_");
  return `MIDSPAN_${words.toUpperCase()}`;
}

/** `log-level` of `--log-level <level>`. */
export function flagNameOf(usage: string): string {
  return (usage.split(" ")[0] ?? "").replace(/^--/, "");
}

/** Variables that are read elsewhere: the state folder, and the key of the backend. */
export const otherVariables = ["MIDSPAN_HOME", "MIDSPAN_API_KEY", "MIDSPAN_DATA"] as const;
