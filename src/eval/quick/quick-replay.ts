/**
 * Typing replayed for counts that no machine changes: a stand-in answers in simulated time, right at
 * six places of ten, so the figures are of everything around the model and not of a model.
 */
import type { Backend, Clock } from "../../core/index.ts";
import type { Engine } from "../../engine/index.ts";
import { LocalModel } from "../../local/index.ts";
import type { BenchReporter } from "../bench-report.ts";
import type { TaskBatch } from "../replay/replay-tasks.ts";
import { runReplay } from "../replay/run-replay.ts";
import { countNewTokens } from "./new-token-counter.ts";
import type { WatchedFigures } from "./regression-checks.ts";

export interface QuickReplay
  extends Pick<WatchedFigures, "newTokensPerKey" | "requestsPerShown" | "keystrokesSaved"> {
  readonly keys: number;
}

const standIn = { ttftMs: 150, rightShare: 0.6 };

/** Types the sessions with the local model and the stand-in behind it. */
export async function quickReplay(
  batches: readonly TaskBatch[],
  options: {
    readonly seed: number;
    readonly createEngine: (parts: {
      readonly clock: Clock;
      readonly stopwatch: Pick<Clock, "now">;
      readonly local: LocalModel | null;
      readonly backend: Backend | null;
    }) => Engine;
    readonly reporter: BenchReporter;
    readonly signal: AbortSignal;
  },
): Promise<QuickReplay> {
  const { seed, createEngine, reporter, signal } = options;
  const counter = countNewTokens();
  const rows = await runReplay({
    batches,
    configurations: [
      {
        name: "stand-in",
        model: { kind: "stand-in", standIn },
        usesLocal: true,
        asksEveryKey: false,
        createContext: null,
        createEngine: ({ backend, ...parts }) =>
          createEngine({ ...parts, backend: backend === null ? null : counter.observe(backend) }),
      },
    ],
    known: { local: new LocalModel(), onFiles: null },
    ...{ seed, reporter, signal, earlier: new Map(), keep: () => {} },
  });
  const sum = (of: (counts: (typeof rows)[number]["counts"]) => number): number =>
    rows.reduce((total, { counts }) => total + of(counts), 0);
  const keys = sum(({ typedKeys, acceptKeys }) => typedKeys + acceptKeys);
  return {
    keys,
    newTokensPerKey: counter.newTokens / keys,
    requestsPerShown:
      sum(({ calls }) => calls.started) / sum(({ suggestions }) => suggestions.shown),
    keystrokesSaved:
      sum(({ acceptedUnits, acceptKeys }) => acceptedUnits - acceptKeys) /
      sum(({ writtenUnits }) => writtenUnits),
  };
}
