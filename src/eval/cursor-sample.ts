/** Places in held-out files at which a completion is judged. */
import type { Random } from "../stats/random.ts";
import { codeRegion, codeRegions } from "./code-regions.ts";
import { codeTokens } from "./code-token.ts";
import type { SourceFile } from "./source-file.ts";

/** Where in its line a cursor stands. */
export const cursorPlaces = ["start", "middle", "word"] as const;
/** `start`: after the indentation. `middle`: between two tokens. `word`: 1–3 characters into one. */
export type CursorPlace = (typeof cursorPlaces)[number];

/** One question: what stands between `offset` and the end of the line? */
export interface SampledCursor {
  readonly file: SourceFile;
  readonly place: CursorPlace;
  /** UTF-16 units. */
  readonly offset: number;
  /** The rest of the line, without the line end. At least two characters without trailing blanks. */
  readonly target: string;
}

/** An identifier must be this long to be worth completing from inside. */
const MIN_WORD_UNITS = 3;
const MAX_TYPED_UNITS = 3;
/** Draws after which a file is given up for one place, such as one with no identifiers. */
const MAX_DRAWS = 200;

/**
 * `count` cursors, a third for each place, spread evenly over the files; fewer when the files have
 * not enough different ones. Code only: no blank line, no comment or documentation.
 */
export function sampleCursors(
  files: readonly SourceFile[],
  options: { readonly count: number; readonly random: Random },
): readonly SampledCursor[] {
  const { count, random } = options;
  const lines = files.map(codeLines);
  const cursors: SampledCursor[] = [];
  const seen = new Set<string>();
  for (let i = 0; i < count && files.length > 0; i++) {
    const place = cursorPlaces[i % cursorPlaces.length] as CursorPlace;
    const fileIndex = Math.floor(i / cursorPlaces.length) % files.length;
    const file = files[fileIndex] as SourceFile;
    const candidates = lines[fileIndex] as readonly CodeLine[];
    for (let draw = 0; draw < MAX_DRAWS && candidates.length > 0; draw++) {
      const cursor = drawCursor(file, random.pick(candidates), place, random);
      const key = cursor === null ? "" : `${fileIndex}:${cursor.offset}`;
      if (cursor === null || seen.has(key)) continue;
      seen.add(key);
      cursors.push(cursor);
      break;
    }
  }
  return cursors;
}

/** A line on which a cursor may stand. */
export interface CodeLine {
  /** Number of the line, from 0. */
  readonly line: number;
  /** Offset of the first character that is not a blank. */
  readonly start: number;
  /** Offset of the line end. */
  readonly end: number;
  /** Regions of the whole file. */
  readonly regions: Uint8Array;
}

/** The lines of a file that hold code. */
export function codeLines(file: SourceFile): readonly CodeLine[] {
  const regions = codeRegions(file.text, file.languageId);
  const lines: CodeLine[] = [];
  let line = 0;
  let nextBreak = file.text.indexOf("\n");
  for (const match of file.text.matchAll(/^[ \t]*(\S[^\r\n]*)/gm)) {
    const text = match[1] as string;
    const end = match.index + match[0].length;
    const start = end - text.length;
    while (0 <= nextBreak && nextBreak < start) {
      line++;
      nextBreak = file.text.indexOf("\n", nextBreak + 1);
    }
    if (regions[start] !== codeRegion.prose) lines.push({ line, start, end, regions });
  }
  return lines;
}

/** A cursor on the line; `null` where the line has no such place, or none that asks for enough. */
export function drawCursor(
  file: SourceFile,
  line: CodeLine,
  place: CursorPlace,
  random: Random,
): SampledCursor | null {
  const offset = drawOffset(file.text, line, place, random);
  if (offset === null || line.regions[offset] === codeRegion.prose) return null;
  const target = file.text.slice(offset, line.end);
  return target.trim().length < 2 ? null : { file, place, offset, target };
}

function drawOffset(
  text: string,
  line: CodeLine,
  place: CursorPlace,
  random: Random,
): number | null {
  if (place === "start") return line.start;
  const tokens = codeTokens(text.slice(line.start, line.end));
  const starts: number[] = [];
  let at = line.start;
  for (const token of tokens) {
    starts.push(at);
    at += token.length;
  }
  if (place === "middle") return starts.length < 2 ? null : random.pick(starts.slice(1));
  const words = tokens.flatMap((token, i) => {
    const word = token.trimStart();
    const isWord = word.length >= MIN_WORD_UNITS && /^[\p{L}_$]/u.test(word);
    return isWord ? [{ word, start: (starts[i] as number) + token.length - word.length }] : [];
  });
  if (words.length === 0) return null;
  const { word, start } = random.pick(words);
  return start + 1 + random.below(Math.min(MAX_TYPED_UNITS, word.length - 1));
}
