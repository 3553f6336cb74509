/** Checks and prints single values of settings. */
import { assertNever } from "../base/assert.ts";
import type { SettingSpec } from "./schema.ts";

/** A value of any setting. */
export type AnySettingValue = string | number | boolean | readonly string[];

/** The value that a raw one stands for, or what was expected instead. */
export type ParsedValue =
  | { readonly kind: "value"; readonly value: AnySettingValue }
  | { readonly kind: "refused"; readonly expected: string };

const yes = new Set(["on", "true", "yes", "1"]);
const no = new Set(["off", "false", "no", "0"]);

/** Reads the text of a flag or a variable: `on`, `0.5`, `markdown,plaintext`. */
export function parseText(spec: SettingSpec, raw: string): ParsedValue {
  const text = raw.trim();
  switch (spec.kind) {
    case "boolean": {
      const word = text.toLowerCase();
      if (yes.has(word)) return { kind: "value", value: true };
      if (no.has(word)) return { kind: "value", value: false };
      return { kind: "refused", expected: expectationOf(spec) };
    }
    case "integer":
    case "number":
      return checkValue(
        spec,
        /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text,
      );
    case "list":
      return checkValue(spec, splitList(text));
    case "text":
    case "choice":
      return checkValue(spec, text);
    default:
      return assertNever(spec);
  }
}

/** Checks a typed value, as a TOML file holds it. */
export function checkValue(spec: SettingSpec, raw: unknown): ParsedValue {
  const refused = { kind: "refused", expected: expectationOf(spec) } as const;
  switch (spec.kind) {
    case "boolean":
      return typeof raw === "boolean" ? { kind: "value", value: raw } : refused;
    case "integer":
    case "number": {
      if (typeof raw !== "number" || !(spec.min <= raw && raw <= spec.max)) return refused;
      if (spec.kind === "integer" && !Number.isInteger(raw)) return refused;
      return { kind: "value", value: raw };
    }
    case "text": {
      if (typeof raw !== "string") return refused;
      const isFit = spec.pattern === null || new RegExp(spec.pattern).test(raw);
      return isFit ? { kind: "value", value: raw } : refused;
    }
    case "choice":
      return typeof raw === "string" && spec.choices.includes(raw)
        ? { kind: "value", value: raw }
        : refused;
    case "list":
      return Array.isArray(raw) && raw.every((item) => typeof item === "string" && item !== "")
        ? { kind: "value", value: Object.freeze([...raw]) }
        : refused;
    default:
      return assertNever(spec);
  }
}

/** What a setting takes, in words: `a whole number from 0 to 65535`. */
export function expectationOf(spec: SettingSpec): string {
  switch (spec.kind) {
    case "boolean":
      return "on or off (true or false in a file)";
    case "integer":
      return `a whole number from ${spec.min} to ${spec.max}`;
    case "number":
      return `a number from ${spec.min} to ${spec.max}`;
    case "text":
      return spec.expects ?? "a text";
    case "choice":
      return `one of ${spec.choices.join(", ")}`;
    case "list":
      return "a list of texts";
    default:
      return assertNever(spec);
  }
}

/** The value as a person reads it; a secret only as set or not set. */
export function displayValue(spec: SettingSpec, value: AnySettingValue): string {
  if (spec.secret) return value === "" ? "(not set)" : "(set)";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value === "" ? '""' : value;
  return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
