/** What the rules of the policy save and what they lose, counted over positions of replayed typing. */
import { type AskPosition, decideAsk, type PolicyRuleName, policyRules } from "./policy.ts";

/** One key press, and whether the answer that would have come was right. */
export interface PolicyObservation {
  readonly position: AskPosition;
  readonly isRight: boolean;
}

/** Counts of one rule, or of all together. */
export interface RefusalCount {
  /** Key presses at which it refused. */
  readonly skipped: number;
  /** Right answers among those. */
  readonly lost: number;
}

/** The counts. Shares are `skipped / positions` and `lost / right`. */
export interface PolicyShares extends RefusalCount {
  readonly positions: number;
  readonly right: number;
  /** By rule, in the rules' order; a key press counts for the first rule that refuses it. */
  readonly rules: readonly (RefusalCount & { readonly rule: PolicyRuleName })[];
}

/** Counts the refusals. Every rule has its row, with zeros where it never refused. */
export function countRefusals(observations: Iterable<PolicyObservation>): PolicyShares {
  const skipped = new Map<PolicyRuleName, number>();
  const lost = new Map<PolicyRuleName, number>();
  let [positions, right] = [0, 0];
  for (const { position, isRight } of observations) {
    positions++;
    if (isRight) right++;
    const decision = decideAsk(position);
    if (decision.ask) continue;
    skipped.set(decision.rule, (skipped.get(decision.rule) ?? 0) + 1);
    if (isRight) lost.set(decision.rule, (lost.get(decision.rule) ?? 0) + 1);
  }
  return {
    positions,
    right,
    skipped: sum(skipped.values()),
    lost: sum(lost.values()),
    rules: policyRules.map(({ name }) => ({
      rule: name,
      skipped: skipped.get(name) ?? 0,
      lost: lost.get(name) ?? 0,
    })),
  };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
