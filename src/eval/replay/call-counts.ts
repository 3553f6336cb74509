/** What the calls of a session came to. */
import type { MeteredCall } from "./metered-backend.ts";
import type { CallCounts, SessionCounts } from "./session-counts.ts";

/** `shown` holds the indexes of the calls of whose text something was shown. */
export function callCounts(calls: readonly MeteredCall[], shown: ReadonlySet<number>): CallCounts {
  const numberOf = (isCounted: (call: MeteredCall) => boolean): number =>
    calls.filter(isCounted).length;
  const totals = { prompt: 0, cached: 0, output: 0, wastedPrompt: 0, wastedOutput: 0 };
  for (const [index, call] of calls.entries()) {
    const { prompt, cached, output } = tokensOf(call);
    totals.prompt += prompt;
    totals.cached += cached;
    totals.output += output;
    if (shown.has(index)) continue;
    totals.wastedPrompt += prompt - cached;
    totals.wastedOutput += output;
  }
  return {
    started: calls.length,
    prefetches: numberOf(({ isPrefetch }) => isPrefetch),
    aborted: numberOf(({ end }) => end === "aborted"),
    cut: numberOf(({ end }) => end === "cut"),
    failed: numberOf(({ end }) => end === "failed"),
    promptTokens: totals.prompt,
    cachedTokens: totals.cached,
    outputTokens: totals.output,
    wastedOutputTokens: totals.wastedOutput,
    wastedPromptTokens: totals.wastedPrompt,
    estimated: numberOf((call) => isEstimated(call)),
  };
}

/** Times of the calls that had a text and for which somebody waited. */
export function callTimes(
  calls: readonly MeteredCall[],
): Pick<SessionCounts, "ttftMs" | "decodeMs"> {
  const ttftMs: number[] = [];
  const decodeMs: number[] = [];
  for (const { startedAt, firstTextAt, endedAt, isPrefetch } of calls) {
    if (firstTextAt === null || endedAt === null || isPrefetch) continue;
    ttftMs.push(firstTextAt - startedAt);
    decodeMs.push(endedAt - firstTextAt);
  }
  return { ttftMs, decodeMs };
}

function tokensOf(call: MeteredCall): {
  readonly prompt: number;
  readonly cached: number;
  readonly output: number;
} {
  const { usage, promptTokens, pieces } = call;
  if (usage !== null && !isEstimated(call)) {
    return {
      prompt: usage.inputTokens,
      cached: usage.cachedTokens,
      output: usage.outputTokens,
    };
  }
  // How much of its prompt one that was given up had read, nobody tells: all of it, at the most.
  return { prompt: promptTokens, cached: 0, output: pieces };
}

/** A backend that does not count reports zeros. */
function isEstimated({ usage }: MeteredCall): boolean {
  return usage === null || (usage.inputTokens === 0 && usage.outputTokens === 0);
}
