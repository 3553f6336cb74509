/** How many developers a server carries: doubles until it is too many, then halves the interval. */

/** What was measured with a number of developers. */
export interface CapacityStep {
  readonly developers: number;
  readonly requests: number;
  /** Requests that failed: a server that refuses does not carry. */
  readonly failed: number;
  /** Requests given up because the same developer typed on before the first token. */
  readonly superseded: number;
  readonly requestsPerSecond: number;
  readonly firstTokenMs: { readonly p50: number; readonly p95: number };
  readonly tokensPerSecond: number;
  readonly memoryBytes: number | null;
}

export interface CapacityGoal {
  /** p95 of the time to the first token may reach this. */
  readonly limitMs: number;
  /** More are never tried. */
  readonly maxDevelopers: number;
  /** The result is exact to this share of it, or to one developer. */
  readonly precision: number;
}

/** Every step in the order in which it was taken, and the most developers that were carried. */
export interface Capacity {
  readonly steps: readonly CapacityStep[];
  /** 0 when one developer is too many. */
  readonly developers: number;
  /** The least number that was too many; `null` when `maxDevelopers` were carried. */
  readonly tooMany: number | null;
}

/** Whether a step stays within the limit: at most one request of a hundred may fail. */
export function isCarried(
  { failed, requests, firstTokenMs }: CapacityStep,
  limitMs: number,
): boolean {
  return failed * 100 <= requests && firstTokenMs.p95 <= limitMs;
}

/** Calls `measure` with growing numbers of developers. */
export async function findCapacity(
  measure: (developers: number) => Promise<CapacityStep>,
  goal: CapacityGoal,
): Promise<Capacity> {
  const steps: CapacityStep[] = [];
  let carried = 0;
  let tooMany: number | null = null;
  for (let developers = 1; tooMany === null && developers <= goal.maxDevelopers; ) {
    const step = await measure(developers);
    steps.push(step);
    if (isCarried(step, goal.limitMs)) carried = developers;
    else tooMany = developers;
    if (developers === goal.maxDevelopers) break;
    developers = Math.min(developers * 2, goal.maxDevelopers);
  }
  while (tooMany !== null && tooMany - carried > Math.max(1, carried * goal.precision)) {
    const developers = Math.floor((carried + tooMany) / 2);
    const step = await measure(developers);
    steps.push(step);
    if (isCarried(step, goal.limitMs)) carried = developers;
    else tooMany = developers;
  }
  return { steps, developers: carried, tooMany };
}
