/** Puts the parts of a finished request together. */
import type { Snippet, Usage } from "../core/index.ts";
import type { Decision } from "./decision.ts";
import type { Trace } from "./trace.ts";
import type { EngineResult } from "./types.ts";

/** No tokens were spent. */
export const noUsage: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

/** What a request came to. */
export interface EngineReport {
  readonly decision: Decision;
  readonly usage: Usage;
  /** The prompt that was, or would have been, sent to the language model; `null` without one. */
  readonly prompt: string | null;
  readonly snippets: readonly Snippet[];
}

/** A request that ended without a language model being asked. */
export function reportOf(decision: Decision): EngineReport {
  return { decision, usage: noUsage, prompt: null, snippets: [] };
}

/** The result that leaves the engine. */
export function resultOf(parts: {
  readonly id: string;
  readonly report: EngineReport;
  readonly trace: Trace;
  readonly explain: boolean;
}): EngineResult {
  const { id, report, trace, explain } = parts;
  const { decision } = report;
  const { shown } = decision;
  return {
    id,
    outcome:
      shown === null
        ? { kind: "none", reason: decision.reason ?? "empty" }
        : { kind: "completion", edit: shown.edit, chance: shown.chance },
    source: shown?.source ?? null,
    model: shown?.model ?? null,
    finishReason: shown?.finishReason ?? (decision.reason === "deadline" ? "timeout" : "stop"),
    alternatives: decision.alternatives,
    timings: trace.timings(),
    usage: report.usage,
    explanation: explain
      ? {
          prompt: report.prompt,
          snippets: report.snippets.map(({ path, kind, score, text }) => ({
            path,
            source: kind,
            score,
            text,
          })),
          candidates: decision.candidates,
          threshold: decision.threshold,
          decision: decision.words,
        }
      : null,
  };
}
