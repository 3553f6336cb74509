/** What a llama-server has loaded: its context length, its slots, and the control tokens it knows. */
import { telltaleTokens } from "../core/index.ts";
import type { Connection } from "./connection.ts";
import { listAt, numberAt, textAt } from "./json-value.ts";
import { tokenizeThrough } from "./llama-cpp.ts";
import type { Cancellable, ProbedServer } from "./probed-server.ts";
import { lookUpTokens } from "./token-lookup.ts";

export async function probeLlamaCpp(
  connection: Connection,
  options: Cancellable,
): Promise<ProbedServer> {
  const [props, list, ids] = await Promise.all([
    connection.get("/props", options),
    connection.get("/v1/models", options),
    lookUpTokens(tokenizeThrough(connection), telltaleTokens, options),
  ]);
  // That of one slot: prompt and answer must fit into it.
  const contextTokens = numberAt(props, "default_generation_settings", "n_ctx") ?? null;
  const file = textAt(props, "model_path");
  const quantisation = textAt(props, "model_ftype");
  return {
    software: `llama.cpp ${textAt(props, "build_info") ?? ""}`.trim(),
    models: listAt(list, "data").flatMap((model) => {
      const id = textAt(model, "id");
      return id === undefined ? [] : [{ id, contextTokens, canInsert: null }];
    }),
    ...(quantisation === undefined ? {} : { quantisation }),
    slotCount: numberAt(props, "total_slots") ?? null,
    evidence: {
      names: file === undefined ? [] : [file],
      tokenId: (text) => ids.get(text) ?? null,
      vocabularySize: numberAt(list, "data", 0, "meta", "n_vocab") ?? null,
    },
    extras: { contextTokens },
  };
}
