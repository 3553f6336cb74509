/** Between the wire and the engine, by hand, in both directions. */
import { assert } from "../base/assert.ts";
import type { CursorEdit, Snippet } from "../core/index.ts";
import type { EngineRequest, EngineResult, Explanation } from "../engine/index.ts";
import type {
  AutocompleteBody,
  AutocompleteReply,
  WireAlternative,
  WireContext,
} from "../protocol/autocomplete.ts";

/** The request with every default of the interface put in. `""` names nothing and is `null`. */
export function toEngineRequest(body: AutocompleteBody): EngineRequest {
  return {
    document: {
      kind: "text",
      prefix: body.prefix,
      suffix: body.suffix,
      path: body.path || null,
      languageId: body.language || null,
      session: body.session || null,
      version: body.version ?? null,
    },
    trigger: body.trigger ?? "automatic",
    multiline: body.multiline ?? "auto",
    maxTokens: body.max_tokens ?? null,
    temperature: body.temperature ?? 0,
    stop: typeof body.stop === "string" ? [body.stop] : (body.stop ?? []),
    count: body.n ?? 1,
    threshold: body.threshold ?? null,
    snippets: body.context?.map(toSnippet) ?? [],
    hasSelection: body.selection ?? false,
    explain: body.explain ?? false,
    isNoted: body.noted ?? true,
  };
}

/**
 * The answer. `latencyMs` is the server's own time, `queueMs` the wait before the engine was asked.
 * With `count` over 1 it has `alternatives`; with an explanation, what `explain` adds.
 */
export function toAutocompleteReply(
  result: EngineResult,
  options: { readonly count: number; readonly latencyMs: number; readonly queueMs: number },
): AutocompleteReply {
  const { outcome, timings, usage } = result;
  const edit = outcome.kind === "completion" ? outcome.edit : null;
  assert(edit === null || edit.text !== "", "a completion has a text");
  return {
    id: result.id,
    completion: edit?.text ?? "",
    replace_before: edit?.replaceBefore ?? 0,
    replace_after: edit?.replaceAfter ?? 0,
    model: result.model,
    source: result.source,
    confidence: outcome.kind === "completion" ? outcome.chance : null,
    finish_reason: result.finishReason,
    latency_ms: rounded(options.latencyMs),
    timings: {
      queue_ms: rounded(timings.queueMs + options.queueMs),
      context_ms: rounded(timings.contextMs),
      prompt_ms: rounded(timings.promptMs),
      local_ms: rounded(timings.localMs),
      ttft_ms: rounded(timings.ttftMs),
      decode_ms: rounded(timings.decodeMs),
      post_ms: rounded(timings.postMs),
    },
    usage: {
      input_tokens: usage.inputTokens,
      cached_tokens: usage.cachedTokens,
      output_tokens: usage.outputTokens,
    },
    reason: outcome.kind === "none" ? outcome.reason : null,
    ...(options.count > 1 ? { alternatives: result.alternatives.map(toAlternative) } : {}),
    ...(result.explanation === null ? {} : explained(result.explanation)),
  };
}

function toSnippet(context: WireContext): Snippet {
  return { path: context.path, text: context.text, kind: context.kind, score: 0 };
}

function toAlternative(edit: CursorEdit): WireAlternative {
  return {
    completion: edit.text,
    replace_before: edit.replaceBefore,
    replace_after: edit.replaceAfter,
  };
}

function explained(explanation: Explanation): Partial<AutocompleteReply> {
  return {
    prompt: explanation.prompt,
    snippets: explanation.snippets,
    candidates: explanation.candidates.map((candidate) => ({
      text: candidate.text,
      chance: candidate.chance,
      source: candidate.source,
      rejected_by: candidate.rejectedBy,
    })),
    threshold: explanation.threshold,
    decision: explanation.decision,
  };
}

/** Milliseconds to two decimals: finer digits are noise. */
function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
