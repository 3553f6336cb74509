/** Makes the language model that the settings name: its server, its id, its prompt format. */
import { basename } from "node:path";
import {
  type BackendSpec,
  chatWarning,
  createBackend,
  createChatBackend,
  type ProbedServer,
  parseBackendSpec,
  probeBackend,
} from "../backend/index.ts";
import { isLoopbackHost } from "../base/loopback.ts";
import type { Settings } from "../config/schema.ts";
import {
  type Backend,
  CompletionError,
  type FimFormat,
  formatByEvidence,
  type HttpClient,
  type Log,
  resolveFormat,
} from "../core/index.ts";
import type { LanguageModel } from "../engine/index.ts";
import { readApiKey } from "../host/api-key.ts";
import { modelNameOfFile } from "../host/gguf-header.ts";
import { ownSlots } from "../host/llama-server-command.ts";
import { findBackend } from "./auto-backend.ts";
import { withNamesOfFile } from "./file-evidence.ts";
import { formatOfHeader, readModelHeader } from "./model-file.ts";
import { timeLimit } from "./time-limit.ts";

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
  /** What this command started, in place of the server in the settings. */
  readonly own: OwnModel | null;
  /** Called with what `auto` found, a sentence each, without a dot. */
  readonly onNotice: (line: string) => void;
  /** Called with what a person must know before the first request, likewise. */
  readonly onWarning: (line: string) => void;
  /** True when nobody was told yet that code goes to this address. */
  readonly isNewAddress: (address: string) => Promise<boolean>;
}

/** A llama-server of our own, or a model in a process of our own. */
export type OwnModel =
  | { readonly kind: "server"; readonly url: string; readonly apiKey: string }
  | { readonly kind: "embedded"; readonly backend: Backend; readonly file: string };

/** Which server is asked, and for what. */
interface Target {
  readonly spec: BackendSpec;
  readonly apiKey: string | null;
  /** "" lets the server decide. */
  readonly model: string;
  readonly slots: typeof ownSlots | null;
}

/**
 * The model, or `null` when none is set. A server that is down is no failure as long as the settings
 * name the model: it may come later. Throws `MODEL_UNKNOWN`, `MODEL_WITHOUT_FIM` and what the server
 * answers where its model must be looked up.
 */
export async function createLanguageModel(
  options: LanguageModelOptions,
): Promise<LanguageModel | null> {
  const { settings, http, workspace, observe, own } = options;
  const override = settings.format === "auto" ? null : settings.format;
  const repositoryName = basename(workspace);
  if (own?.kind === "embedded") {
    const format = formatOfHeader(own.file, await readModelHeader(own.file), override);
    const id = modelNameOfFile(own.file);
    return { backend: observe(own.backend), id, format, repositoryName };
  }
  const target = await targetOf(options);
  if (target === null) return null;
  const { spec, apiKey, slots } = target;
  const probed = await probe(target, options);
  const extras = { ...probed?.extras, ...(slots === null ? {} : { slots }) };
  const backend = createBackend(spec, { http, apiKey, extras });
  await tellAddress(spec, options);
  const id = target.model === "" ? await firstModel(backend, probed) : target.model;
  const told = probed?.evidence ?? null;
  const evidence = told === null ? null : await withNamesOfFile(told, spec.url);
  try {
    const about = { model: id, backendKind: backend.kind, override };
    const format =
      evidence === null ? resolveFormat(about) : formatByEvidence({ ...about, evidence });
    return { backend: observe(backend), id, format, repositoryName };
  } catch (error) {
    if (!isWithoutFormat(error)) throw error;
    if (!settings["chat.enabled"]) throw withChatHint(error);
    options.onWarning(`${id} is asked by chat: ${chatWarning}`);
    const chat = createChatBackend(spec, { http, apiKey, extras });
    return { backend: observe(chat), id, format: chatFormat(id, chat.kind), repositoryName };
  }
}

/** A model that no prompt can be written for. */
function isWithoutFormat(error: unknown): error is CompletionError {
  return (
    error instanceof CompletionError &&
    (error.code === "MODEL_UNKNOWN" || error.code === "MODEL_WITHOUT_FIM")
  );
}

function withChatHint(cause: CompletionError): CompletionError {
  return new CompletionError(cause.code, `${cause.message}; --chat asks it by chat`, { cause });
}

/** The chat model's row, whatever other row its name would have. */
function chatFormat(model: string, backendKind: string): FimFormat {
  return resolveFormat({ model, backendKind, override: "chat" });
}

/** Says once that code will leave this machine, before it does. */
async function tellAddress(
  { kind, url }: BackendSpec,
  { settings, isNewAddress, onWarning, log }: LanguageModelOptions,
): Promise<void> {
  const { origin, hostname } = new URL(url);
  if (isLoopbackHost(hostname) || settings["offline.enabled"]) return;
  log.info("code is sent beyond this machine", { kind, address: origin });
  if (!(await isNewAddress(origin))) return;
  onWarning(
    `the code around the cursor is sent to ${origin} (${kind}), beyond this machine; --backend none or --offline prevents that. This is said once`,
  );
}

async function targetOf(options: LanguageModelOptions): Promise<Target | null> {
  const { settings, own, http, onNotice } = options;
  const { backend, model } = settings;
  if (own?.kind === "server") {
    const spec = { kind: "llama.cpp", url: own.url } as const;
    return { spec, apiKey: own.apiKey, model: "", slots: ownSlots };
  }
  if (backend === "none") return null;
  if (backend === "auto") {
    const choice = await findBackend(settings, { http, onNotice });
    // A key is meant for one server and shown to no other.
    return choice === null
      ? null
      : { spec: choice.server.spec, apiKey: null, model: choice.model, slots: null };
  }
  const apiKey = await readApiKey({ environment: process.env, file: settings.apiKeyFile });
  return { spec: parseBackendSpec(backend), apiKey, model, slots: null };
}

/** What the server says of itself; `null` when it does not, or is not there. */
async function probe(
  { spec, apiKey, model: name }: Target,
  { http, log }: LanguageModelOptions,
): Promise<ProbedServer | null> {
  if (!tellsAboutItself.has(spec.kind)) return null;
  const model = name === "" ? null : name;
  try {
    const who = `${spec.url} did not say what it can do`;
    const signal = timeLimit(PROBE_MS, { who, next: "it is asked plainly" });
    return await probeBackend(spec, { http, apiKey, model }, { signal });
  } catch (error) {
    // The first question says what is wrong with a server that is not there.
    const message = error instanceof Error ? error.message : String(error);
    log.info(`the server was not asked what it can do: ${message}`, { kind: spec.kind });
    return null;
  }
}

/** The first model that can fill in the middle, else the first that the server lists. */
async function firstModel(backend: Backend, probed: ProbedServer | null): Promise<string> {
  const able = probed?.models.find(({ canInsert }) => canInsert === true) ?? probed?.models[0];
  if (able !== undefined) return able.id;
  const who = `${backend.address} did not list its models`;
  const signal = timeLimit(PROBE_MS, { who, next: "name one with --model" });
  const [first] = await backend.listModels({ signal });
  if (first !== undefined) return first;
  const message = `${backend.address} lists no model; name one with --model`;
  throw new CompletionError("BACKEND_BAD_RESPONSE", message);
}
