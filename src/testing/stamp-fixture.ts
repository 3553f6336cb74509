import type { Stamp } from "../eval/run/stamp.ts";

/** A stamp for reports; `changes` says what a test looks at. */
export function stampOf(changes: Partial<Stamp>): Stamp {
  return {
    benchmark: "repo",
    version: "0.0.0",
    startedAt: "2026-01-01T00:00:00.000Z",
    machine: { processor: "x", cores: 2, memoryGb: 8, system: "linux", node: "v20", load: 0 },
    engine: { kind: "fake", version: null },
    model: "fake",
    quantisation: null,
    template: null,
    stops: [],
    sampling: { temperature: 0, samples: 1, maxTokens: 48, seed: 1 },
    scoring: "the rest of the line",
    choices: {},
    ...changes,
  };
}
