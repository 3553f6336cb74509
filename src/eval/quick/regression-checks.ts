/** Figures against a baseline: what got worse by more than its noise fails. */
import { mean } from "../../stats/summary.ts";
import type { ReportCheck } from "../report/report.ts";

/** The figures that every change is held against. Shares are 0..1. */
export interface WatchedFigures {
  /** The rest of a line, local model, files that it does not know. */
  readonly exactMatch: number;
  /** Expected calibration error of the same answers. */
  readonly calibrationError: number;
  /** Of a replay with a stand-in for the language model. */
  readonly newTokensPerKey: number;
  readonly requestsPerShown: number;
}

/**
 * A recorded figure, a mean over samples. A change of the sources draws other files, so two runs are
 * two draws: `noise` is half the 95 % interval of the difference of two such means.
 */
export type Baseline = Readonly<
  Record<keyof WatchedFigures, { readonly value: number; readonly noise: number }>
>;

const watched = [
  { key: "exactMatch", name: "exact match", unit: "share", isMoreBetter: true },
  { key: "calibrationError", name: "calibration error", unit: "share", isMoreBetter: false },
  { key: "newTokensPerKey", name: "new tokens per key press", unit: "", isMoreBetter: false },
  {
    key: "requestsPerShown",
    name: "requests per shown suggestion",
    unit: "",
    isMoreBetter: false,
  },
] as const;

/** One check per figure: the goal is the baseline, moved by its noise to the worse side. */
export function regressionChecks(
  figures: WatchedFigures,
  baseline: Baseline,
): readonly ReportCheck[] {
  return watched.map(({ key, name, unit, isMoreBetter }) => {
    const { value, noise } = baseline[key];
    const goal = isMoreBetter
      ? ({ kind: "at-least", value: value - noise } as const)
      : ({ kind: "at-most", value: value + noise } as const);
    return { name, unit, value: figures[key], goal, noise };
  });
}

/** The mean of several samples. */
export function meanFigures(samples: readonly WatchedFigures[]): WatchedFigures {
  const of = (key: keyof WatchedFigures): number => mean(samples.map((sample) => sample[key]));
  return {
    exactMatch: of("exactMatch"),
    calibrationError: of("calibrationError"),
    newTokensPerKey: of("newTokensPerKey"),
    requestsPerShown: of("requestsPerShown"),
  };
}

/** The baseline of several samples of the same code. */
export function baselineOf(samples: readonly WatchedFigures[]): Baseline {
  const means = meanFigures(samples);
  const of = (key: keyof WatchedFigures): Baseline[typeof key] => {
    const squares = samples.reduce((sum, sample) => sum + (sample[key] - means[key]) ** 2, 0);
    const variance = samples.length < 2 ? 0 : squares / (samples.length - 1);
    return { value: means[key], noise: 2 * Math.sqrt((2 * variance) / samples.length) };
  };
  return {
    exactMatch: of("exactMatch"),
    calibrationError: of("calibrationError"),
    newTokensPerKey: of("newTokensPerKey"),
    requestsPerShown: of("requestsPerShown"),
  };
}
