/**
 * Does a chance mean what it says? Of the answers given a chance of 0.7, seven in ten should be
 * right. Definitions after Guo et al., "On Calibration of Modern Neural Networks" (2017): equal-width
 * bins, bin i of n holding the chances in `[i/n, (i+1)/n)`, the last one 1 as well.
 */

import type { Random } from "./random.ts";

/** One answer with the chance that was stated for it. */
export interface ScoredAnswer {
  /** 0..1. */
  readonly chance: number;
  readonly isCorrect: boolean;
}

/** One bin of a reliability diagram. */
export interface ReliabilityBin {
  /** The bin holds chances from `low` (included) to `high` (excluded, but for 1). */
  readonly low: number;
  readonly high: number;
  readonly count: number;
  /** Mean stated chance; 0 in an empty bin. */
  readonly meanChance: number;
  /** Share of right answers; 0 in an empty bin. */
  readonly accuracy: number;
}

/** The bins from the lowest to the highest, empty ones included. `RangeError` unless `binCount` ≥ 1. */
export function reliabilityBins(
  answers: readonly ScoredAnswer[],
  binCount: number,
): readonly ReliabilityBin[] {
  if (!(binCount >= 1)) throw new RangeError(`binCount must be at least 1, got ${binCount}`);
  const counts = new Array<number>(binCount).fill(0);
  const chances = new Array<number>(binCount).fill(0);
  const corrects = new Array<number>(binCount).fill(0);
  for (const { chance, isCorrect } of answers) {
    const bin = Math.min(binCount - 1, Math.max(0, Math.floor(chance * binCount)));
    counts[bin] = (counts[bin] as number) + 1;
    chances[bin] = (chances[bin] as number) + chance;
    corrects[bin] = (corrects[bin] as number) + (isCorrect ? 1 : 0);
  }
  return counts.map((count, bin) => ({
    low: bin / binCount,
    high: (bin + 1) / binCount,
    count,
    meanChance: count === 0 ? 0 : (chances[bin] as number) / count,
    accuracy: count === 0 ? 0 : (corrects[bin] as number) / count,
  }));
}

/**
 * Expected calibration error: the mean over all answers of |stated chance - share of right answers|
 * of their bin. 0 is perfect, also for no answers at all. 15 bins by default, the usual number.
 */
export function expectedCalibrationError(answers: readonly ScoredAnswer[], binCount = 15): number {
  let error = 0;
  for (const bin of reliabilityBins(answers, binCount)) {
    error += bin.count * Math.abs(bin.meanChance - bin.accuracy);
  }
  return answers.length === 0 ? 0 : error / answers.length;
}

/** Draws for `calibrationErrorByLuck`: its mean moves by a hundredth of itself from seed to seed. */
const DRAWS = 200;

/**
 * The calibration error that chances which mean exactly what they say would have on a sample of this
 * size: the mean over draws in which each answer is right with its chance. Few answers never agree
 * with their chances to the last point, so an error near this says nothing against them. 0 for no
 * answers.
 */
export function calibrationErrorByLuck(
  chances: readonly number[],
  options: { readonly random: Random; readonly binCount?: number },
): number {
  const { random, binCount } = options;
  let sum = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    const drawn = chances.map((chance) => ({ chance, isCorrect: random.next() < chance }));
    sum += expectedCalibrationError(drawn, binCount);
  }
  return sum / DRAWS;
}
