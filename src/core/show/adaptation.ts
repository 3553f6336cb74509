/**
 * The show rule learns from its one user. A logistic regression over the given chance and the features
 * of the place starts as the identity and takes one step of gradient descent per decision of the
 * person (rate 0.02, pulled back to the identity by 0.001); it is mixed with the given chance by
 * n / (n + 200) of n decisions, and counts from 50 on. The scheme is the usual one for personal models
 * on top of a general one; the mix is in log odds and may move them by 1.5 at most, so that neither a
 * day of refusals nor of accepts switches anything off.
 */
import { type ShowFeatureName, type ShowFeatures, showFeatureNames } from "./show-features.ts";

/** One decision of the person about a text that was on screen. */
export interface AdaptationLabel {
  /** Calibrated chance that was given to the text, 0..1. */
  readonly chance: number;
  /** By name; missing ones count as 0. */
  readonly features: Readonly<Record<string, number>>;
  readonly isTaken: boolean;
  /** 0..1: how much of what was taken was kept; 1 for what was not taken. */
  readonly weight: number;
}

/** What was learned. */
export interface Adaptation {
  /** Decisions that it was learned from; below `LEAST_LABELS` it changes nothing. */
  readonly labels: number;
  readonly bias: number;
  /** Of the log odds of the given chance; 1 before anything was learned. */
  readonly slope: number;
  readonly weights: Readonly<Record<ShowFeatureName, number>>;
}

/** Fewer decisions say nothing. */
export const LEAST_LABELS = 50;
/** At this many decisions, the person's own rule counts for a half. */
const HALF_AT = 200;
const RATE = 0.02;
const PULL = 1e-3;
/** The most by which log odds are moved. */
export const MOST_SHIFT = 1.5;
/** Chances beyond are as good as certain; their log odds would outweigh everything. */
const LEAST_CHANCE = 0.01;
/** No weight leaves this range, whatever the decisions. */
const MOST_WEIGHT = 5;

/** Learned from nothing. */
export const noAdaptation: Adaptation = {
  labels: 0,
  bias: 0,
  slope: 1,
  weights: {
    length: 0,
    lines: 0,
    inWord: 0,
    lineStart: 0,
    textRight: 0,
    invoked: 0,
    model: 0,
  },
};

/** What one more decision teaches. */
export function learn(before: Adaptation, label: AdaptationLabel): Adaptation {
  const odds = logOdds(label.chance);
  const target = label.isTaken ? 1 : 0;
  const expected = chanceOf(ownOdds(before, odds, label.features));
  const step = RATE * Math.max(0, Math.min(1, finite(label.weight))) * (target - expected);
  const next = (value: number, input: number, start: number): number => {
    const moved = value + step * input - RATE * PULL * (value - start);
    return Math.max(-MOST_WEIGHT, Math.min(MOST_WEIGHT, moved));
  };
  const weights = { ...before.weights };
  for (const name of showFeatureNames) {
    weights[name] = next(weights[name], finite(label.features[name]), 0);
  }
  return {
    labels: before.labels + 1,
    bias: next(before.bias, 1, 0),
    slope: next(before.slope, odds, 1),
    weights,
  };
}

/** What decisions teach, in the order in which they were made. */
export function adaptationFrom(labels: readonly AdaptationLabel[]): Adaptation {
  return labels.reduce(learn, noAdaptation);
}

/** The chance that this person takes the text. The given one with fewer than 50 decisions. */
export function adaptedChance(
  chance: number,
  features: ShowFeatures,
  adaptation: Adaptation,
): number {
  if (adaptation.labels < LEAST_LABELS) return chance;
  const odds = logOdds(chance);
  const shift = shareOf(adaptation) * (ownOdds(adaptation, odds, features) - odds);
  return chanceOf(odds + Math.max(-MOST_SHIFT, Math.min(MOST_SHIFT, shift)));
}

/** How much the person's own rule counts, 0..1. */
export function shareOf({ labels }: Adaptation): number {
  return labels < LEAST_LABELS ? 0 : labels / (labels + HALF_AT);
}

function ownOdds(
  adaptation: Adaptation,
  odds: number,
  features: Readonly<Record<string, number>>,
): number {
  let own = adaptation.bias + adaptation.slope * odds;
  for (const name of showFeatureNames) own += adaptation.weights[name] * finite(features[name]);
  return own;
}

function finite(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? Math.max(-10, Math.min(10, value)) : 0;
}

function logOdds(chance: number): number {
  const bounded = Math.max(LEAST_CHANCE, Math.min(1 - LEAST_CHANCE, finite(chance)));
  return Math.log(bounded / (1 - bounded));
}

function chanceOf(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}
