/** A predicted chance, and what happened. */
export interface JudgedChance {
  readonly chance: number;
  readonly isRight: boolean;
}

const GROUPS = 24;
/** Weight of the predicted chance itself in each group, in samples. */
const PRIOR_SAMPLES = 20;

/**
 * A piecewise linear map from predicted chances to observed frequencies: means of groups of equal
 * size, pooled until they ascend (pool adjacent violators; Ayer et al. 1955).
 * The identity when there are too few samples.
 */
export function monotoneTable(samples: readonly JudgedChance[]): {
  readonly raw: readonly number[];
  readonly calibrated: readonly number[];
} {
  if (samples.length < GROUPS * 10) return { raw: [0, 1], calibrated: [0, 1] };
  const sorted = [...samples].sort((a, b) => a.chance - b.chance);
  const pools: { chance: number; right: number; count: number }[] = [];
  for (let group = 0; group < GROUPS; group++) {
    const from = Math.floor((group * sorted.length) / GROUPS);
    const to = Math.floor(((group + 1) * sorted.length) / GROUPS);
    const own = sorted.slice(from, to);
    const chance = own.reduce((sum, sample) => sum + sample.chance, 0);
    const right = own.filter((sample) => sample.isRight).length;
    const prior = (PRIOR_SAMPLES * chance) / own.length;
    pools.push({
      chance,
      right: ((right + prior) * own.length) / (own.length + PRIOR_SAMPLES),
      count: own.length,
    });
  }
  for (let i = 1; i < pools.length; ) {
    const low = pools[i - 1] as (typeof pools)[number];
    const high = pools[i] as (typeof pools)[number];
    if (low.right / low.count < high.right / high.count) {
      i++;
      continue;
    }
    pools.splice(i - 1, 2, {
      chance: low.chance + high.chance,
      right: low.right + high.right,
      count: low.count + high.count,
    });
    i = Math.max(1, i - 1);
  }
  const raw = pools.map(({ chance, count }) => round(chance / count));
  const calibrated = pools.map(({ right, count }) => round(right / count));
  return { raw: [0, ...raw, 1], calibrated: [0, ...calibrated, 1] };
}

function round(value: number): number {
  return Number(value.toPrecision(5));
}
