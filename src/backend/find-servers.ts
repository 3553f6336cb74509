/**
 * Looks for model servers on this machine, for `--backend auto`: at the ports that llama-server
 * (8080, 8012 for completions, 9931), Ollama, LM Studio, vLLM and SGLang have by default, on loopback
 * only, without a key. What a server is, its answers tell, not its port.
 */
import { CompletionError, type HttpClient, type ModelEvidence } from "../core/index.ts";
import type { BackendKind, BackendSpec } from "./backend-spec.ts";
import { Connection } from "./connection.ts";
import { at, listAt, numberAt, textAt } from "./json-value.ts";
import { probeBackend } from "./probe.ts";
import type { Cancellable } from "./probed-server.ts";

/** A server whose protocol we speak. */
export interface FoundServer {
  readonly spec: BackendSpec;
  /** For people: `Ollama`. */
  readonly software: string;
  readonly models: readonly FoundModel[];
}

export interface FoundModel {
  readonly id: string;
  /** Whether it is in memory; `null` when the server does not say. */
  readonly isLoaded: boolean | null;
  /** What its vocabulary tells, where it can be looked into. */
  readonly evidence: ModelEvidence | null;
}

/** What was found at one port where somebody listens. */
export type Found =
  | { readonly kind: "server"; readonly server: FoundServer }
  /** `why` follows "at ADDRESS" and an "is not used:". */
  | { readonly kind: "refused"; readonly address: string; readonly why: string };

/** The ports that are looked at. */
export const usualPorts: readonly number[] = [8080, 8012, 9931, 11434, 1234, 8000, 30000];

/** A port where nobody listens refuses at once; a server on this machine answers in milliseconds. */
const ANSWER_MS = 1_000;

/** Asks each port once, all at the same time; the answers are in the order of the ports. */
export async function findServers(
  options: { readonly http: HttpClient; readonly ports?: readonly number[] },
  { signal }: Cancellable,
): Promise<readonly Found[]> {
  const { http, ports = usualPorts } = options;
  const found = await Promise.all(
    ports.map((port) => lookAt(`http://127.0.0.1:${port}`, http, signal)),
  );
  return found.filter((each) => each !== null);
}

async function lookAt(url: string, http: HttpClient, signal: AbortSignal): Promise<Found | null> {
  const look = new Look(url, http, signal);
  const health = await look.get("/v1/health");
  if (health.kind === "nobody") return null;
  if (textAt(contentOf(health), "name") === "midspan") {
    return { kind: "refused", address: url, why: "it is another Midspan" };
  }
  const [props, version, list] = await Promise.all([
    look.get("/props"),
    look.get("/api/version"),
    look.get("/v1/models"),
  ]);
  const answers = [props, version, list];
  const needsKey = answers.some((answer) => answer.kind === "unauthorized");
  if (needsKey && !answers.some((answer) => answer.kind === "value")) {
    const why = "it wants a key; name it with --backend KIND:URL and set MIDSPAN_API_KEY";
    return { kind: "refused", address: url, why };
  }
  try {
    const server =
      numberAt(contentOf(props), "total_slots") !== undefined
        ? await llamaCpp(look)
        : textAt(contentOf(version), "version") !== undefined
          ? await ollama(look)
          : await openAi(look, contentOf(list));
    if (server !== null) return { kind: "server", server };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof CompletionError ? error.message : "it does not answer in time";
    return { kind: "refused", address: url, why };
  }
  const why = answers.some((answer) => answer.kind === "late")
    ? "it does not answer in time"
    : "it speaks none of the protocols that we know";
  return { kind: "refused", address: url, why };
}

/** An answer to one question at one address. */
type Answer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "nobody" | "unauthorized" | "late" | "other" };

class Look {
  readonly url: string;
  readonly http: HttpClient;
  readonly signal: AbortSignal;
  readonly #connection: Connection;

  constructor(url: string, http: HttpClient, signal: AbortSignal) {
    this.url = url;
    this.http = http;
    this.signal = signal;
    this.#connection = new Connection({ http, url, apiKey: null });
  }

  /** For one question or one group of them. */
  get limit(): AbortSignal {
    return AbortSignal.any([this.signal, AbortSignal.timeout(ANSWER_MS)]);
  }

  async get(path: string): Promise<Answer> {
    const limit = this.limit;
    try {
      return { kind: "value", value: await this.#connection.get(path, { signal: limit }) };
    } catch (error) {
      this.signal.throwIfAborted();
      if (limit.aborted) return { kind: "late" };
      if (!(error instanceof CompletionError)) throw error;
      if (error.code === "BACKEND_UNREACHABLE") return { kind: "nobody" };
      return { kind: error.code === "BACKEND_UNAUTHORIZED" ? "unauthorized" : "other" };
    }
  }

  spec(kind: BackendKind): BackendSpec {
    return { kind, url: this.url };
  }
}

function contentOf(answer: Answer): unknown {
  return answer.kind === "value" ? answer.value : undefined;
}

async function llamaCpp(look: Look): Promise<FoundServer> {
  const spec = look.spec("llama.cpp");
  const options = { http: look.http, apiKey: null, model: null };
  const { models, evidence } = await probeBackend(spec, options, { signal: look.limit });
  return {
    spec,
    software: "llama-server",
    models: models.map(({ id }) => ({ id, isLoaded: true, evidence })),
  };
}

async function ollama(look: Look): Promise<FoundServer> {
  const [tags, running] = await Promise.all([look.get("/api/tags"), look.get("/api/ps")]);
  const loaded = namesIn(contentOf(running));
  return {
    spec: look.spec("ollama"),
    software: "Ollama",
    models: namesIn(contentOf(tags)).map((id) => ({
      id,
      isLoaded: loaded.includes(id),
      evidence: null,
    })),
  };
}

function namesIn(reply: unknown): readonly string[] {
  return listAt(reply, "models").flatMap((entry) => textAt(entry, "name") ?? []);
}

/** vLLM and SGLang sign their models; LM Studio has a list of its own that says what is loaded. */
async function openAi(look: Look, list: unknown): Promise<FoundServer | null> {
  const entries = listAt(list, "data");
  if (!Array.isArray(at(list, "data"))) return null;
  const owners = entries.map((entry) => textAt(entry, "owned_by"));
  if (owners.includes("vllm")) return served(look.spec("vllm"), "vLLM", entries);
  if (owners.includes("sglang")) return served(look.spec("sglang"), "SGLang", entries);
  const studio = listAt(contentOf(await look.get("/api/v0/models")), "data").filter(
    (entry) => textAt(entry, "state") !== undefined && textAt(entry, "type") !== "embeddings",
  );
  if (studio.length === 0) return served(look.spec("openai"), "a model server", entries);
  return {
    spec: look.spec("openai"),
    software: "LM Studio",
    models: studio.flatMap((entry) => {
      const id = textAt(entry, "id");
      const isLoaded = textAt(entry, "state") === "loaded";
      return id === undefined ? [] : [{ id, isLoaded, evidence: null }];
    }),
  };
}

/** These have loaded what they list. */
function served(spec: BackendSpec, software: string, entries: readonly unknown[]): FoundServer {
  const isLoaded = spec.kind === "openai" ? null : true;
  return {
    spec,
    software,
    models: entries.flatMap((entry) => {
      const id = textAt(entry, "id");
      return id === undefined ? [] : [{ id, isLoaded, evidence: null }];
    }),
  };
}
