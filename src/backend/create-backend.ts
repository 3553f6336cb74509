/** From `KIND:URL` to a backend. */
import type { Backend, HttpClient } from "../core/index.ts";
import type { BackendSpec } from "./backend-spec.ts";
import { Connection } from "./connection.ts";
import { type Adapter, httpBackend } from "./http-backend.ts";
import { llamaCppAdapter, plainLlamaCpp } from "./llama-cpp.ts";
import { openAiAdapter, plainExtras, servingExtras } from "./openai.ts";

export interface BackendOptions {
  readonly http: HttpClient;
  /** Sent as a bearer token, never shown. `null` for none. */
  readonly apiKey: string | null;
}

/** The backend for a server. Contacts nothing: the first request does. */
export function createBackend(spec: BackendSpec, options: BackendOptions): Backend {
  const connection = new Connection({
    http: options.http,
    url: spec.url,
    apiKey: options.apiKey,
  });
  return httpBackend(connection, adapterFor(spec, connection));
}

function adapterFor({ kind }: BackendSpec, connection: Connection): Adapter {
  switch (kind) {
    case "llama.cpp":
      return llamaCppAdapter(connection, plainLlamaCpp);
    case "vllm":
    case "sglang":
      return openAiAdapter(connection, { kind, extras: servingExtras });
    default:
      return openAiAdapter(connection, { kind: "openai", extras: plainExtras });
  }
}
