/** From `KIND:URL` to a backend. */
import { assertNever } from "../base/assert.ts";
import { type Backend, CompletionError, type HttpClient } from "../core/index.ts";
import type { BackendKind, BackendSpec } from "./backend-spec.ts";
import { chatAdapter } from "./chat.ts";
import { Connection } from "./connection.ts";
import { deepseekAdapter } from "./deepseek.ts";
import { type Adapter, httpBackend } from "./http-backend.ts";
import { llamaCppAdapter } from "./llama-cpp.ts";
import { mistralAdapter } from "./mistral.ts";
import { ollamaAdapter } from "./ollama.ts";
import { openAiAdapter } from "./openai.ts";
import { extrasOf, type ServerExtras } from "./server-extras.ts";
import { tgiAdapter } from "./tgi.ts";

/** What a backend is made of, besides the server's address. */
export interface BackendOptions {
  readonly http: HttpClient;
  /** Sent as a bearer token, never shown. `null` for none. */
  readonly apiKey: string | null;
  /** What `probeBackend` found, or a person set. Absent: what every server of the kind can do. */
  readonly extras?: Partial<ServerExtras>;
}

/** The backend for a server. Contacts nothing: the first request does. */
export function createBackend(spec: BackendSpec, options: BackendOptions): Backend {
  const connection = connectionTo(spec, options);
  const extras = extrasOf(spec.kind, options.extras ?? {});
  return httpBackend(connection, adapterFor(spec.kind, connection, extras));
}

/**
 * A backend that asks a chat model to fill the gap; show `chatWarning` once. It takes prefix and
 * suffix. Throws `CONFIG_INVALID` for a kind that has no `/v1/chat/completions`.
 */
export function createChatBackend(spec: BackendSpec, options: BackendOptions): Backend {
  if (!chatKinds.has(spec.kind)) {
    const kinds = [...chatKinds].join(", ");
    throw new CompletionError(
      "CONFIG_INVALID",
      `${spec.kind} cannot be used for chat; write the address with one of ${kinds}`,
    );
  }
  const connection = connectionTo(spec, options);
  const extras = extrasOf(spec.kind, options.extras ?? {});
  return httpBackend(connection, chatAdapter(connection, extras));
}

const chatKinds: ReadonlySet<BackendKind> = new Set([
  "openai",
  "vllm",
  "sglang",
  "llama.cpp",
  "ollama",
  "mistral",
]);

function connectionTo(spec: BackendSpec, { http, apiKey }: BackendOptions): Connection {
  return new Connection({ http, url: spec.url, apiKey });
}

function adapterFor(kind: BackendKind, connection: Connection, extras: ServerExtras): Adapter {
  switch (kind) {
    case "llama.cpp":
      return llamaCppAdapter(connection, extras);
    case "openai":
    case "vllm":
    case "sglang":
      return openAiAdapter(connection, { kind, extras });
    case "ollama":
      return ollamaAdapter(connection, extras);
    case "mistral":
      return mistralAdapter(connection, extras);
    case "deepseek":
      return deepseekAdapter(connection, extras);
    case "tgi":
      return tgiAdapter(connection, extras);
    default:
      return assertNever(kind);
  }
}
