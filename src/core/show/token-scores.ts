/** Log-probabilities of a text's tokens, and what of them says how sure the model was. */
import type { BackendEvent } from "../ports.ts";

/** One token, or a few that arrived together. */
export interface TokenScore {
  /** Where it begins in the text; negative inside of what was demanded of the answer. */
  readonly start: number;
  /** Natural logarithm, at most 0. */
  readonly logProbability: number;
}

/** How sure a model was of a text. */
export interface Sureness {
  /** Of the whole text: the sum over its tokens. */
  readonly total: number;
  readonly mean: number;
  readonly least: number;
  readonly first: number;
}

/** Collects the scores of one answer while it arrives. */
export class TokenScoreList {
  readonly #scores: TokenScore[] = [];
  #at: number;

  /** `forcedLength`: units at the beginning of the answer that were demanded, not chosen. */
  constructor(forcedLength: number) {
    this.#at = -forcedLength;
  }

  push(event: Extract<BackendEvent, { kind: "text" }>): void {
    const { text, logProbability } = event;
    if (logProbability !== undefined) this.#scores.push({ start: this.#at, logProbability });
    this.#at += text.length;
  }

  /** In the order of the text; empty for a backend without log-probabilities. */
  get scores(): readonly TokenScore[] {
    return this.#scores;
  }
}

/**
 * Sureness of the text between two offsets. A token that begins before is left out, since a part of
 * it was given, unless there is no other; `null` without any.
 */
export function surenessOf(
  scores: readonly TokenScore[],
  range: { readonly start: number; readonly end: number },
): Sureness | null {
  const { start, end } = range;
  const inside = scores.filter((score) => start <= score.start && score.start < end);
  const before = scores.filter((score) => score.start < start).slice(-1);
  const counted = (inside.length > 0 ? inside : before).map((score) => score.logProbability);
  const [first] = counted;
  if (first === undefined) return null;
  const total = counted.reduce((sum, each) => sum + each, 0);
  return { total, mean: total / counted.length, least: Math.min(...counted), first };
}
