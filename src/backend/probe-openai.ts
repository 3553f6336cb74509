/** What servers of OpenAI's kind accept, tried with completions of a few tokens. */
import { CompletionError } from "../core/index.ts";
import type { Connection } from "./connection.ts";
import { at, listAt, numberAt, textAt } from "./json-value.ts";
import { readOpenAiEvent } from "./openai-reader.ts";
import { type Cancellable, chosen, type ProbedModel, type ProbedServer } from "./probed-server.ts";

/** Longer than a block of vLLM's prefix cache (16 tokens), so that the second trial finds it there. */
const trialPrompt = `${Array.from({ length: 24 }, (_, i) => `const value${i} = ${i};`).join("\n")}\n`;

/** No model begins like this by itself. */
const forced = "zqzq";

/** `openai` and `vllm`: five small completions, each of which may be refused. */
export async function probeOpenAi(
  connection: Connection,
  model: string | null,
  options: Cancellable,
): Promise<ProbedServer> {
  const models = await listModels(connection, options);
  const found = chosen(models, model);
  const id = model ?? found?.id ?? "";
  const tried = (fields: Readonly<Record<string, unknown>>) =>
    trial(connection, { model: id, ...fields }, options);

  const scored = await tried({ logprobs: 1 });
  const constrained = await tried({ structured_outputs: { regex: `${forced}[a-z]*` } });
  const many = await tried({ stop: Array.from({ length: 12 }, (_, i) => `<|never-${i}|>`) });
  const ranked = await tried({ priority: 1 });
  const counted = await tried({ stream_options: { include_usage: true } });
  return {
    software: textAt(many?.last, "system_fingerprint") ?? "OpenAI-compatible server",
    models,
    slotCount: null,
    evidence: null,
    extras: {
      contextTokens: found?.contextTokens ?? null,
      hasLogProbabilities: scored?.isScored === true,
      hasConstraints: constrained?.text.startsWith(forced) === true,
      ...(many === null ? {} : { maxStops: null }),
      // vLLM refuses a priority that it will not obey; of others nothing is known.
      hasPriority: ranked !== null && ownedByVllm(models),
      hasUsage: counted?.hasUsage === true,
      hasCachedTokens: counted?.hasCachedTokens === true,
    },
  };
}

/** `sglang` tells its own flags. */
export async function probeSglang(
  connection: Connection,
  model: string | null,
  options: Cancellable,
): Promise<ProbedServer> {
  const models = await listModels(connection, options);
  const flags = await connection.get("/get_server_info", options);
  const isOn = (flag: string): boolean => at(flags, flag) === true;
  return {
    software: `SGLang ${textAt(flags, "version") ?? ""}`.trim(),
    models,
    slotCount: numberAt(flags, "max_running_requests") ?? null,
    evidence: null,
    extras: {
      contextTokens: chosen(models, model)?.contextTokens ?? null,
      hasConstraints: textAt(flags, "grammar_backend") !== "none",
      hasPriority: isOn("enable_priority_scheduling"),
      hasCachedTokens: isOn("enable_cache_report"),
    },
  };
}

interface Trial {
  readonly text: string;
  readonly isScored: boolean;
  readonly hasUsage: boolean;
  readonly hasCachedTokens: boolean;
  readonly last: unknown;
}

/** What came back; `null` when the server refuses the fields. Throws when it cannot be asked at all. */
async function trial(
  connection: Connection,
  fields: Readonly<Record<string, unknown>> & { readonly model: string },
  { signal }: Cancellable,
): Promise<Trial | null> {
  const body = { prompt: trialPrompt, max_tokens: 4, temperature: 0, stream: true, ...fields };
  const call = { path: "/v1/completions", body, model: fields.model, prompt: trialPrompt };
  let found: Trial = {
    text: "",
    isScored: false,
    hasUsage: false,
    hasCachedTokens: false,
    last: null,
  };
  try {
    for await (const value of connection.stream(call, {
      framing: "sse",
      isLast: () => false,
      signal,
    })) {
      const event = readOpenAiEvent(value);
      found = {
        text: found.text + (event.text ?? ""),
        isScored: found.isScored || event.logProbability !== undefined,
        hasUsage: found.hasUsage || event.usage !== undefined,
        hasCachedTokens: found.hasCachedTokens || (event.usage?.cachedTokens ?? 0) > 0,
        last: value,
      };
    }
  } catch (error) {
    if (error instanceof CompletionError && error.code === "BACKEND_REFUSED") return null;
    throw error;
  }
  return found;
}

async function listModels(
  connection: Connection,
  options: Cancellable,
): Promise<readonly (ProbedModel & { readonly owner: string })[]> {
  const list = await connection.get("/v1/models", options);
  return listAt(list, "data").flatMap((entry) => {
    const id = textAt(entry, "id");
    if (id === undefined) return [];
    const contextTokens =
      numberAt(entry, "max_model_len") ??
      numberAt(entry, "meta", "n_ctx") ??
      numberAt(entry, "max_context_length") ??
      null;
    return [{ id, contextTokens, canInsert: null, owner: textAt(entry, "owned_by") ?? "" }];
  });
}

function ownedByVllm(models: readonly { readonly owner: string }[]): boolean {
  return models.some(({ owner }) => owner === "vllm");
}
