/**
 * What the rest of the line holds already is not written twice: closers and quotes that the editor
 * inserted, the rest of a word, of a string, of an attribute, of an argument list.
 * A text may end with the start of the rest of the line: that part is cut. Or it may hold the rest
 * and more (`ready");` before `")`): then the rest is replaced. Where a closer could be either, the
 * reading wins that damages the line less, so `foo(bar)` before `)` keeps both.
 */
import { isHighSurrogate, isLowSurrogate, isWordCode } from "../../../base/text.ts";
import type { PostContext } from "../context.ts";
import type { Candidate, PostFilter } from "../filter.ts";
import { unlessBlank } from "../filter.ts";
import { lineDamage } from "../line-damage.ts";
import { hasWord, isClosersOnly } from "../lines.ts";

/** Longest overlap that is looked for, and how many readings are compared. */
const MAX_OVERLAP = 400;
const MAX_READINGS = 12;

export const overlap: PostFilter = {
  name: "overlap",
  origin: "all",
  apply(candidate, context) {
    const rest = context.tail.trimEnd();
    if (rest === "") return candidate;
    const readings = readingsOf(candidate, rest, context);
    if (readings.length === 1) return candidate;
    let best = candidate;
    let least = Number.POSITIVE_INFINITY;
    for (const reading of readings) {
      const damage = damageOf(reading, context);
      if (damage < least) {
        least = damage;
        best = reading;
      }
    }
    return best === candidate ? candidate : unlessBlank(best, "duplicate");
  },
};

function damageOf(reading: Candidate, context: PostContext): number {
  return lineDamage(reading.text, context, context.tail.slice(reading.replaceAfter));
}

/** Ways to join a text and the rest of the line; of equally good ones the first is meant. */
function readingsOf(
  candidate: Candidate,
  rest: string,
  context: PostContext,
): readonly Candidate[] {
  const { text } = candidate;
  const cuts = overlapsOf(text, rest).map((length) => ({
    ...candidate,
    text: text.slice(0, text.length - length),
    endIsCut: false,
  }));
  const pieces = piecesOf(text);
  const covers = (text.endsWith(rest) ? [] : coveredLengths(pieces, rest))
    .filter((length) => context.isHeldBy(text, length))
    .map((replaceAfter) => ({ ...candidate, replaceAfter }));
  // The rest as it stands, words and all, is surely what the model meant to write again.
  const isVerbatim =
    !text.endsWith(rest) && text.includes(rest) && hasWord(rest) && piecesOf(rest).length > 1;
  return isVerbatim ? [...covers, ...cuts, candidate] : [...cuts, candidate, ...covers];
}

/** Lengths, longest first, of ends of `text` with which `rest` starts. */
function overlapsOf(text: string, rest: string): readonly number[] {
  const lengths: number[] = [];
  const longest = Math.min(text.length, rest.length);
  if (longest > MAX_OVERLAP && text.endsWith(rest)) lengths.push(rest.length);
  for (let length = Math.min(longest, MAX_OVERLAP); length > 0; length--) {
    if (lengths.length >= MAX_READINGS) break;
    if (!text.endsWith(rest.slice(0, length))) continue;
    const splitsPair =
      isHighSurrogate(rest.charCodeAt(length - 1)) ||
      isLowSurrogate(text.charCodeAt(text.length - length));
    // A model that writes the rest again does not stop inside a word of it.
    const splitsWord =
      isWordCode(rest.charCodeAt(length - 1)) && isWordCode(rest.charCodeAt(length));
    if (!splitsPair && !splitsWord) lengths.push(length);
  }
  return lengths;
}

/**
 * Lengths, longest first, of starts of `rest` whose words and marks occur among the text's pieces in
 * order: the whole of it, or the closers at its start one by one.
 */
function coveredLengths(pieces: readonly string[], rest: string): readonly number[] {
  const lengths: number[] = [];
  let at = 0;
  let length = 0;
  for (const piece of piecesOf(rest)) {
    at = pieces.indexOf(piece, at) + 1;
    if (at === 0) return lengths.reverse();
    length = rest.indexOf(piece, length) + piece.length;
    if (length < rest.length && lengths.length === length - 1 && isClosersOnly(piece)) {
      lengths.push(length);
    }
  }
  return [rest.length, ...lengths.reverse()];
}

/** Words as wholes, other characters one by one, blanks left out. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let i = 0; i < text.length; ) {
    let end = i + 1;
    if (isWordCode(text.charCodeAt(i))) {
      while (end < text.length && isWordCode(text.charCodeAt(end))) end++;
    }
    const piece = text.slice(i, end);
    if (piece.trim() !== "") pieces.push(piece);
    i = end;
  }
  return pieces;
}
