/** `midspan serve`: indexes a workspace and answers over HTTP until it is told to stop. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Settings } from "../config/schema.ts";
import { CompletionError, languageOfPath } from "../core/index.ts";
import type { ModelUse } from "../engine/index.ts";
import type { IndexReport } from "../host/index-run.ts";
import type { StateFolders } from "../host/state-folders.ts";
import { WorkspaceFiles } from "../host/workspace-files.ts";
import type { StatsReply } from "../protocol/stats.ts";
import type { HealthReply } from "../protocol/workspace.ts";
import { createServer } from "../server/app.ts";
import { countedBackend } from "../server/counted-backend.ts";
import { Metrics } from "../server/metrics.ts";
import { defaultServerLimits, type ServerEvents } from "../server/ports.ts";
import { buildIndex } from "./build-index.ts";
import { type EventRecorder, notKept, readStats } from "./event-recorder.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { indexSummary } from "./index-summary.ts";
import type { OwnModel } from "./language-model.ts";
import { loadSettings } from "./load-settings.ts";
import { hasDisplay, openBrowser } from "./open-browser.ts";
import { createProduct, type Product } from "./product.ts";
import { untilInterrupted } from "./until-interrupted.ts";
import { version } from "./version.ts";

/** The page lists at most this many files; its filter finds the rest only in the index. */
const MAX_LISTED_FILES = 5_000;
/** Statistics are read from the journal again after this time. */
const STATS_AGE_MS = 2_000;

export async function serveCommand(options: {
  readonly dir: string | null;
  readonly flags: Flags;
  /** A model that was started for this. */
  readonly own?: OwnModel;
}): Promise<ExitCode> {
  const workspace = findWorkspace(options.dir);
  const { resolved, folders } = await loadSettings(workspace, options.flags);
  const { settings, origins } = resolved;
  const metrics = new Metrics();
  const product = await createProduct({
    workspace,
    settings,
    folders,
    isWatched: true,
    client: "http",
    onEvent: (event) => metrics.eventRecorded(event),
    observe: (backend) => countedBackend(backend, metrics),
    onNotice: (line) => say(sentence(line)),
    onWarning: (line) => say(sentence(line)),
    ...(options.own === undefined ? {} : { own: options.own }),
  });
  metrics.watchModel(() => product.engine.modelUse);
  try {
    const state = new ServeState(workspace, settings, product);
    const files = await WorkspaceFiles.open(workspace, {
      deny: settings["files.deny"],
      maxFileBytes: settings["index.maxFileBytes"],
    });
    const page = fileURLToPath(new URL("../web", import.meta.url));
    const eventsFailure = product.events === null ? product.eventsFailure() : null;
    const server = createServer({
      engine: product.engine,
      ...(eventsFailure === null ? {} : { eventsFailure }),
      ...(product.events === null
        ? {}
        : { events: serverEvents(product.events, settings, folders) }),
      health: () => state.health(),
      models: async () => ({ object: "list", data: state.models() }),
      workspace: {
        list: async () => ({ root: workspace, ...(await files.listFiles(MAX_LISTED_FILES)) }),
        read: async (path) => ({
          path,
          language: languageOfPath(path),
          text: await files.readFile(path),
        }),
      },
      pageFolder: existsSync(page) ? page : null,
      metrics,
      log: product.log,
      token: settings["server.token"] === "" ? null : settings["server.token"],
      limits: defaultServerLimits,
    });
    const asked = settings["server.port"];
    const listening = await server.listen({
      host: settings["server.host"],
      port: asked,
      tryNext: origins["server.port"].kind === "default",
    });
    const url = addressOf(listening.host, listening.port);
    if (listening.hasMoved) say(`Port ${asked} is taken; using ${listening.port} instead.`);
    const { signal, dispose } = untilInterrupted();
    const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
    try {
      // Whoever stops it while it indexes does not wait for the index.
      await Promise.race([state.index(signal), stopped]);
      if (!signal.aborted) {
        say(welcome(url, workspace, product, settings));
        if (settings["openBrowser.enabled"] && hasDisplay(process.env, process.stdout.isTTY)) {
          openBrowser(url);
        }
        await stopped;
      }
    } finally {
      await server.close();
      dispose();
    }
    return 0;
  } finally {
    await product.close();
  }
}

/** The journal is read for pages too, which ask again and again: what was just read is still true. */
function serverEvents(
  recorder: EventRecorder,
  settings: Settings,
  folders: StateFolders,
): ServerEvents {
  let read: { readonly days: number; readonly atMs: number; reply: Promise<StatsReply> } | null =
    null;
  return {
    telemetry: recorder.telemetry,
    flush: () => recorder.flush(),
    wallNow: () => Date.now(),
    stats: async (days) => {
      const atMs = Date.now();
      if (read === null || read.days !== days || atMs - read.atMs > STATS_AGE_MS) {
        await recorder.flush().catch((error: unknown) => {
          // What was kept before is shown all the same, with the reason why it is not all.
          if (!(error instanceof CompletionError)) throw error;
        });
        read = { days, atMs, reply: readStats(settings, folders, days) };
      }
      const reply = await read.reply;
      const failure = recorder.failure();
      if (failure === null) return reply;
      const lost = sentence(`${notKept(failure)}, and events are tried again with the next one`);
      return { ...reply, warnings: [lost, ...reply.warnings] };
    },
  };
}

/** What the server can say about itself at any moment. */
class ServeState {
  readonly #workspace: string;
  readonly #settings: Settings;
  readonly #product: Product;
  #progress = { filesDone: 0, filesTotal: 0 };
  #report: IndexReport | null = null;

  constructor(workspace: string, settings: Settings, product: Product) {
    this.#workspace = workspace;
    this.#settings = settings;
    this.#product = product;
  }

  /**
   * Brings the index up to date and says what was done. A failure is said, and serving goes on. After
   * `signal` has aborted nothing is said: the index is then stopped by closing the product.
   */
  async index(signal: AbortSignal): Promise<void> {
    const { index } = this.#product;
    if (index === null) {
      say("The local model is off: nothing is indexed.");
      return;
    }
    const stop = index.onProgress((progress) => {
      this.#progress = progress;
    });
    try {
      this.#report = await buildIndex(index);
      if (!signal.aborted) say(indexSummary(this.#report));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CompletionError)) throw error;
      say(`midspan: the workspace was not indexed: ${error.message} [${error.code}]`);
    } finally {
      stop();
    }
  }

  health(): HealthReply {
    const { local, model, index } = this.#product;
    const stats = local?.stats();
    const { filesDone, filesTotal } = this.#progress;
    const isIndexing = index?.isRunning === true;
    const files = stats?.files ?? 0;
    const problems = this.#problems();
    return {
      name: "midspan",
      version,
      status: problems.length === 0 ? "ok" : "degraded",
      problems,
      offline: this.#settings["offline.enabled"],
      workspace: this.#workspace,
      local: {
        enabled: local !== null,
        state: local === null ? "off" : isIndexing ? "indexing" : files === 0 ? "empty" : "ready",
        files: isIndexing ? Math.max(files, filesDone) : files,
        files_total: isIndexing ? Math.max(files, filesTotal) : files,
        tokens: stats?.tokens ?? 0,
        skipped: sum(Object.values(this.#report?.leftOut ?? {})),
      },
      backend:
        model === null
          ? null
          : {
              kind: model.backend.kind,
              address: model.backend.address,
              model: model.id,
              state: this.#product.engine.modelHealth ?? "ready",
              use: useOf(this.#product.engine.modelUse),
            },
      threshold: this.#settings.threshold,
    };
  }

  #problems(): HealthReply["problems"] {
    const { index, engine, eventsFailure } = this.#product;
    const model = engine.modelFailure;
    return [eventsFailure(), index?.problem ?? null, model].flatMap((problem) =>
      problem === null ? [] : [{ code: problem.code ?? "INTERNAL", message: problem.message }],
    );
  }

  models(): { id: string; object: "model"; owned_by: string }[] {
    const { local, model } = this.#product;
    const ids = [
      ...(local === null ? [] : [{ id: "local", owned_by: "midspan" }]),
      ...(model === null ? [] : [{ id: model.id, owned_by: model.backend.kind }]),
    ];
    return ids.map(({ id, owned_by }) => ({ id, object: "model", owned_by }));
  }
}

function useOf(use: ModelUse | null): NonNullable<HealthReply["backend"]>["use"] {
  if (use === null) return { keys: 0, asked: 0, answers: 0, late: 0, failed: 0 };
  const { keys, asked, ended, late, failed } = use;
  return { keys, asked, answers: ended, late, failed };
}

/** What to do next, in lines that fit a terminal of 80 columns. */
function welcome(url: string, workspace: string, product: Product, settings: Settings): string {
  const { model } = product;
  const behind =
    model === null
      ? "none (--backend KIND:URL names one)"
      : `${model.id} (${model.format.family}) at ${model.backend.address}`;
  return [
    "",
    `Midspan ${version} serves ${workspace}`,
    `  playground      ${url}/`,
    `  dashboard       ${url}/dashboard`,
    `  completions     POST ${url}/v1/autocomplete (docs/protocol.md)`,
    `  language model  ${behind}`,
    `  network         ${networkWords(product, settings)}`,
    "Open the playground, type, and press Tab to take the grey text. Ctrl+C stops.",
  ].join("\n");
}

function networkWords(product: Product, settings: Settings): string {
  if (settings["offline.enabled"]) return "offline: only this machine";
  return product.model === null
    ? "nothing leaves this machine"
    : "only the language model is asked";
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function sentence(line: string): string {
  return `${line[0]?.toUpperCase()}${line.slice(1)}.`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
