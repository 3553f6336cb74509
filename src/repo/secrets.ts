/**
 * Finds secret values in text that is about to leave the process, and puts placeholders of the same
 * length in their place, so that offsets and lines stay. Three ways to recognise one: the fixed forms of
 * known issuers; a value that is given to a name such as `token`; and a literal that no person would
 * write, by its length, its mix of letters and digits and its entropy. Hashes, identifiers and paths are
 * not taken for secrets. Cost: O(length); lines without a long run and without such a name cost one test.
 */
import {
  entropy,
  issuedKeys,
  secretNames as names,
  privateKeyStart,
  standIns,
} from "../core/index.ts";

/** Stands, repeated and cut to length, in place of a secret. A proposal that has it is dropped. */
export const SECRET_PLACEHOLDER = "REDACTED";

/** What no secret lacks: a long run, or a name that announces one. */
const mayHold = new RegExp(`[A-Za-z0-9+/_=.-]{20,}|:\\/\\/[^\\s/@]+:|(?:${names}|key)`, "i");

/** A name, what may stand around it, the mark that gives it a value, and the value in quotes. */
const namedQuoted = new RegExp(
  `(?:${names}|[_-]key|[a-z]Key)s?[\\w-]{0,24}["'\`\\]]{0,2}(?:[ \\t]{0,4}:[ \\t]{0,2}[A-Za-z]{1,20})?[ \\t]{0,4}(?::=|=>|==?|:|,|\\()[ \\t]{0,4}[bBrR]?(["'\`])([^"'\`\\s]{8,300})\\1`,
  "gi",
);
/** The same without quotes, as in environments, headers, options and addresses. */
const namedBare = new RegExp(
  `(?:${names}|[_-]key)s?[\\w-]{0,24}["']?[ \\t]{0,4}(?:[:=]|[ \\t])[ \\t]{0,4}(?:Bearer |Basic |Token )?([^\\s"'\`;,(){}<>&]{12,500})`,
  "gi",
);
const inAddress = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`]{0,100}:([^\s/@"'`$<>{}]{6,200})@/gi;
const scheme = /\b(?:Bearer|Basic|Token)[ \t]{1,2}([A-Za-z0-9+/_=.~-]{16,2000})/g;
const webToken = /\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{4,4000}(?:\.[A-Za-z0-9_-]{4,1000})?/g;
const run = /[A-Za-z0-9+/_=-]{24,500}/g;
const keyBlockEnd = /-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;
const issuedKey = new RegExp(
  `(?<![A-Za-z0-9])(?:${issuedKeys
    .map(([start, more]) => `${start.replaceAll(".", "\\.")}[A-Za-z0-9+/_=.-]{${more},400}`)
    .join("|")})`,
  "g",
);
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The text with every secret value replaced; the same string when there is none. Never throws. */
export function redactSecrets(text: string): string {
  const ranges = secretRanges(text);
  if (ranges.length === 0) return text;
  let result = "";
  let at = 0;
  for (const { start, end } of ranges) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    result += text.slice(at, from) + placeholder(end - from);
    at = end;
  }
  return result + text.slice(at);
}

/** True when a text shows a placeholder, whole or in its beginning. */
export function hasPlaceholder(text: string): boolean {
  return text.includes(SECRET_PLACEHOLDER);
}

/** Where the secrets are, in order; they do not cross line ends. */
function secretRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let isInKey = false;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    if (isInKey) {
      if (keyBlockEnd.test(line)) {
        isInKey = false;
      } else if (/[A-Za-z0-9+/=]{8}/.test(line)) {
        // Quotes and marks of the language around the lines stay.
        for (const { index, 0: body } of line.matchAll(/[A-Za-z0-9+/=]{8,}/g)) {
          ranges.push({ start: start + index, end: start + index + body.length });
        }
      } else if (line.trim() !== "" && !/^[\s"'`+\\,#*/]*(?:[A-Za-z-]+:.*)?$/.test(line)) {
        isInKey = false;
      }
    } else if (mayHold.test(line)) {
      const found = rangesInLine(line);
      for (const range of found)
        ranges.push({ start: start + range.start, end: start + range.end });
      const block = privateKeyStart.exec(line);
      if (block !== null) {
        isInKey = !keyBlockEnd.test(line);
        const after = start + block.index + block[0].length;
        const rest = text.slice(after, end).replace(/-----END.*$/, "");
        if (/[A-Za-z0-9+/=]{8}/.test(rest)) ranges.push({ start: after, end: after + rest.length });
      }
    }
    start = end + 1;
  }
  return ranges;
}

function rangesInLine(line: string): Range[] {
  const ranges: Range[] = [];
  const take = (value: string, end: number): void => {
    ranges.push({ start: end - value.length, end });
  };
  for (const match of line.matchAll(issuedKey)) take(match[0], match.index + match[0].length);
  for (const match of line.matchAll(webToken)) take(match[0], match.index + match[0].length);
  for (const match of line.matchAll(inAddress)) {
    const [whole, value = ""] = match;
    if (isStandIn(value) || /^(?:pass(?:word)?|pwd|secret|\*+|\$.*|%.*)$/i.test(value)) continue;
    take(value, match.index + whole.length - 1);
  }
  for (const match of line.matchAll(scheme)) {
    const [whole, value = ""] = match;
    if (!isStandIn(value) && looksRandom(value)) take(value, match.index + whole.length);
  }
  for (const match of line.matchAll(namedQuoted)) {
    const [whole, , value = ""] = match;
    if (isGivenValue(value)) take(value, match.index + whole.length - 1);
  }
  for (const match of line.matchAll(namedBare)) {
    const [whole, value = ""] = match;
    if (isBareValue(value)) take(value, match.index + whole.length);
  }
  for (const match of line.matchAll(run)) {
    const [value] = match;
    const before = line.slice(Math.max(0, match.index - 24), match.index);
    if (isUnnamedSecret(value, before)) take(value, match.index + value.length);
  }
  return ranges.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** A value in quotes that was given to a secret's name: short ones need more than words. */
function isGivenValue(value: string): boolean {
  if (isStandIn(value) || /[({[<]|\$\{|^https?:\/\/[^@]*$|^[./~]/.test(value)) return false;
  if (looksRandom(value)) return true;
  // A password such as `Blue42!horse`: letters, digits and a mark, and not a name with a number.
  const hasMark = /[!@#$%^&*+=?~|]/.test(value);
  const hasDigit = /\d/.test(value);
  return /[A-Za-z]/.test(value) && hasDigit && (hasMark || transitions(value) >= 4);
}

/** A value without quotes: in code it could be an expression, so it must look random. */
function isBareValue(value: string): boolean {
  const clean = value.replace(/[.,;:]+$/, "");
  if (isStandIn(clean) || /[([\]|]|::|->|=>/.test(clean)) return false;
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(clean)) return false;
  return looksRandom(clean) && /\d/.test(clean);
}

/** A literal that nobody gave a name: it must be beyond doubt. */
function isUnnamedSecret(value: string, before: string): boolean {
  if (/(?:sha(?:1|256|384|512)|md5|base64)[-:=,"' ]*$/i.test(before)) return false;
  if (/^(?:sha(?:1|256|384|512)|md5)-/i.test(value)) return false;
  const bare = value.replace(/=+$/, "");
  if (bare.length < 24 || isStandIn(bare) || /^[0-9a-f-]+$/i.test(bare)) return false;
  if (!/[a-z]/.test(bare) || !/[A-Z]/.test(bare) || !/\d/.test(bare)) return false;
  // Paths, and names joined by marks, have words between them.
  if (bare.split(/[/_=+-]/).filter((part) => part.length > 3 && !looksRandom(part)).length > 1) {
    return false;
  }
  return transitions(bare) >= 0.32 * bare.length && entropy(bare) >= 3.9;
}

/** Letters and digits mixed as no word mixes them, or letters that no language joins. */
function looksRandom(value: string): boolean {
  if (value.length < 12) return false;
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)) return true;
  if (entropy(value) < Math.min(3.2, Math.log2(value.length) * 0.72)) return false;
  if (transitions(value) >= 0.28 * value.length) return true;
  if (/^[0-9a-f]{24,}$/i.test(value)) return true;
  const letters = value.replace(/[^A-Za-z]/g, "");
  const vowels = letters.replace(/[^aeiouy]/gi, "").length;
  return (
    letters.length >= 16 &&
    /[bcdfghjklmnpqrstvwxz]{5}/i.test(value) &&
    vowels < 0.3 * letters.length
  );
}

/** How often neighbours are of another kind: small letter, capital, digit, mark. */
function transitions(value: string): number {
  let count = 0;
  for (let i = 1; i < value.length; i++) {
    const [before, now] = [kindOf(value.charCodeAt(i - 1)), kindOf(value.charCodeAt(i))];
    // A word may begin with a capital.
    const isWordStart =
      before === 2 && now === 1 && (i < 2 || kindOf(value.charCodeAt(i - 2)) !== 2);
    if (before !== now && !isWordStart) count++;
  }
  return count;
}

function kindOf(code: number): number {
  if (97 <= code && code <= 122) return 1;
  if (65 <= code && code <= 90) return 2;
  return 48 <= code && code <= 57 ? 3 : 4;
}

function isStandIn(value: string): boolean {
  return standIns.test(value);
}

function placeholder(length: number): string {
  return SECRET_PLACEHOLDER.repeat(Math.ceil(length / SECRET_PLACEHOLDER.length)).slice(0, length);
}
