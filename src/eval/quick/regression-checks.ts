/** Figures against a baseline: what got worse by more than its noise fails. */
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
  /** (Characters accepted - keys that accepted them) / characters written. */
  readonly keystrokesSaved: number;
}

/** What was recorded, and of which packages. */
export interface Baseline {
  readonly packages: Readonly<Record<string, string>>;
  readonly figures: Readonly<
    Record<keyof WatchedFigures, { readonly value: number; readonly noise: number }>
  >;
}

/**
 * The same code gives the same figures, so noise is no error of measuring. It is what a change may
 * move without being worse: another order of equals, another estimate of tokens. Half a point is
 * one answer of two hundred.
 */
const noises = {
  exactMatch: { kind: "absolute", by: 0.005 },
  calibrationError: { kind: "absolute", by: 0.005 },
  newTokensPerKey: { kind: "relative", by: 0.02 },
  requestsPerShown: { kind: "relative", by: 0.02 },
  keystrokesSaved: { kind: "absolute", by: 0.005 },
} as const;

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
  { key: "keystrokesSaved", name: "keys saved while typing", unit: "share", isMoreBetter: true },
] as const;

/** One check per figure: the goal is the baseline, moved by its noise to the worse side. */
export function regressionChecks(
  figures: WatchedFigures,
  baseline: Baseline,
): readonly ReportCheck[] {
  return watched.map(({ key, name, unit, isMoreBetter }) => {
    const { value, noise } = baseline.figures[key];
    const goal = isMoreBetter
      ? ({ kind: "at-least", value: value - noise } as const)
      : ({ kind: "at-most", value: value + noise } as const);
    return { name, unit, value: figures[key], goal, noise };
  });
}

/** The figures with their noise, to be recorded. */
export function baselineOf(figures: WatchedFigures, packages: Baseline["packages"]): Baseline {
  const of = (key: keyof WatchedFigures): Baseline["figures"][typeof key] => {
    const { kind, by } = noises[key];
    return { value: figures[key], noise: kind === "absolute" ? by : by * figures[key] };
  };
  return {
    packages,
    figures: {
      exactMatch: of("exactMatch"),
      calibrationError: of("calibrationError"),
      newTokensPerKey: of("newTokensPerKey"),
      requestsPerShown: of("requestsPerShown"),
      keystrokesSaved: of("keystrokesSaved"),
    },
  };
}

/** Packages whose version is not the recorded one, in words; none: the baseline holds. */
export function changedPackages(
  now: Baseline["packages"],
  { packages: recorded }: Baseline,
): readonly string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])].sort();
  return names
    .filter((name) => now[name] !== recorded[name])
    .map((name) => `${name} is ${now[name] ?? "gone"}, recorded was ${recorded[name] ?? "none"}`);
}
