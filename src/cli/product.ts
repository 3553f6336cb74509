/**
 * The composition root: makes the parts that a command needs and hands them to each other. The only
 * place that knows every concrete part.
 */
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { createBackend, parseBackendSpec } from "../backend/index.ts";
import type { Settings } from "../config/schema.ts";
import {
  type Backend,
  CompletionError,
  type Log,
  lexicalScopeProbe,
  resolveFormat,
} from "../core/index.ts";
import { Engine, type LanguageModel } from "../engine/index.ts";
import { readApiKey } from "../host/api-key.ts";
import { systemClock } from "../host/clock.ts";
import { type ClosableHttpClient, createHttpClient } from "../host/http-client.ts";
import { createLog } from "../host/log.ts";
import { secretPathTest } from "../host/secret-path.ts";
import type { StateFolders } from "../host/state-folders.ts";
import { WorkspaceIndex } from "../host/workspace-index.ts";
import { LocalModel } from "../local/index.ts";
import { engineSettings } from "./engine-settings.ts";

/** A backend may take this long to list its models when the settings name none. */
const LIST_MODELS_MS = 3_000;

/** Everything that runs for one workspace. */
export interface Product {
  readonly engine: Engine;
  readonly local: LocalModel | null;
  readonly index: WorkspaceIndex | null;
  readonly model: LanguageModel | null;
  readonly log: Log;
  /** Stops threads, watches and connections. */
  close(): Promise<void>;
}

export interface ProductOptions {
  readonly workspace: string;
  readonly settings: Settings;
  readonly folders: StateFolders;
  /** Follow saved files; only programs that stay need it. */
  readonly isWatched: boolean;
  /** Wraps the backend, for counting. */
  readonly observe?: (backend: Backend) => Backend;
}

/** Makes the parts; nothing is indexed yet. Throws what the settings make impossible. */
export async function createProduct(options: ProductOptions): Promise<Product> {
  const { workspace, settings, folders } = options;
  const clock = systemClock;
  const log = createLog({ level: settings.logLevel });
  const local = settings["local.enabled"] ? new LocalModel() : null;
  const http = createHttpClient({ isOffline: settings["offline.enabled"] });
  const model = await languageModel(options, http);
  const index =
    local === null
      ? null
      : new WorkspaceIndex({
          workerFile: indexWorkerFile(),
          root: workspace,
          cacheFolder: folders.cache,
          deny: settings["files.deny"],
          maxFiles: settings["index.maxFiles"],
          maxFileBytes: settings["index.maxFileBytes"],
          maxTotalBytes: settings["index.maxTotalBytes"],
          maxStateBytes: settings["state.maxBytes"],
          isWatched: options.isWatched && settings["watch.enabled"],
          clock,
          log,
        });
  if (local !== null && index !== null) {
    index.onIndex((update) => local.adopt(update.index));
    index.onFileChanged(({ path, text }) => {
      if (text === null) local.removeFile(path);
      else local.updateFile(path, text);
    });
  }
  const engine = new Engine({
    clock,
    settings: engineSettings(settings),
    local,
    model,
    scopes: lexicalScopeProbe,
    nextId: requestIds(),
    isExcluded: secretPathTest(settings["files.deny"]),
  });
  return {
    engine,
    local,
    index,
    model,
    log,
    close: async () => {
      engine.dispose();
      await Promise.all([index?.close(), http.close()]);
    },
  };
}

async function languageModel(
  options: ProductOptions,
  http: ClosableHttpClient,
): Promise<LanguageModel | null> {
  const { settings, workspace } = options;
  // Looking for servers by itself comes with the adapters that it would look for.
  if (settings.backend === "none" || settings.backend === "auto") return null;
  const spec = parseBackendSpec(settings.backend);
  const apiKey = await readApiKey({ environment: process.env, file: settings.apiKeyFile });
  const created = createBackend(spec, { http, apiKey });
  const backend = options.observe?.(created) ?? created;
  const id = settings.model === "" ? await firstModel(backend) : settings.model;
  const override = settings.format === "auto" ? null : settings.format;
  const format = resolveFormat({ model: id, backendKind: backend.kind, override });
  return {
    backend,
    id,
    format,
    repositoryName: basename(workspace),
  };
}

async function firstModel(backend: Backend): Promise<string> {
  const [first] = await backend.listModels({ signal: AbortSignal.timeout(LIST_MODELS_MS) });
  if (first !== undefined) return first;
  const message = `${backend.address} lists no model; name one with --model`;
  throw new CompletionError("BACKEND_BAD_RESPONSE", message);
}

/** The built worker lies beside the built program, whichever chunk this code ended up in. */
function indexWorkerFile(): URL {
  return new URL("../host/index-worker.js", import.meta.url);
}

/** Short ids, unique over processes: a random start and a counter. */
function requestIds(): () => string {
  const start = randomBytes(5).toString("hex");
  let count = 0;
  return () => `${start}-${(count++).toString(36)}`;
}
