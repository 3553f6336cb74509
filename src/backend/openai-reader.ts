/** The answers of OpenAI's completions and chat protocols, as the servers that speak them send them. */
import type { FinishReason, Usage } from "../core/index.ts";
import type { WireEvent } from "./completion-stream.ts";
import { at, listAt, numberAt, textAt } from "./json-value.ts";

/** One event of `/v1/completions`, `/v1/fim/completions` or `/v1/chat/completions`. */
export function readOpenAiEvent(value: unknown): WireEvent {
  const choice = at(value, "choices", 0);
  const text = contentOf(
    at(choice, "text") ?? at(choice, "delta", "content") ?? at(choice, "message", "content"),
  );
  const logProbability = logProbabilityOf(at(choice, "logprobs"));
  const finish = textAt(choice, "finish_reason");
  const usage = openAiUsage(at(value, "usage"));
  return {
    text,
    ...(logProbability === null ? {} : { logProbability }),
    // TGI sends "" until the end.
    ...(finish === undefined || finish === "" ? {} : { finishReason: openAiFinish(finish) }),
    ...(usage === null ? {} : { usage }),
  };
}

/** `length` where the token limit ended the text; whatever else a server calls its end is `stop`. */
export function openAiFinish(reason: string): FinishReason {
  return reason === "length" || reason === "max_tokens" || reason === "model_length"
    ? "length"
    : "stop";
}

/** Text, or a list of parts of which only those with text count. */
function contentOf(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  return listAt(content)
    .map((part) => (typeof part === "string" ? part : (textAt(part, "text") ?? "")))
    .join("");
}

/** Two shapes: one list of numbers (vLLM, DeepSeek), or one object for each token (llama.cpp, chat). */
function logProbabilityOf(logprobs: unknown): number | null {
  const each = [
    ...listAt(logprobs, "token_logprobs"),
    ...listAt(logprobs, "content").map((token) => at(token, "logprob")),
  ].filter((value) => typeof value === "number");
  return each.length === 0 ? null : each.reduce((sum, value) => sum + value, 0);
}

function openAiUsage(usage: unknown): Usage | null {
  const inputTokens = numberAt(usage, "prompt_tokens");
  const outputTokens = numberAt(usage, "completion_tokens");
  if (inputTokens === undefined && outputTokens === undefined) return null;
  const cachedTokens =
    numberAt(usage, "prompt_tokens_details", "cached_tokens") ??
    numberAt(usage, "prompt_cache_hit_tokens");
  return {
    inputTokens: inputTokens ?? 0,
    cachedTokens: cachedTokens ?? 0,
    outputTokens: outputTokens ?? 0,
  };
}
