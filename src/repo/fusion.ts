/**
 * Several rankings as one, by reciprocal rank (Cormack, Clarke and Büttcher, 2009): scores of different
 * sources cannot be compared, ranks can.
 */

/** Lines of a file that a source proposes. */
export interface Passage {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
}

/** A passage with the sum of what its ranks are worth. */
export interface FusedPassage<P extends Passage> {
  readonly passage: P;
  readonly score: number;
}

/** The usual constant: it keeps one source's first place from deciding alone. */
const RANK_OFFSET = 60;
/** Passages that share more than this part of the shorter one are the same. */
const SAME_SHARE = 0.5;

/**
 * All passages, best first, each once: of those that overlap the first counts, with the ranks of all.
 * Equal sums keep the order of the rankings.
 */
export function fuse<P extends Passage>(rankings: readonly (readonly P[])[]): FusedPassage<P>[] {
  const fused: { passage: P; score: number }[] = [];
  for (const ranking of rankings) {
    for (const [rank, passage] of ranking.entries()) {
      const score = 1 / (RANK_OFFSET + rank + 1);
      const same = fused.find((other) => areSame(other.passage, passage));
      if (same === undefined) fused.push({ passage, score });
      else same.score += score;
    }
  }
  return fused.sort((a, b) => b.score - a.score);
}

/** True when two passages show mostly the same lines. */
export function areSame(a: Passage, b: Passage): boolean {
  if (a.path !== b.path) return false;
  const shared = Math.min(a.endLine, b.endLine) - Math.max(a.line, b.line);
  return shared > SAME_SHARE * Math.min(a.endLine - a.line, b.endLine - b.line);
}
