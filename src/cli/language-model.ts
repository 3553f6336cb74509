/** Makes the language model that the settings name: its server, its id, its prompt format. */
import { basename } from "node:path";
import {
  type BackendSpec,
  createBackend,
  type ProbedServer,
  parseBackendSpec,
  probeBackend,
} from "../backend/index.ts";
import type { Settings } from "../config/schema.ts";
import {
  type Backend,
  CompletionError,
  formatByEvidence,
  type HttpClient,
  type Log,
  resolveFormat,
} from "../core/index.ts";
import type { LanguageModel } from "../engine/index.ts";
import { readApiKey } from "../host/api-key.ts";

/** A server may take this long to say what it is. */
const PROBE_MS = 3_000;

/**
 * Kinds that have a page about themselves. The others can only be found out by completions, which
 * cost their owner something: `doctor` does that, a start does not.
 */
const tellsAboutItself: ReadonlySet<string> = new Set(["llama.cpp", "sglang", "ollama", "tgi"]);

export interface LanguageModelOptions {
  readonly workspace: string;
  readonly settings: Settings;
  readonly http: HttpClient;
  readonly log: Log;
  /** Wraps the backend, for counting. */
  readonly observe: (backend: Backend) => Backend;
}

/**
 * The model, or `null` when none is set. A server that is down is no failure as long as the settings
 * name the model: it may come later. Throws `MODEL_UNKNOWN`, `MODEL_WITHOUT_FIM` and what the server
 * answers where its model must be looked up.
 */
export async function createLanguageModel(
  options: LanguageModelOptions,
): Promise<LanguageModel | null> {
  const { settings, http, workspace, observe } = options;
  // Looking for servers by itself comes with the commands that know where to look.
  if (settings.backend === "none" || settings.backend === "auto") return null;
  const spec = parseBackendSpec(settings.backend);
  const apiKey = await readApiKey({ environment: process.env, file: settings.apiKeyFile });
  const probed = await probe(spec, apiKey, options);
  const extras = probed === null ? {} : { extras: probed.extras };
  const backend = observe(createBackend(spec, { http, apiKey, ...extras }));
  const id = settings.model === "" ? await firstModel(backend, probed) : settings.model;
  const override = settings.format === "auto" ? null : settings.format;
  const about = { model: id, backendKind: backend.kind, override };
  const evidence = probed?.evidence ?? null;
  const format =
    evidence === null ? resolveFormat(about) : formatByEvidence({ ...about, evidence });
  return { backend, id, format, repositoryName: basename(workspace) };
}

/** What the server says of itself; `null` when it does not, or is not there. */
async function probe(
  spec: BackendSpec,
  apiKey: string | null,
  { settings, http, log }: LanguageModelOptions,
): Promise<ProbedServer | null> {
  if (!tellsAboutItself.has(spec.kind)) return null;
  const model = settings.model === "" ? null : settings.model;
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    return await probeBackend(spec, { http, apiKey, model }, { signal });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.warn("the server was not asked what it can do", { kind: spec.kind, error: message });
    return null;
  }
}

/** The first model that can fill in the middle, else the first that the server lists. */
async function firstModel(backend: Backend, probed: ProbedServer | null): Promise<string> {
  const able = probed?.models.find(({ canInsert }) => canInsert === true) ?? probed?.models[0];
  if (able !== undefined) return able.id;
  const [first] = await backend.listModels({ signal: AbortSignal.timeout(PROBE_MS) });
  if (first !== undefined) return first;
  const message = `${backend.address} lists no model; name one with --model`;
  throw new CompletionError("BACKEND_BAD_RESPONSE", message);
}
