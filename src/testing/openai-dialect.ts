import { type BackendDialect, type WireAnswer, wireUsage } from "./backend-contract.ts";

/** `/v1/completions` as vLLM and SGLang speak it, with pings and usage in an event of its own. */
export function openAiDialect(options: {
  readonly hasUsage: boolean;
  /** Beyond those that every request has. */
  readonly fields: readonly string[];
}): BackendDialect {
  return {
    contentType: "text/event-stream; charset=utf-8",
    path: "/v1/completions",
    fields: ["model", "prompt", "max_tokens", "temperature", "stop", "stream", ...options.fields],
    usage: options.hasUsage ? wireUsage : { inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
    answer: (answer) =>
      [
        ": ping",
        ...answer.pieces.map((text, i) => event({ choices: [choice(text, answer, i)] })),
        event({ choices: [{ index: 0, text: "", finish_reason: answer.finishReason }] }),
        ...(options.hasUsage ? [event({ choices: [], usage })] : []),
        "data: [DONE]",
        "",
      ].join("\n\n"),
    brokenAnswer: (begun, message) =>
      event({ choices: [{ index: 0, text: begun, finish_reason: null }] }) +
      "\n\n" +
      event({ error: { message, type: "internal_error" } }) +
      "\n\n",
    models: (ids) => JSON.stringify({ object: "list", data: ids.map((id) => ({ id })) }),
  };
}

const usage = {
  prompt_tokens: wireUsage.inputTokens,
  completion_tokens: wireUsage.outputTokens,
  prompt_tokens_details: { cached_tokens: wireUsage.cachedTokens },
};

function choice(text: string, { logProbabilities }: WireAnswer, i: number): unknown {
  const logprobs =
    logProbabilities === undefined
      ? null
      : { tokens: [text], token_logprobs: [logProbabilities[i]], text_offset: [0] };
  return { index: 0, text, logprobs, finish_reason: null };
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}`;
