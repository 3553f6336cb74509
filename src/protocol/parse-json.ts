/**
 * JSON with the place of the fault. `JSON.parse` does the work; only when it refuses a text does a
 * scanner of our own look for the first character that cannot be right, since the messages of the
 * engines name it in some cases and not in others. The scanner keeps its own stack: no depth of
 * nesting overflows.
 */
import { DecodeError } from "./decode.ts";

/** The value of a JSON text; a byte order mark before it is skipped. Throws `DecodeError`. */
export function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return JSON.parse(json);
  } catch {
    const offset = findJsonFault(json);
    const before = json.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - before.lastIndexOf("\n");
    const what = offset === json.length ? "it ends too early" : "unexpected character";
    throw new DecodeError(
      "body",
      `is not JSON: ${what} at position ${offset} (line ${line}, column ${column})`,
    );
  }
}

type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "end";

/**
 * Offset of the first character that no JSON text could have there; `text.length` when the text
 * ends too early, and also when it has no fault at all.
 */
export function findJsonFault(text: string): number {
  const closers: ("}" | "]")[] = [];
  let expected: Expected = "value";
  let at = skipBlanks(text, 0);
  while (at < text.length) {
    const char = text.charAt(at);
    const closer = closers.at(-1);
    if (canEnd(expected) && char === closer) {
      closers.pop();
      expected = closers.length === 0 ? "end" : "comma or end";
      at++;
    } else if (expected === "end") {
      return at;
    } else if (expected === "colon" || expected === "comma or end") {
      if (char !== (expected === "colon" ? ":" : ",")) return at;
      expected = expected === "comma or end" && closer === "}" ? "key" : "value";
      at++;
    } else if (expected === "key" || expected === "key or end") {
      const end = stringEnd(text, at);
      if (end.isFault) return end.at;
      expected = "colon";
      at = end.at;
    } else if (char === "{" || char === "[") {
      closers.push(char === "{" ? "}" : "]");
      expected = char === "{" ? "key or end" : "value or end";
      at++;
    } else {
      const end = scalarEnd(text, at);
      if (end.isFault) return end.at;
      expected = closers.length === 0 ? "end" : "comma or end";
      at = end.at;
    }
    at = skipBlanks(text, at);
  }
  return text.length;
}

/** Where a string, number or word ends, or where its fault is. */
interface Scan {
  readonly at: number;
  readonly isFault: boolean;
}

function canEnd(expected: Expected): boolean {
  return expected === "comma or end" || expected === "key or end" || expected === "value or end";
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text.charAt(at))) at++;
  return at;
}

function scalarEnd(text: string, start: number): Scan {
  const char = text.charAt(start);
  if (char === '"') return stringEnd(text, start);
  if (char === "t") return wordEnd(text, start, "true");
  if (char === "f") return wordEnd(text, start, "false");
  if (char === "n") return wordEnd(text, start, "null");
  return numberEnd(text, start);
}

function wordEnd(text: string, start: number, word: string): Scan {
  for (let i = 0; i < word.length; i++) {
    if (text[start + i] !== word[i]) return { at: start + i, isFault: true };
  }
  return { at: start + word.length, isFault: false };
}

function stringEnd(text: string, start: number): Scan {
  if (text.charAt(start) !== '"') return { at: start, isFault: true };
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { at: at + 1, isFault: false };
    if (code < 0x20) return { at, isFault: true };
    if (code !== 0x5c) continue;
    at++;
    const escaped = text.charAt(at);
    if (escaped === "u") {
      for (let digit = 1; digit <= 4; digit++) {
        if (!isHexDigit(text.charAt(at + digit))) return { at: at + digit, isFault: true };
      }
      at += 4;
    } else if (!'"\\/bfnrt'.includes(escaped)) {
      return { at, isFault: true };
    }
  }
  return { at: text.length, isFault: true };
}

function numberEnd(text: string, start: number): Scan {
  let at = text.charAt(start) === "-" ? start + 1 : start;
  if (text.charAt(at) === "0") at++;
  else {
    const end = digitsEnd(text, at);
    if (end === at) return { at, isFault: true };
    at = end;
  }
  if (text.charAt(at) === ".") {
    const end = digitsEnd(text, at + 1);
    if (end === at + 1) return { at: end, isFault: true };
    at = end;
  }
  if (text.charAt(at) === "e" || text.charAt(at) === "E") {
    const sign = text.charAt(at + 1);
    const first = sign === "+" || sign === "-" ? at + 2 : at + 1;
    const end = digitsEnd(text, first);
    if (end === first) return { at: end, isFault: true };
    at = end;
  }
  return { at, isFault: false };
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charAt(at))) at++;
  return at;
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

function isHexDigit(char: string): boolean {
  return isDigit(char) || (char >= "a" && char <= "f") || (char >= "A" && char <= "F");
}
