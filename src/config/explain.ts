/** Answers "what is this setting, and why does it have this value?". */
import { assertNever } from "../base/assert.ts";
import { CompletionError } from "../core/index.ts";
import { type SettingOrigin, unknown } from "./layers.ts";
import type { ResolvedSettings } from "./resolve.ts";
import {
  isSettingKey,
  type SettingKey,
  type SettingSpec,
  settingKeys,
  settingSpecs,
  variableOf,
} from "./schema.ts";
import { displayValue, expectationOf } from "./value.ts";

/** One setting, in words. Secrets appear as set or not set only. */
export interface SettingExplanation {
  readonly key: string;
  readonly value: string;
  /** Where the value comes from: `the default`, `--port`, `MIDSPAN_PORT`, or a file. */
  readonly origin: string;
  readonly text: string;
  /** What it takes, with unit and range. */
  readonly takes: string;
  readonly default: string;
  /** `null` when no flag sets it. */
  readonly flag: string | null;
  readonly variable: string;
  /** Whose `midspan.toml` may set it. */
  readonly scope: "user" | "workspace";
}

/** Explains one setting. Throws `CONFIG_INVALID` with the nearest key when there is no such one. */
export function explainSetting(resolved: ResolvedSettings, key: string): SettingExplanation {
  if (!isSettingKey(key)) {
    throw new CompletionError("CONFIG_INVALID", unknown("setting", key, settingKeys));
  }
  return explanationOf(resolved, key);
}

/** Explains every setting, in the order of the table. */
export function explainSettings(resolved: ResolvedSettings): readonly SettingExplanation[] {
  return settingKeys.map((key) => explanationOf(resolved, key));
}

/** The explanation as lines of text for a terminal, without a final line end. */
export function renderExplanation(explanation: SettingExplanation): string {
  const { key, value, origin, text, takes, flag, variable, scope } = explanation;
  const files =
    scope === "user" ? "your own midspan.toml only" : "your or the workspace's midspan.toml";
  return [
    `${key} = ${value}`,
    `  from     ${origin}`,
    `  default  ${explanation.default}`,
    `  takes    ${takes}`,
    `  set by   ${flag === null ? "" : `${flag}, `}${variable}, ${files}`,
    `  ${text}`,
  ].join("\n");
}

/** What a setting takes, with its unit. */
export function takesOf(spec: SettingSpec): string {
  return spec.unit === null ? expectationOf(spec) : `${expectationOf(spec)} (${spec.unit})`;
}

function explanationOf(resolved: ResolvedSettings, key: SettingKey): SettingExplanation {
  const spec = settingSpecs[key];
  return {
    key,
    value: displayValue(spec, resolved.settings[key]),
    origin: describeOrigin(resolved.origins[key]),
    text: spec.text,
    takes: takesOf(spec),
    default: displayValue({ ...spec, secret: false }, spec.default),
    flag: spec.flag?.usage ?? null,
    variable: variableOf(key, spec),
    scope: spec.scope,
  };
}

function describeOrigin(origin: SettingOrigin): string {
  switch (origin.kind) {
    case "default":
      return "the default";
    case "workspace":
    case "user":
      return `${origin.file} (${origin.kind})`;
    case "editor":
      return origin.file;
    case "environment":
      return origin.variable;
    case "flag":
      return origin.flag;
    default:
      return assertNever(origin);
  }
}
