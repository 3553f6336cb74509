/**
 * The composition root: makes the parts that a command needs and hands them to each other. The only
 * place that knows every concrete part.
 */
import { randomBytes } from "node:crypto";
import { isLoopbackHost } from "../base/loopback.ts";
import type { Settings } from "../config/schema.ts";
import {
  type Backend,
  type CompletionError,
  type Log,
  lexicalScopeProbe,
  type TelemetryEvent,
} from "../core/index.ts";
import { Engine, type LanguageModel } from "../engine/index.ts";
import { systemClock } from "../host/clock.ts";
import { installedGrammars } from "../host/grammars.ts";
import { createHttpClient } from "../host/http-client.ts";
import { isNewAddress } from "../host/known-addresses.ts";
import { createLog } from "../host/log.ts";
import { secretPathTest } from "../host/secret-path.ts";
import type { StateFolders } from "../host/state-folders.ts";
import { WorkspaceIndex } from "../host/workspace-index.ts";
import { LocalModel } from "../local/index.ts";
import { createSyntax, DocumentTrees } from "../syntax/index.ts";
import { engineSettings } from "./engine-settings.ts";
import { adaptationSource, type EventRecorder, openEventRecorder } from "./event-recorder.ts";
import { createLanguageModel, type OwnModel } from "./language-model.ts";
import { notice } from "./notice.ts";
import { createWorkspaceContext, type WorkspaceContext } from "./workspace-context.ts";

/** Everything that runs for one workspace. */
export interface Product {
  readonly engine: Engine;
  readonly local: LocalModel | null;
  readonly index: WorkspaceIndex | null;
  readonly model: LanguageModel | null;
  /** The syntax trees of documents; `null` where they are switched off. */
  readonly trees: DocumentTrees | null;
  /** What knows the workspace for prompts; `null` where nobody asks for it. */
  readonly context: WorkspaceContext | null;
  readonly log: Log;
  /** What becomes of answers is noted here; `null` where nothing is. */
  readonly events: EventRecorder | null;
  /** Why notes that are wanted cannot be kept now; `null` while they can, and where none are wanted. */
  eventsFailure(): CompletionError | null;
  /** Stops threads, watches and connections. */
  close(): Promise<void>;
}

export interface ProductOptions {
  readonly workspace: string;
  readonly settings: Settings;
  readonly folders: StateFolders;
  /** Follow saved files; only programs that stay need it. */
  readonly isWatched: boolean;
  /** Symbols are wanted though no language model is set: they are shown, or stored for later. */
  readonly hasSymbols?: boolean;
  /** Under this name events are noted, such as `http`; absent: this command notes none. */
  readonly client?: string;
  /** Told of each event, for metrics. */
  readonly onEvent?: (event: TelemetryEvent) => void;
  /** Wraps the backend, for counting. */
  readonly observe?: (backend: Backend) => Backend;
  /** What this command started, in place of the server in the settings. */
  readonly own?: OwnModel;
  /** Called with what `--backend auto` found, a sentence each without a dot. */
  readonly onNotice?: (line: string) => void;
  /** Called with what a person must know before code is sent, likewise; absent: logged. */
  readonly onWarning?: (line: string) => void;
}

/** Makes the parts; nothing is indexed yet. Throws what the settings make impossible. */
export async function createProduct(options: ProductOptions): Promise<Product> {
  const { workspace, settings, folders } = options;
  const clock = systemClock;
  const log = logOf(options);
  // Names of dependencies are known to the symbols only, where these are kept.
  const symbols = { fileCount: (name: string): number => context?.source.fileCount(name) ?? 0 };
  const local = settings["local.enabled"] ? new LocalModel({ symbols }) : null;
  const http = createHttpClient({ isOffline: settings["offline.enabled"] });
  const observe = options.observe ?? ((backend: Backend) => backend);
  const { own = null, onNotice = () => {} } = options;
  const onWarning = options.onWarning ?? ((line: string) => log.warn(line));
  const model = await createLanguageModel({
    ...{ workspace, settings, http, log, observe, own, onNotice, onWarning },
    isNewAddress: (address) => isNewAddress(folders.data, address),
  }).catch(async (error: unknown) => {
    await http.close();
    throw error;
  });
  const hasContext = settings["context.enabled"] && (model !== null || options.hasSymbols === true);
  const index =
    local === null && !hasContext
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
  const context =
    index !== null && hasContext
      ? createWorkspaceContext({ workspace, settings, folders, index, http, log })
      : null;
  if (context !== null) await warnOfEmbeddings({ settings, folders, onWarning });
  const adaptation = adaptationSource(settings, folders);
  // A program that ends at once has to know before it answers.
  if (options.isWatched) adaptation?.start();
  else await adaptation?.refresh();
  const trees = settings["syntax.enabled"]
    ? new DocumentTrees(createSyntax({ source: installedGrammars, now: () => clock.now() }))
    : null;
  const engine = new Engine({
    clock,
    settings: engineSettings(settings),
    local,
    model,
    scopes: lexicalScopeProbe,
    trees,
    context: context?.source ?? null,
    nextId: requestIds(),
    isExcluded: secretPathTest(settings["files.deny"]),
    adaptation: () => adaptation?.adaptation ?? null,
    log,
  });
  const { client, onEvent = () => {} } = options;
  let unavailable: CompletionError | null = null;
  const onUnavailable = (error: CompletionError): void => {
    unavailable = error;
  };
  const about = { settings, folders, clock, log, observe: onEvent, onUnavailable };
  const events = client === undefined ? null : await openEventRecorder({ ...about, client });
  const unfollow = events?.telemetry.follow(engine);
  return {
    engine,
    local,
    index,
    model,
    trees,
    context,
    log,
    events,
    eventsFailure: () => unavailable ?? events?.failure() ?? null,
    close: async () => {
      engine.dispose();
      trees?.close();
      adaptation?.stop();
      unfollow?.();
      await Promise.all([index?.close(), context?.close(), http.close(), events?.close()]);
    },
  };
}

/** A command that ends at once speaks to a person: what goes wrong is a sentence, said once. */
function logOf({ settings, isWatched }: ProductOptions): Log {
  const log = createLog({ level: settings.logLevel });
  const isSilent = settings.logLevel === "error" || settings.logLevel === "off";
  return isWatched || isSilent ? log : { ...log, warn: notice };
}

/** Says once that code goes to an embeddings server beyond this machine, where one is named. */
async function warnOfEmbeddings(
  parts: Pick<ProductOptions, "settings" | "folders"> & {
    readonly onWarning: (line: string) => void;
  },
): Promise<void> {
  const { settings, folders, onWarning } = parts;
  const url = settings["context.embeddings"];
  if (url === "" || settings["offline.enabled"]) return;
  const { origin, hostname } = new URL(url);
  if (isLoopbackHost(hostname) || !(await isNewAddress(folders.data, origin))) return;
  onWarning(
    `the code of the workspace is sent to ${origin} for a search by meaning (context.embeddings), beyond this machine; --offline prevents that. This is said once`,
  );
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
