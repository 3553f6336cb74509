/**
 * Lines put together token by token: a small beam over the predictor's distributions. It finds what
 * never stood anywhere as a whole. The word before the cursor binds the first token, whose chances
 * are normalised among those that fit, which heals the broken token exactly.
 */
import { bracketStep, type LineEnd, MAX_LINE_TOKENS, type Reading } from "./cursor-query.ts";
import type { Predictor } from "./predictor.ts";
import type { Sources } from "./sources.ts";
import { HOLE } from "./vocabulary.ts";

const BEAM = 3;
const MAX_STEPS = MAX_LINE_TOKENS - 4;
const MAX_LINES = 4;
/** The search ends when the best line found is this many times likelier than what goes on. */
const CLEAR_LEAD = Math.log(3);

/** A line that ends where it should. */
export interface ComposedLine {
  readonly tokens: Int32Array;
  /** Natural logarithm of the product of its tokens' chances, the end's included. */
  readonly logChance: number;
  /** The least of those chances. */
  readonly weakest: number;
}

/** How a line may begin. */
export interface ComposedStart {
  readonly tokens: readonly number[];
  /** As of a line, the end's chance aside. */
  readonly logChance: number;
  readonly weakest: number;
}

/** What was put together after one reading. */
export interface Composition {
  /** Best first. */
  readonly lines: readonly ComposedLine[];
  /** All beginnings that the beam went on from, whether or not it came to an end of the line. */
  readonly starts: readonly ComposedStart[];
}

interface Path extends ComposedStart {
  readonly depth: number;
}

/** The likeliest lines after a reading, which `predictor` has just predicted. */
export function compose(
  sources: Sources,
  predictor: Predictor,
  reading: Reading,
  lineEnd: LineEnd,
): Composition {
  const { context, end } = reading;
  let paths: Path[] = [{ tokens: [], logChance: 0, weakest: 1, depth: 0 }];
  const lines: ComposedLine[] = [];
  const starts: Path[] = [];
  for (let step = 0; step < MAX_STEPS && paths.length > 0; step++) {
    const longer: Path[] = [];
    for (const path of paths) {
      for (let i = 0; i < path.tokens.length; i++) context[end + i] = path.tokens[i] as number;
      if (step > 0) predictor.predict(sources, context, end + path.tokens.length);
      const word = step === 0 ? reading.word : "";
      const best = bestTokens(sources, predictor, lineEnd, path.depth, word);
      for (const { token, chance } of best) {
        const logChance = path.logChance + Math.log(chance);
        const weakest = Math.min(path.weakest, chance);
        if (token < 0) {
          if (step > 0) lines.push({ tokens: Int32Array.from(path.tokens), logChance, weakest });
          continue;
        }
        const depth = path.depth + bracketStep(sources.vocabulary, token);
        longer.push({ tokens: [...path.tokens, token], logChance, weakest, depth });
      }
    }
    longer.sort((a, b) => b.logChance - a.logChance);
    lines.sort((a, b) => b.logChance - a.logChance);
    paths = longer.slice(0, BEAM);
    starts.push(...paths);
    const next = paths[0]?.logChance ?? Number.NEGATIVE_INFINITY;
    const last = lines[BEAM - 1]?.logChance ?? Number.NEGATIVE_INFINITY;
    const first = lines[0]?.logChance ?? Number.NEGATIVE_INFINITY;
    if (last > next || (step > 2 && first > next + CLEAR_LEAD)) break;
  }
  return { lines: lines.slice(0, MAX_LINES), starts };
}

interface Choice {
  /** -1 for the end of the answer. */
  readonly token: number;
  readonly chance: number;
}

function bestTokens(
  sources: Sources,
  predictor: Predictor,
  lineEnd: LineEnd,
  depth: number,
  word: string,
): Choice[] {
  const { vocabulary } = sources;
  const best: Choice[] = [];
  let ending = 0;
  let sum = 0;
  for (let i = 0; i < predictor.size; i++) {
    const token = predictor.token(i);
    const chance = predictor.chance(i);
    if (token === HOLE || chance <= 0) continue;
    if (word !== "") {
      if (vocabulary.lengthOf(token) <= word.length || !vocabulary.startsWith(token, word))
        continue;
      sum += chance;
    } else if (lineEnd.endsAt(token, depth)) {
      ending += chance;
      continue;
    } else if (lineEnd.isLineBreak(token)) {
      continue;
    }
    insertChoice(best, { token, chance });
  }
  if (word !== "") return best.map(({ token, chance }) => ({ token, chance: chance / sum }));
  if (ending > 0) insertChoice(best, { token: -1, chance: ending });
  return best;
}

/** Keeps the `BEAM` likeliest; of equals the one met first. */
function insertChoice(best: Choice[], choice: Choice): void {
  let at = best.length;
  while (at > 0 && (best[at - 1] as Choice).chance < choice.chance) at--;
  if (at >= BEAM) return;
  best.splice(at, 0, choice);
  if (best.length > BEAM) best.pop();
}
