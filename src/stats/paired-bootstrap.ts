/**
 * Is one configuration better than another on the same questions, or is it luck? Resamples the
 * questions with replacement and looks at the mean difference each time (Efron's percentile
 * bootstrap; paired as in Koehn 2004). Questions from one file resemble each other, so whole
 * clusters are drawn, not single questions: otherwise the interval is too narrow.
 */
import type { Random } from "./random.ts";
import { mean, percentile } from "./summary.ts";

/** The scores of both configurations for one question. */
export interface ScorePair {
  readonly left: number;
  readonly right: number;
  /** Questions with the same value belong together, such as those of one file. */
  readonly cluster: string;
}

/** The result. All differences are right minus left. */
export interface BootstrapInterval {
  /** Mean difference of the sample itself; `NaN` without pairs. */
  readonly difference: number;
  /** 95 % interval of the mean difference. */
  readonly low: number;
  readonly high: number;
}

/** The interval; 2,000 resamples by default. Deterministic for a generator in a given state. */
export function pairedBootstrap(
  pairs: readonly ScorePair[],
  options: { readonly random: Random; readonly resamples?: number },
): BootstrapInterval {
  const { random, resamples = 2_000 } = options;
  const sums = new Map<string, { difference: number; count: number }>();
  for (const { left, right, cluster } of pairs) {
    const sum = sums.get(cluster) ?? { difference: 0, count: 0 };
    sum.difference += right - left;
    sum.count += 1;
    sums.set(cluster, sum);
  }
  const clusters = [...sums.values()];
  const means: number[] = [];
  for (let i = 0; i < resamples && clusters.length > 0; i++) {
    let difference = 0;
    let count = 0;
    for (let drawn = 0; drawn < clusters.length; drawn++) {
      const cluster = random.pick(clusters);
      difference += cluster.difference;
      count += cluster.count;
    }
    means.push(difference / count);
  }
  return {
    difference: mean(pairs.map((pair) => pair.right - pair.left)),
    low: percentile(means, 0.025),
    high: percentile(means, 0.975),
  };
}
