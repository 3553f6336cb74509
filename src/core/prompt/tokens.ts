/**
 * How many tokens a text has, when no tokenizer is at hand.
 *
 * One pass sorts the text into the pieces at which byte-pair tokenizers cut it (words at case
 * changes, digits, runs of marks, line ends, indentation) and adds a weight for each. The weights of
 * `token-weights.data.json` are fitted by `scripts/fit-token-weights.ts` on windows of seventeen
 * languages against real vocabularies, with ten times the price on counting too few as on
 * counting too many, and a factor for each language.
 * Cost: O(length), about 10 ns a character, or a fifth of it for lines that were counted lately: from
 * one key to the next nearly all of a window are.
 */
import { languageOf } from "../language.ts";
import weightTable from "./token-weights.data.json" with { type: "json" };

/** Counts tokens. A backend that knows its model's tokenizer implements it; else `estimateTokens`. */
export interface TokenCounter {
  /** Number of tokens of `text` as plain text: sentinels in it are not special. 0 for `""`. */
  count(text: string): number;
}

/**
 * Size of a model's vocabulary: `large` has 100,000 entries and more (Qwen, DeepSeek V2 and V3),
 * `small` 32,000 to 64,000 (Llama 2, Mistral, StarCoder), which cuts code into a fifth more tokens.
 */
export type VocabularySize = "large" | "small";

/** The kinds of pieces that are counted, in the order of the weights. */
export const tokenFeatures = [
  "word",
  "wordAbove5",
  "wordAbove12",
  "capitals",
  "capitalsAbove2",
  "digit",
  "marks",
  "marksAbove1",
  "marksRepeated",
  "lineEnds",
  "lineEndsAbove1",
  "blanks",
  "blanksAbove8",
  "tab",
  "blankAlone",
  "twoByte",
  "threeByte",
  "fourByte",
  "joined",
  "joinedAbove6",
] as const;

/**
 * The estimate for a size of vocabulary and a language. On code of a prompt's length it is 8 % too high
 * on the whole and more than 5 % too low for one window in a hundred: for text like base64.
 */
export function estimatedTokenCounter(options: {
  readonly vocabulary: VocabularySize;
  readonly languageId: string;
}): TokenCounter {
  const { languages } = weightTable[options.vocabulary];
  const sums = lineSums[options.vocabulary];
  const { id } = languageOf(options.languageId);
  const factors = new Map(Object.entries(languages));
  const factor = factors.get(relatives[id] ?? id) ?? languages.other;
  return {
    count(text) {
      let sum = 0;
      for (let start = 0; start < text.length; ) {
        const end = nextLineStart(text, start);
        sum += sums.of(text.slice(start, end));
        start = end;
      }
      return Math.ceil(factor * sum);
    },
  };
}

/**
 * Where the line after the one at `start` begins, or the length of the text. Blank lines behind it
 * belong to it, so that no piece is cut: the features of a text are the sum of those of its lines.
 */
export function nextLineStart(text: string, start: number): number {
  const lineFeed = text.indexOf("\n", start);
  if (lineFeed < 0) return text.length;
  let end = lineFeed + 1;
  while (end < text.length && (text.charCodeAt(end) === LINE_FEED || text.charCodeAt(end) === CR)) {
    end++;
  }
  return end;
}

/** Longer lines are counted anew each time: they are rare, and would fill the memory. */
const MAX_LINE_UNITS = 256;
/** Half of what is remembered, of each size of vocabulary: 1 MB with lines of usual length. */
const MAX_LINES = 4_096;

/** Weighted features of lines, the recent ones remembered. */
class LineSums {
  readonly #weights: readonly number[];
  #recent = new Map<string, number>();
  #older: ReadonlyMap<string, number> = new Map();

  constructor(weights: readonly number[]) {
    this.#weights = weights;
  }

  of(line: string): number {
    if (line.length > MAX_LINE_UNITS) return this.#count(line);
    const recent = this.#recent.get(line);
    if (recent !== undefined) return recent;
    const sum = this.#older.get(line) ?? this.#count(line);
    if (this.#recent.size === MAX_LINES) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(ownCopy(line), sum);
    return sum;
  }

  #count(line: string): number {
    const features = countTokenFeatures(line);
    let sum = 0;
    for (let i = 0; i < features.length; i++) {
      sum += (features[i] as number) * (this.#weights[i] as number);
    }
    return sum;
  }
}

/** A part of a text keeps the whole of it in memory; this one does not. */
function ownCopy(part: string): string {
  return ` ${part}`.slice(1);
}

const lineSums: Readonly<Record<VocabularySize, LineSums>> = {
  large: new LineSums(weightTable.large.weights),
  small: new LineSums(weightTable.small.weights),
};

/** Languages whose text is cut like that of another. */
const relatives: Readonly<Record<string, string>> = {
  typescriptreact: "typescript",
  javascriptreact: "javascript",
  vue: "html",
  svelte: "html",
  astro: "html",
  xml: "html",
  scss: "css",
  less: "css",
  jsonc: "json",
};

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const BLANK = 4;
const LINE_END = 5;
const MARK = 6;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CR = 0x0d;

/** Kind of each ASCII character. Control characters count as marks. */
const kinds: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  if (0x61 <= code && code <= 0x7a) return LOWER;
  if (0x41 <= code && code <= 0x5a) return UPPER;
  if (0x30 <= code && code <= 0x39) return DIGIT;
  if (code === 0x20 || code === 0x09) return BLANK;
  return code === 0x0a || code === 0x0d ? LINE_END : MARK;
});

/** How often each of `tokenFeatures` occurs in a text. */
export function countTokenFeatures(text: string): Float64Array {
  const length = text.length;
  const kindAt = (at: number): number => {
    const code = text.charCodeAt(at);
    return code < 128 ? (kinds[code] as number) : 0;
  };
  let [word, wordAbove5, wordAbove12, capitals, capitalsAbove2, digit] = [0, 0, 0, 0, 0, 0];
  let [marks, marksAbove1, marksRepeated, lineEnds, lineEndsAbove1] = [0, 0, 0, 0, 0];
  let [blanks, blanksAbove8, tab, blankAlone] = [0, 0, 0, 0];
  let [twoByte, threeByte, fourByte, joined, joinedAbove6] = [0, 0, 0, 0, 0];
  /** Pieces so far of the run of letters and digits at `at`: `getUser2` has three. */
  let pieces = 0;
  for (let at = 0; at < length; ) {
    const start = at;
    const kind = kindAt(at);
    at++;
    if (kind === LOWER || kind === UPPER) {
      if (kind === UPPER) {
        while (at < length && kindAt(at) === UPPER) at++;
        // `HTMLElement` is `HTML` and `Element`: the last capital belongs to the next word.
        if (at - start > 1 && at < length && kindAt(at) === LOWER) at--;
      }
      if (at - start > 1) {
        capitals++;
        capitalsAbove2 += at - start - 2;
      } else {
        while (at < length && kindAt(at) === LOWER) at++;
        word++;
        wordAbove5 += Math.max(0, at - start - 5);
        wordAbove12 += Math.max(0, at - start - 12);
      }
      if (pieces > 0) joined++;
      if (pieces >= 6) joinedAbove6++;
      pieces++;
      continue;
    }
    if (kind === DIGIT) {
      digit++;
      if (pieces >= 6) joinedAbove6++;
      pieces++;
      continue;
    }
    pieces = 0;
    if (kind === BLANK) {
      let tabs = text.charCodeAt(start) === TAB ? 1 : 0;
      for (; at < length && kindAt(at) === BLANK; at++) if (text.charCodeAt(at) === TAB) tabs++;
      const next = at < length ? kindAt(at) : LINE_END;
      if (at - start > 1 || tabs > 0) {
        blanks++;
        blanksAbove8 += Math.max(0, at - start - tabs - 8);
        tab += tabs;
      } else if (next === DIGIT || next === LINE_END) {
        // One blank is part of the token of the word or mark after it; elsewhere it stands alone.
        blankAlone++;
      }
    } else if (kind === LINE_END) {
      let lines = text.charCodeAt(start) === LINE_FEED ? 1 : 0;
      for (; at < length && kindAt(at) === LINE_END; at++) {
        if (text.charCodeAt(at) === LINE_FEED) lines++;
      }
      lineEnds++;
      lineEndsAbove1 += Math.max(0, lines - 1);
    } else if (kind === MARK) {
      let repeated = 0;
      for (; at < length && kindAt(at) === MARK; at++) {
        if (text.charCodeAt(at) === text.charCodeAt(at - 1)) repeated++;
      }
      marks++;
      marksAbove1 += at - start - 1 - repeated;
      marksRepeated += repeated;
    } else {
      const code = text.charCodeAt(start);
      if (0xd800 <= code && code < 0xdc00) {
        at++;
        fourByte++;
      } else if (code < 0x800) twoByte++;
      else threeByte++;
    }
  }
  // biome-ignore format: in the order of `tokenFeatures`.
  return Float64Array.of(
    word, wordAbove5, wordAbove12, capitals, capitalsAbove2, digit, marks, marksAbove1, marksRepeated,
    lineEnds, lineEndsAbove1, blanks, blanksAbove8, tab, blankAlone, twoByte, threeByte, fourByte,
    joined, joinedAbove6,
  );
}
