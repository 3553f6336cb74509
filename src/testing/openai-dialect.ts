import { type BackendDialect, type WireAnswer, wireUsage } from "./backend-dialect.ts";

/** What differs among the servers that speak OpenAI's protocols. */
export interface OpenAiDialectOptions {
  readonly path: string;
  /** Where the text of an event is: completions, chat, or chat with a list of parts. */
  readonly text: "text" | "delta" | "parts";
  /** Where token counts are: in an event of their own, on the last one, or nowhere. */
  readonly usage: "own-event" | "last-event" | "none";
  readonly cached: "prompt_tokens_details" | "prompt_cache_hit_tokens" | "none";
  /** Beyond those that every request has. */
  readonly fields: readonly string[];
}

/** One of OpenAI's protocols, with the oddities that servers are known for. */
export function openAiDialect(options: OpenAiDialectOptions): BackendDialect {
  const usage = {
    prompt_tokens: wireUsage.inputTokens,
    completion_tokens: wireUsage.outputTokens,
    ...(options.cached === "prompt_tokens_details"
      ? { prompt_tokens_details: { cached_tokens: wireUsage.cachedTokens } }
      : options.cached === "none"
        ? {}
        : { prompt_cache_hit_tokens: wireUsage.cachedTokens }),
  };
  const cachedTokens = options.cached === "none" ? 0 : wireUsage.cachedTokens;
  const choice = (text: string, finishReason: string | null) => ({
    index: 0,
    ...(options.text === "text"
      ? { text }
      : { delta: { content: options.text === "delta" ? text : parts(text) } }),
    finish_reason: finishReason,
  });
  const end = (finishReason: string): readonly string[] => [
    event({
      choices: [choice("", finishReason)],
      usage: options.usage === "last-event" ? usage : null,
    }),
    ...(options.usage === "own-event" ? [event({ choices: [], usage })] : []),
    "data: [DONE]",
  ];
  return {
    contentType: "text/event-stream; charset=utf-8",
    path: options.path,
    fields: ["model", "max_tokens", "temperature", "stop", "stream", ...options.fields],
    usage:
      options.usage === "none"
        ? { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }
        : { ...wireUsage, cachedTokens },
    answer: (answer) =>
      [
        ": ping",
        ...answer.pieces.map((text, i) =>
          event({ choices: [{ ...choice(text, null), logprobs: logprobs(text, answer, i) }] }),
        ),
        ...(answer.finishReason === null ? [] : end(answer.finishReason)),
        "",
      ].join("\n\n"),
    brokenAnswer: (begun, message) =>
      [
        event({ choices: [choice(begun, null)] }),
        event({ error: { message, type: "internal_error" } }),
        "",
      ].join("\n\n"),
    models: (ids) => JSON.stringify({ object: "list", data: ids.map((id) => ({ id })) }),
  };
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}`;

/** Some of a kind that is not text, as models that think send them. */
function parts(text: string): unknown {
  const middle = Math.ceil(text.length / 2);
  return [
    { type: "text", text: text.slice(0, middle) },
    { type: "thinking", thinking: [] },
    { type: "text", text: text.slice(middle) },
  ];
}

function logprobs(text: string, { logProbabilities }: WireAnswer, i: number): unknown {
  return logProbabilities === undefined
    ? null
    : { tokens: [text], token_logprobs: [logProbabilities[i]], text_offset: [0] };
}
