/**
 * Readers for checked decoding: each takes one field out of a parsed body or says, with the name of
 * the field, what is wrong with it. Text is taken as it is: line ends, a byte order mark and lone
 * surrogates are legal in JSON and in a document.
 */

/** A body is not what its endpoint takes. The message starts with the field: `stop[2] is empty`. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
  /** Where: `prefix`, `context[3].path`, or `body` for the whole. */
  readonly field: string;

  constructor(field: string, fault: string) {
    super(`${field} ${fault}`);
    this.field = field;
  }
}

/** The fields of a JSON object, not yet checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Inclusive bounds of a number. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The fields of a JSON object; `field` names the value in the error. */
export function objectFields(value: unknown, field: string): Fields {
  if (!isFields(value)) throw new DecodeError(field, `must be an object, got ${kindOf(value)}`);
  return value;
}

/** A string of at most `maxUnits`. `""` is a string. */
export function requiredString(value: unknown, field: string, maxUnits: number): string {
  if (value === undefined) throw new DecodeError(field, "is missing");
  if (typeof value !== "string") {
    throw new DecodeError(field, `must be a string, got ${kindOf(value)}`);
  }
  if (value.length > maxUnits) {
    throw new DecodeError(field, `has ${value.length} UTF-16 units, at most ${maxUnits} are taken`);
  }
  return value;
}

/** As `requiredString`; `undefined` when absent or `null`. */
export function optionalString(
  value: unknown,
  field: string,
  maxUnits: number,
): string | undefined {
  return isAbsent(value) ? undefined : requiredString(value, field, maxUnits);
}

/** A finite number within `range`; `undefined` when absent or `null`. */
export function optionalNumber(value: unknown, field: string, range: Range): number | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value !== "number") {
    throw new DecodeError(field, `must be a number, got ${kindOf(value)}`);
  }
  if (!(range.min <= value && value <= range.max)) {
    throw new DecodeError(field, `must be within ${range.min}..${range.max}, got ${value}`);
  }
  return value;
}

/** As `optionalNumber`, without a fraction. */
export function optionalInteger(value: unknown, field: string, range: Range): number | undefined {
  const number = optionalNumber(value, field, range);
  if (number !== undefined && !Number.isInteger(number)) {
    throw new DecodeError(field, `must be an integer, got ${number}`);
  }
  return number;
}

/** `true` or `false`; `undefined` when absent or `null`. */
export function optionalBoolean(value: unknown, field: string): boolean | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value !== "boolean") {
    throw new DecodeError(field, `must be true or false, got ${kindOf(value)}`);
  }
  return value;
}

/** One of `words`; `undefined` when absent or `null`. */
export function optionalWord<Word extends string>(
  value: unknown,
  field: string,
  words: readonly Word[],
): Word | undefined {
  if (isAbsent(value)) return undefined;
  const word = words.find((one) => one === value);
  if (word === undefined) {
    const got = typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : kindOf(value);
    throw new DecodeError(field, `must be one of ${words.join(", ")}, got ${got}`);
  }
  return word;
}

/** An array of at most `maxItems`. */
export function arrayItems(value: unknown, field: string, maxItems: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new DecodeError(field, `must be an array, got ${kindOf(value)}`);
  if (value.length > maxItems) {
    throw new DecodeError(field, `has ${value.length} items, at most ${maxItems} are taken`);
  }
  return value;
}

/** Absent and `null` mean the same: typed clients send `null` for what they leave out. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** The JSON kind of a value with its article, for messages. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
