/** The part of `midspan doctor` that asks the model once and looks at the clock. */
import {
  type BackendRequest,
  buildPrompt,
  type Clock,
  promptBudget,
  promptTokenCounter,
} from "../core/index.ts";
import type { LanguageModel } from "../engine/index.ts";
import type { Check } from "./doctor-check.ts";

const name = "speed";
const MAX_TOKENS = 8;

/** A line to finish in a function; most models have something to say here. */
const prefix =
  "export function total(prices: readonly number[]): number {\n  let sum = 0;\n  for (const price of prices) ";
const suffix = "\n  return sum;\n}\n";

/**
 * Asks for eight tokens. A model that takes longer for them than a request may (`timeoutMs`) is a failed
 * check. Throws as a completion does, and the reason of `signal`.
 */
export async function speedCheck(
  model: Pick<LanguageModel, "id" | "format" | "backend">,
  options: {
    readonly clock: Pick<Clock, "now">;
    readonly timeoutMs: number;
    /** Different for each call: a prompt that the server has in its cache would flatter it. */
    readonly mark: string;
    readonly signal: AbortSignal;
  },
): Promise<Check> {
  const { clock, timeoutMs, mark, signal } = options;
  const request = requestOf(model, `// ${mark}\n${prefix}`);
  const startedAt = clock.now();
  let firstAt: number | null = null;
  for await (const event of model.backend.complete(request, { signal })) {
    if (event.kind === "done") break;
    firstAt ??= clock.now();
  }
  const wholeMs = Math.round(clock.now() - startedAt);
  const firstMs = firstAt === null ? null : Math.round(firstAt - startedAt);
  const first = firstMs === null ? "no text" : `first token after ${firstMs} ms`;
  const found = `${first}, all of at most ${MAX_TOKENS} after ${wholeMs} ms, with a prompt of ${request.prompt.tokens} tokens`;
  if (wholeMs <= timeoutMs) return { name, state: "ok", text: found };
  return {
    name,
    state: "failed",
    text: `${found}; a request is given ${timeoutMs} ms (request.timeoutMs), so that most of its answers come too late: take a smaller model, fewer tokens of context (context.totalTokens) or a longer limit`,
  };
}

function requestOf(
  { id, format, backend }: Pick<LanguageModel, "id" | "format" | "backend">,
  text: string,
): BackendRequest {
  const { contextTokens, maxStops } = backend.capabilities;
  const languageId = "typescript";
  const { prompt, stops } = buildPrompt({
    format,
    order: null,
    prefix: text,
    suffix,
    repository: null,
    path: null,
    languageId,
    snippets: [],
    budget: promptBudget({ contextTokens, outputTokens: MAX_TOKENS }),
    counter: promptTokenCounter(format, languageId),
    multiline: true,
    stops: [],
    maxStops,
    writesBos: false,
  });
  return { model: id, prompt, maxTokens: MAX_TOKENS, temperature: 0, stop: stops };
}
