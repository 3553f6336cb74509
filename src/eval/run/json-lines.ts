/**
 * JSON lines in files that a person names or that an earlier run left: each line is checked before
 * anything is made of it. A fault is said with file, line and column, as compilers do.
 */
import { readFile, stat } from "node:fs/promises";
import { BugError } from "../../base/assert.ts";
import { DecodeError, type Fields, kindOf, objectFields } from "../../protocol/decode.ts";
import { findJsonFault } from "../../protocol/parse-json.ts";
import { EvaluationUnavailableError } from "./evaluation-unavailable.ts";

/** `numbers` and `strings` are all values of an array or of an object. */
type Kind = "string" | "number" | "boolean" | "object" | "numbers" | "strings";

/**
 * What fields must hold: a kind, with `?` when it may be `null` or absent; fields of an object; or a
 * list of one shape. Other fields are ignored.
 */
export interface Shape {
  readonly [name: string]: Kind | `${Kind}?` | Shape | readonly [Shape];
}

/** What is read from a file: its name for messages, and what a line is made into. */
export interface LineReader<Row> {
  readonly file: string;
  /** May throw `DecodeError`. `index` counts lines from 0, blank ones included. */
  readonly read: (fields: Fields, index: number) => Row;
  /** What to do about a wrong line; absent: mend or remove it. */
  readonly remedy?: string;
}

/**
 * The rows of a text; blank lines are left out. Throws `EvaluationUnavailableError` for the first line
 * that is no JSON, no object, or that `read` does not take.
 */
export function parseJsonLines<Row>(
  text: string,
  { file, read, remedy = "mend or remove the line" }: LineReader<Row>,
): readonly Row[] {
  return text.split("\n").flatMap((line, index): Row[] => {
    if (line.trim() === "") return [];
    try {
      return [read(objectFields(parsed(line), "the line"), index)];
    } catch (cause) {
      if (!(cause instanceof DecodeError)) throw cause;
      const column = cause.field === "" ? `:${findJsonFault(line) + 1}` : "";
      const message = `${file}:${index + 1}${column}: ${cause.message.trim()}; ${remedy}`;
      throw new EvaluationUnavailableError(message, { cause });
    }
  });
}

/** The rows of a file; `null` when there is none. Throws as `parseJsonLines`, and when it cannot be read. */
export async function readJsonLines<Row>(reader: LineReader<Row>): Promise<readonly Row[] | null> {
  const text = await textOfFile(reader.file);
  return text === null ? null : parseJsonLines(text, reader);
}

/**
 * The text of a file that a person named; `null` when there is none. Throws
 * `EvaluationUnavailableError` for a folder, for a pipe or a device, which would be waited for or never
 * end, and for what cannot be read.
 */
export async function textOfFile(file: string): Promise<string | null> {
  const unreadable = (why: string, cause?: unknown): Error =>
    new EvaluationUnavailableError(`${file} cannot be read: ${why}; name another file`, { cause });
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw unreadable("it is a folder");
    if (!found.isFile()) throw unreadable("it is no plain file");
    return await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof EvaluationUnavailableError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    if (code === "ENOENT") return null;
    throw unreadable(code, cause);
  }
}

/** Takes a line as it is when it has the shape, which `Row` must agree with. */
export function rowOf<Row extends object>(shape: Shape): (fields: Fields) => Row {
  const holds = (fields: Fields): fields is Fields & Row => {
    checkShape(fields, shape);
    return true;
  };
  return (fields) => {
    if (holds(fields)) return fields;
    throw new BugError("a shape was checked and does not hold");
  };
}

/** Throws `DecodeError` for the first field that is not as the shape says. */
export function checkShape(fields: Fields, shape: Shape, place = ""): void {
  for (const [name, expected] of Object.entries(shape)) {
    const field = `${place}${name}`;
    const value = fields[name];
    if (typeof expected === "string") checkKind(value, field, expected);
    else if (isList(expected)) checkList(value, field, expected[0]);
    else checkShape(objectFields(value, field), expected, `${field}.`);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new DecodeError("", "this is no JSON");
  }
}

function checkKind(value: unknown, field: string, expected: Kind | `${Kind}?`): void {
  const mayBeAbsent = expected.endsWith("?");
  if (mayBeAbsent && (value === undefined || value === null)) return;
  const kind = mayBeAbsent ? expected.slice(0, -1) : expected;
  if (kind === "object") {
    objectFields(value, field);
  } else if (kind === "numbers" || kind === "strings") {
    const isGroup = typeof value === "object" && value !== null;
    const isRight = isGroup && Object.values(value).every((one) => `${typeof one}s` === kind);
    if (!isRight) throw new DecodeError(field, `must hold ${kind} only`);
  } else if (typeof value !== kind) {
    throw new DecodeError(field, `must be a ${kind}, got ${kindOf(value)}`);
  }
}

function checkList(value: unknown, field: string, shape: Shape): void {
  if (!Array.isArray(value)) throw new DecodeError(field, `must be an array, got ${kindOf(value)}`);
  value.forEach((item: unknown, i) => {
    checkShape(objectFields(item, `${field}[${i}]`), shape, `${field}[${i}].`);
  });
}

function isList(expected: Shape | readonly [Shape]): expected is readonly [Shape] {
  return Array.isArray(expected);
}
