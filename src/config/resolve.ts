/**
 * Puts the layers together: flags, then `MIDSPAN_*` variables, then what an editor sends, then the
 * user's `midspan.toml`, then the workspace's, then the defaults. Every layer is checked, also where
 * a higher one wins: a mistake that shows only once somebody removes a flag is worse than one that
 * shows now.
 */
import { BugError } from "../base/assert.ts";
import { CompletionError } from "../core/index.ts";
import { entriesOf, type SettingOrigin, type SettingSources } from "./layers.ts";
import {
  type SettingKey,
  type Settings,
  type SettingTable,
  settingKeys,
  settingSpecs,
} from "./schema.ts";
import { type AnySettingValue, checkValue, parseText } from "./value.ts";

/** All settings, where each came from, and what was ignored. Frozen. */
export interface ResolvedSettings {
  readonly settings: Settings;
  readonly origins: Readonly<Record<SettingKey, SettingOrigin>>;
  /** Sentences for the person: refused keys of a workspace's file, former names, unknown variables. */
  readonly warnings: readonly string[];
}

/**
 * The settings that hold. Throws `CONFIG_INVALID` that lists every unknown key, with the nearest known
 * one, and every value out of range. A key that a workspace's file may not set is ignored with a
 * warning, not an error: a hostile repository gets nothing by it, not even that Midspan stays away.
 */
export function resolveSettings(sources: SettingSources): ResolvedSettings {
  const { values, origins, warnings } = resolveTable(settingSpecs, sources);
  if (!isSettings(values) || !hasAllKeys(origins)) throw new BugError("a setting has no value");
  return Object.freeze({ settings: values, origins, warnings });
}

/** As `resolveSettings`, for any table. */
export function resolveTable(
  table: SettingTable,
  sources: SettingSources,
): {
  readonly values: Readonly<Record<string, AnySettingValue>>;
  readonly origins: Readonly<Record<string, SettingOrigin>>;
  readonly warnings: readonly string[];
} {
  const values: Record<string, AnySettingValue> = {};
  const origins: Record<string, SettingOrigin> = {};
  const warnings: string[] = [];
  const problems: string[] = [];
  for (const [key, spec] of Object.entries(table)) {
    values[key] = spec.default;
    origins[key] = { kind: "default" };
  }
  for (const entry of entriesOf(table, sources)) {
    if (entry.kind === "warning") {
      warnings.push(entry.text);
      continue;
    }
    if (entry.kind === "problem") {
      problems.push(entry.text);
      continue;
    }
    if (entry.note !== null) warnings.push(entry.note);
    const { spec, raw } = entry;
    const isText = entry.origin.kind === "environment" || entry.origin.kind === "flag";
    const parsed = isText && typeof raw === "string" ? parseText(spec, raw) : checkValue(spec, raw);
    if (parsed.kind === "refused") {
      const shown = spec.secret ? "its value" : (JSON.stringify(raw) ?? String(raw));
      problems.push(`${entry.label} must be ${parsed.expected}, not ${shown}`);
      continue;
    }
    values[entry.key] = parsed.value;
    origins[entry.key] = Object.freeze(entry.origin);
  }
  if (problems.length > 0) throw new CompletionError("CONFIG_INVALID", problems.join("; "));
  return Object.freeze({
    values: Object.freeze(values),
    origins: Object.freeze(origins),
    warnings: Object.freeze(warnings),
  });
}

function isSettings(values: Readonly<Record<string, AnySettingValue>>): values is Settings {
  return Object.entries(settingSpecs).every(([key, spec]) => {
    const value = values[key];
    return value !== undefined && checkValue(spec, value).kind === "value";
  });
}

function hasAllKeys(
  origins: Readonly<Record<string, SettingOrigin>>,
): origins is Readonly<Record<SettingKey, SettingOrigin>> {
  return settingKeys.every((key) => Object.hasOwn(origins, key));
}
