/**
 * Where the time from a key to its ghost text goes, against the budget that people quote: 50 ms of
 * waiting after the key, 15 ms to gather the context, 20 ms of network, 55 ms to the first token.
 */
import { percentile } from "../../stats/summary.ts";
import type { SessionRow } from "./run-replay.ts";

/** One line of the budget. */
export interface BudgetStage {
  readonly name: string;
  readonly budgetMs: number;
  /** `null` where nothing passed through the stage. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** The stages in their order. */
export const quotedBudget = {
  "wait after the key": 50,
  context: 15,
  network: 20,
  "first token": 55,
} as const;

/**
 * The stages of the requests that a model answered; without one only the context is known.
 * `networkMs` is a round trip to the server, `null` when there is none: it is part of the time to the
 * first text and taken off that.
 */
export function latencyBudget(
  rows: readonly SessionRow[],
  options: { readonly networkMs: number | null },
): readonly BudgetStage[] {
  const { networkMs } = options;
  const counts = rows.map((row) => row.counts);
  const ttftMs = counts.flatMap((one) => one.ttftMs);
  const network = ttftMs.length === 0 ? [] : [networkMs ?? 0];
  const firstToken = ttftMs.map((ms) => Math.max(0, ms - (networkMs ?? 0)));
  const times: Readonly<Record<keyof typeof quotedBudget, readonly number[]>> = {
    "wait after the key": counts.flatMap(({ waitMs }) => waitMs),
    context: counts.flatMap(({ measured }) => measured.contextMs),
    network,
    "first token": firstToken,
  };
  return Object.entries(times).map(([name, values]) => ({
    name,
    budgetMs: quotedBudget[name as keyof typeof quotedBudget],
    p50Ms: values.length === 0 ? null : percentile(values, 0.5),
    p95Ms: values.length === 0 ? null : percentile(values, 0.95),
  }));
}

/** A stage that is over its line, at the median or only at the 95th percentile. */
export interface StageOver {
  readonly name: string;
  readonly at: "p50" | "p95";
  readonly measuredMs: number;
  readonly budgetMs: number;
}

/** The stages that are over their line, in their order. */
export function stagesOver(stages: readonly BudgetStage[]): readonly StageOver[] {
  return stages.flatMap(({ name, budgetMs, p50Ms, p95Ms }): readonly StageOver[] => {
    if (p50Ms !== null && p50Ms > budgetMs) {
      return [{ name, at: "p50", measuredMs: p50Ms, budgetMs }];
    }
    return p95Ms !== null && p95Ms > budgetMs
      ? [{ name, at: "p95", measuredMs: p95Ms, budgetMs }]
      : [];
  });
}
