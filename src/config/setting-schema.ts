import { assertNever } from "../base/assert.ts";
import type { SettingSpec } from "./schema.ts";

/** JSON Schema of one setting's value. */
export interface SettingSchema {
  readonly type: string;
  readonly description: string;
  readonly [keyword: string]: unknown;
}

export function schemaOf(spec: SettingSpec): SettingSchema {
  const description = spec.text;
  switch (spec.kind) {
    case "boolean":
      return { type: "boolean", default: spec.default, description };
    case "integer":
    case "number": {
      const { kind: type, default: value, min: minimum, max: maximum } = spec;
      return { type, default: value, minimum, maximum, description };
    }
    case "text":
      return {
        type: "string",
        default: spec.default,
        ...(spec.pattern === null ? {} : { pattern: spec.pattern }),
        description,
      };
    case "choice":
      return { type: "string", default: spec.default, enum: spec.choices, description };
    case "list":
      return { type: "array", items: { type: "string" }, default: spec.default, description };
    default:
      return assertNever(spec);
  }
}
