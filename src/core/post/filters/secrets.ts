/**
 * A literal that looks like a key is not proposed unless the text around the cursor has it.
 * Two rules, both conservative: the fixed forms of known issuers, and a long literal of high entropy
 * that is given to a name such as `token`. One pass over the cursor's line and the text.
 */
import type { PostFilter } from "../filter.ts";
import { privateKeyStart, secretNames, standIns } from "../secret-names.ts";

/** Starts of issued keys, with the least number of key characters that follow. */
export const issuedKeys: readonly (readonly [start: string, more: number])[] = [
  ["AKIA", 16],
  ["ASIA", 16],
  ["ghp_", 30],
  ["gho_", 30],
  ["ghu_", 30],
  ["ghs_", 30],
  ["ghr_", 30],
  ["github_pat_", 22],
  ["glpat-", 20],
  ["xoxb-", 20],
  ["xoxp-", 20],
  ["xoxa-", 20],
  ["xoxr-", 20],
  ["xoxs-", 20],
  ["AIza", 32],
  ["sk_live_", 16],
  ["rk_live_", 16],
  ["sk-ant-", 24],
  ["sk-proj-", 24],
  ["npm_", 36],
  ["hf_", 30],
  ["SG.", 40],
  ["eyJhbGciOi", 40],
  ["pypi-", 60],
  ["dop_v1_", 60],
  ["shpat_", 30],
  ["xapp-", 30],
  ["ya29.", 30],
];
/** A name of a secret, what may stand around it, and the mark that gives it a value. */
const givenToSecret = new RegExp(
  `(?:${secretNames})s?["'\\]]{0,2}(?:: ?[a-z]{1,12})? ?(?::=|=>|[:=]) ?$`,
  "i",
);
/** As much of the line before a literal as the name is looked for in. */
const NAME_LENGTH = 60;

const MIN_LENGTH = 20;
/** Bits per character: words and identifiers stay below, random base-62 text of 24 is at 4.1. */
const MIN_ENTROPY = 3.7;

export const secrets: PostFilter = {
  name: "secrets",
  origin: "all",
  apply(candidate, context) {
    const { text } = candidate;
    const line = context.head + text;
    const key = privateKeyStart.exec(line);
    if (key !== null && key.index + key[0].length > context.head.length)
      return { reason: "secret" };
    for (let start = 0; start < line.length; ) {
      if (!isKeyCode(line.charCodeAt(start))) {
        start++;
        continue;
      }
      let end = start + 1;
      while (end < line.length && isKeyCode(line.charCodeAt(end))) end++;
      const run = line.slice(start, end);
      if (
        end > context.head.length &&
        run.length >= MIN_LENGTH &&
        (isIssued(run) || isRandomAndNamed(run, line, start)) &&
        !context.documentHolds(run)
      ) {
        return { reason: "secret" };
      }
      start = end;
    }
    return candidate;
  },
};

/** Letters, digits and the marks of base64, URLs and dotted keys. */
function isKeyCode(code: number): boolean {
  return (
    (48 <= code && code <= 57) ||
    (65 <= code && code <= 90) ||
    (97 <= code && code <= 122) ||
    code === 43 ||
    code === 45 ||
    code === 46 ||
    code === 47 ||
    code === 95 ||
    code === 61
  );
}

function isIssued(run: string): boolean {
  return issuedKeys.some(([start, more]) => {
    const at = run.indexOf(start);
    if (at < 0 || run.length - at - start.length < more) return false;
    return at === 0 || !/[A-Za-z0-9]/.test(run.charAt(at - 1));
  });
}

/** A literal in quotes, letters and digits mixed as no word mixes them, given to a secret's name. */
function isRandomAndNamed(run: string, line: string, start: number): boolean {
  const quote = line.charAt(start - 1);
  if (quote !== '"' && quote !== "'" && quote !== "`") return false;
  if (!/[0-9]/.test(run) || !/[A-Za-z]/.test(run) || /[./]/.test(run)) return false;
  // Code of tests is full of values that are secrets of nobody.
  if (standIns.test(run) || /change|test/i.test(run)) return false;
  const before = line.slice(Math.max(0, start - 1 - NAME_LENGTH), start - 1);
  return givenToSecret.test(before) && entropy(run) >= MIN_ENTROPY;
}

/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
