/**
 * Which of two models answers. The one without weights is asked first and is the answer when it is
 * sure enough; otherwise the language model is asked, with the local candidates as drafts, and the
 * better of the two by chance is shown. What is shown already is replaced only by something better by
 * a margin: a text that changes under the eyes is worse than one that is slightly less likely.
 */
import type { CursorEdit } from "../types.ts";

/** An edit and the chance, 0..1, that it is right; `null` where the model is not calibrated. */
export interface Scored {
  readonly edit: CursorEdit;
  readonly chance: number | null;
}

/** How the decision is made. */
export interface CascadeRules {
  /** From this chance on a local answer is final. */
  readonly localChance: number;
  /** Chance of a language model's text whose own is not known. */
  readonly priorChance: number;
  /** By how much a text must be better to take the place of the one that is shown. */
  readonly margin: number;
}

/**
 * Defaults. The prior is the exact match of a line that code models of 1.5 billion weights reach in
 * public benchmarks over whole repositories (0.40, RepoEval and CrossCodeEval): a local answer that
 * is likelier than that stands.
 */
export const cascadeRules: CascadeRules = { localChance: 0.5, priorChance: 0.4, margin: 0.1 };

/** The local candidate that is the answer; `null`: no one is sure enough, ask the language model. */
export function afterLocal<T extends Scored>(
  candidates: readonly T[],
  rules: CascadeRules = cascadeRules,
): T | null {
  const [first, ...others] = candidates;
  if (first === undefined) return null;
  const best = others.reduce((a, b) => (chanceOf(b, rules) > chanceOf(a, rules) ? b : a), first);
  return chanceOf(best, rules) >= rules.localChance ? best : null;
}

/** What the two models have to offer. */
export interface BothAnswers<T extends Scored> {
  /** Local candidates that passed the filters. */
  readonly local: readonly T[];
  /** The language model's text after the filters; `null` when it had none or failed. */
  readonly model: T | null;
  /** The text that the person sees already; `null` when there is none. */
  readonly shown: T | null;
}

/**
 * The answer when both have spoken; `shown`, which may be `null`, when neither has anything. A text
 * that both wrote counts as the model's; where the model's chance is not known, it is the chance that
 * not both are wrong, taken as independent. On equal chances the language model wins: it saw more than
 * the line.
 */
export function afterModel<T extends Scored>(
  answers: BothAnswers<T>,
  rules: CascadeRules = cascadeRules,
): T | null {
  const { local, model, shown } = answers;
  const rated = [model, ...local].filter((candidate) => candidate !== null);
  const chance = (candidate: T): number => {
    const own = chanceOf(candidate, rules);
    const isPrior = candidate === model && candidate.chance === null;
    const twin = isPrior ? local.find((other) => isSame(other, candidate)) : undefined;
    return twin === undefined ? own : 1 - (1 - own) * (1 - chanceOf(twin, rules));
  };
  const [first, ...others] = rated;
  if (first === undefined) return shown;
  const best = others.reduce((a, b) => (chance(b) > chance(a) ? b : a), first);
  if (shown === null || isSame(shown, best)) return best;
  const seen = rated.find((other) => isSame(other, shown)) ?? shown;
  return chance(best) >= chance(seen) + rules.margin ? best : seen;
}

function isSame(a: Scored, b: Scored): boolean {
  return (
    a.edit.text === b.edit.text &&
    a.edit.replaceBefore === b.edit.replaceBefore &&
    a.edit.replaceAfter === b.edit.replaceAfter
  );
}

function chanceOf({ chance }: Scored, rules: CascadeRules): number {
  return chance ?? rules.priorChance;
}
