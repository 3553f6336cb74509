/**
 * Asks a server what it is and what it can do, so that it is declared and not found out by failure.
 * Servers that have a page about themselves are asked for that; those of OpenAI's kind are tried with
 * a few completions of one token.
 */
import { assertNever } from "../base/assert.ts";
import type { BackendSpec } from "./backend-spec.ts";
import { Connection } from "./connection.ts";
import type { BackendOptions } from "./create-backend.ts";
import { at, listAt, numberAt, textAt } from "./json-value.ts";
import { probeLlamaCpp } from "./probe-llama-cpp.ts";
import { probeOllama } from "./probe-ollama.ts";
import { probeOpenAi, probeSglang } from "./probe-openai.ts";
import { type Cancellable, chosen, type ProbedModel, type ProbedServer } from "./probed-server.ts";

/** How the server is reached, and the model that the questions are about. */
export interface ProbeOptions extends Pick<BackendOptions, "http" | "apiKey"> {
  /** The one that is going to be asked; `null`: the first that can fill in the middle. */
  readonly model: string | null;
}

/** Throws as a completion does when the server is not there or refuses the key. */
export function probeBackend(
  spec: BackendSpec,
  options: ProbeOptions,
  cancellable: Cancellable,
): Promise<ProbedServer> {
  const { http, apiKey, model } = options;
  const connection = new Connection({ http, url: spec.url, apiKey });
  switch (spec.kind) {
    case "llama.cpp":
      return probeLlamaCpp(connection, cancellable);
    case "openai":
    case "vllm":
      return probeOpenAi(connection, model, cancellable);
    case "sglang":
      return probeSglang(connection, model, cancellable);
    case "ollama":
      return probeOllama(connection, model, cancellable);
    case "mistral":
      return probeMistral(connection, model, cancellable);
    case "deepseek":
      return probeDeepseek(connection, cancellable);
    case "tgi":
      return probeTgi(connection, cancellable);
    default:
      return assertNever(spec.kind);
  }
}

async function probeMistral(
  connection: Connection,
  model: string | null,
  options: Cancellable,
): Promise<ProbedServer> {
  const list = await connection.get("/v1/models", options);
  const models = listAt(list, "data").flatMap((entry): readonly ProbedModel[] => {
    const id = textAt(entry, "id");
    if (id === undefined) return [];
    const canInsert = at(entry, "capabilities", "completion_fim");
    return [
      {
        id,
        contextTokens: numberAt(entry, "max_context_length") ?? null,
        canInsert: typeof canInsert === "boolean" ? canInsert : null,
      },
    ];
  });
  const contextTokens = chosen(models, model)?.contextTokens ?? null;
  return {
    software: "Mistral",
    models,
    slotCount: null,
    evidence: null,
    extras: { contextTokens },
  };
}

async function probeDeepseek(connection: Connection, options: Cancellable): Promise<ProbedServer> {
  const list = await connection.get("/models", options);
  const models = listAt(list, "data").flatMap((entry) => {
    const id = textAt(entry, "id");
    return id === undefined ? [] : [{ id, contextTokens: null, canInsert: null }];
  });
  return { software: "DeepSeek", models, slotCount: null, evidence: null, extras: {} };
}

async function probeTgi(connection: Connection, options: Cancellable): Promise<ProbedServer> {
  const about = await connection.get("/info", options);
  const id = textAt(about, "model_id");
  const contextTokens = numberAt(about, "max_total_tokens") ?? null;
  const maxStops = numberAt(about, "max_stop_sequences");
  return {
    software: `text-generation-inference ${textAt(about, "version") ?? ""}`.trim(),
    models: id === undefined ? [] : [{ id, contextTokens, canInsert: null }],
    slotCount: null,
    evidence: null,
    extras: { contextTokens, ...(maxStops === undefined ? {} : { maxStops }) },
  };
}
