/**
 * When simulated developers ask. A person types in bursts and thinks between them, so requests come in
 * groups; how many there are in a day is what the person is told to have.
 */
import type { Random } from "../../stats/random.ts";

export interface TypingModel {
  /** Requests to the model on a working day. */
  readonly requestsPerDay: number;
  readonly hoursPerDay: number;
  /** Load of the busiest minutes over the average: the simulation is of these minutes. */
  readonly peakFactor: number;
  /** Mean number of requests of a burst, at least 1. */
  readonly burstRequests: number;
  /** Mean time between two requests of a burst. */
  readonly gapMs: number;
}

/**
 * Pauses of typing that are long enough for a request come every second or two, and a burst is a
 * statement or two. Assumptions, to be replaced by what `midspan replay` finds.
 */
export const defaultTyping: TypingModel = {
  requestsPerDay: 1_200,
  hoursPerDay: 8,
  peakFactor: 3,
  burstRequests: 5,
  gapMs: 1_500,
};

/** Requests of one developer each second, in the busiest minutes. */
export function requestRate(typing: TypingModel): number {
  const { requestsPerDay, hoursPerDay, peakFactor } = typing;
  return (requestsPerDay * peakFactor) / (hoursPerDay * 3_600);
}

/**
 * The times at which one developer asks, in milliseconds from 0 up to `durationMs`, ascending. Bursts
 * have a geometric length, gaps are exponential; the pause between bursts makes up the rate. A developer
 * who asks more often than a burst allows has no pauses. The beginning is somewhere in a pause, so that
 * a crowd does not begin together.
 */
export function askingTimes(
  typing: TypingModel,
  options: { readonly durationMs: number; readonly random: Random },
): readonly number[] {
  const { durationMs, random } = options;
  const { burstRequests } = typing;
  const cycleMs = (1_000 * burstRequests) / requestRate(typing);
  const inBurstMs = (burstRequests - 1) * typing.gapMs;
  const pauseMs = Math.max(0, cycleMs - inBurstMs);
  // Without room for pauses the gaps shrink until the rate is reached.
  const gapMs = pauseMs > 0 ? typing.gapMs : cycleMs / burstRequests;
  const exponential = (mean: number): number => -Math.log(1 - random.next()) * mean;
  const endsBurst = 1 / burstRequests;
  const times: number[] = [];
  let at = exponential(pauseMs > 0 ? pauseMs : gapMs);
  while (at < durationMs) {
    times.push(at);
    const isLast = random.next() < endsBurst;
    at += isLast && pauseMs > 0 ? exponential(pauseMs) : exponential(gapMs);
  }
  return times;
}

/** One request of a crowd. */
export interface Asking {
  readonly atMs: number;
  /** From 0. */
  readonly developer: number;
}

/** A pause in which nobody asks is cut to this: an idle server learns nothing from waiting longer. */
const LONGEST_PAUSE_MS = 3_000;

/** So much longer than the requests take on average is drawn, for bursts are uneven. */
const SPARE = 4;

/**
 * When a crowd asks: the first `requests` requests, or all those of `leastMs` if there are more. Time
 * in which nobody asks is cut short; how many ask at the same time stays as it is.
 */
export function crowdTimes(
  typing: TypingModel,
  options: {
    readonly developers: number;
    readonly requests: number;
    readonly leastMs: number;
    readonly random: Random;
  },
): readonly Asking[] {
  const { developers, requests, leastMs, random } = options;
  const meanMs = (1_000 * requests) / (requestRate(typing) * developers);
  const durationMs = Math.max(leastMs, SPARE * meanMs);
  const all: Asking[] = [];
  for (let developer = 0; developer < developers; developer++) {
    for (const atMs of askingTimes(typing, { durationMs, random })) all.push({ atMs, developer });
  }
  all.sort((a, b) => a.atMs - b.atMs);
  const inTime = all.findIndex(({ atMs }) => atMs >= leastMs);
  const taken = all.slice(0, Math.max(requests, inTime < 0 ? all.length : inTime));
  let cutMs = 0;
  let before = 0;
  return taken.map(({ atMs, developer }) => {
    cutMs += Math.max(0, atMs - before - LONGEST_PAUSE_MS);
    before = atMs;
    return { atMs: atMs - cutMs, developer };
  });
}
