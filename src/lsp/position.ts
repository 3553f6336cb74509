/**
 * Positions on the wire. A client counts columns in UTF-16 units unless both sides agreed on another
 * encoding at the start; lines end at `\n`, and a `\r` before it belongs to the line end.
 */
import type { TextBuffer } from "../base/text-buffer.ts";

/** What `character` counts: code units of UTF-16, bytes of UTF-8, or code points. */
export type PositionEncoding = "utf-16" | "utf-8" | "utf-32";

/** A place as the protocol writes it; both count from 0. */
export interface WirePosition {
  readonly line: number;
  readonly character: number;
}

/** Half-open. */
export interface WireRange {
  readonly start: WirePosition;
  readonly end: WirePosition;
}

/**
 * The encoding to answer with: UTF-16 where the client can, since texts are kept in it; else the
 * first of the client's that we know. Absent: UTF-16, as in clients older than 3.17.
 */
export function chooseEncoding(offered: readonly unknown[] | undefined): PositionEncoding {
  const known = (offered ?? []).filter(isEncoding);
  return known.includes("utf-16") ? "utf-16" : (known[0] ?? "utf-16");
}

/**
 * Offset of a position. A column past the end of its line is the end of that line, a line past the
 * last is the end of the text, as the protocol has it.
 */
export function offsetOfPosition(
  buffer: TextBuffer,
  position: WirePosition,
  encoding: PositionEncoding,
): number {
  const { line, character } = position;
  if (encoding === "utf-16" || line >= buffer.lineCount) {
    return buffer.offsetAt({ line, column: character });
  }
  return buffer.offsetAt({ line, column: unitsOf(buffer.lineAt(line), character, encoding) });
}

/** Position of an offset. `RangeError` when out of range. */
export function positionOfOffset(
  buffer: TextBuffer,
  offset: number,
  encoding: PositionEncoding,
): WirePosition {
  const { line, column } = buffer.positionAt(offset);
  if (encoding === "utf-16") return { line, character: column };
  const before = buffer.lineAt(line).slice(0, column);
  return { line, character: lengthIn(before, encoding) };
}

/** True for a position that the text does not have, which only a client out of step sends. */
export function isPastEnd(
  buffer: TextBuffer,
  position: WirePosition,
  encoding: PositionEncoding,
): boolean {
  if (position.line >= buffer.lineCount) return true;
  const offset = offsetOfPosition(buffer, position, encoding);
  return positionOfOffset(buffer, offset, encoding).character < position.character;
}

function isEncoding(value: unknown): value is PositionEncoding {
  return value === "utf-16" || value === "utf-8" || value === "utf-32";
}

/** UTF-16 units of the first `count` bytes or code points of a line; never ends inside a pair. */
function unitsOf(line: string, count: number, encoding: "utf-8" | "utf-32"): number {
  let units = 0;
  let counted = 0;
  for (const character of line) {
    counted += widthOf(character, encoding);
    if (counted > count) break;
    units += character.length;
  }
  return units;
}

function lengthIn(text: string, encoding: "utf-8" | "utf-32"): number {
  let length = 0;
  for (const character of text) length += widthOf(character, encoding);
  return length;
}

function widthOf(character: string, encoding: "utf-8" | "utf-32"): number {
  if (encoding === "utf-32") return 1;
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
