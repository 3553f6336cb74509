/** `midspan bench context`: the parts of the product that the bench measures, put together. */
import { join } from "node:path";
import { resolveSettings } from "../config/resolve.ts";
import { lexicalScopeProbe, resolveFormat } from "../core/index.ts";
import { Engine } from "../engine/index.ts";
import type { BenchReporter } from "../eval/bench-report.ts";
import {
  type ContextBenchReport,
  defaultContextLoad,
  headerTable,
  runContextBench,
  sourceTable,
  type WithWorthModel,
} from "../eval/context-bench.ts";
import {
  type ContextScaleReport,
  measureContextScale,
  type OpenedWorkspace,
} from "../eval/context-scale.ts";
import type { ContextParts, ContextWorld } from "../eval/context-world.ts";
import { startInferenceServer } from "../eval/inference-server.ts";
import { runInOwnProcess } from "../eval/own-process.ts";
import type { SourceFile } from "../eval/source-file.ts";
import { systemClock } from "../host/clock.ts";
import { installedGrammars } from "../host/grammars.ts";
import { createHttpClient } from "../host/http-client.ts";
import { createLog } from "../host/log.ts";
import { WorkspaceIndex } from "../host/workspace-index.ts";
import {
  defaultContextBudgets,
  indexSegment,
  RepoContext,
  RepoIndex,
  SegmentBuilder,
} from "../repo/index.ts";
import { createSyntax } from "../syntax/index.ts";
import { withInferenceEnvironment } from "./bench-inference.ts";
import { engineSettings } from "./engine-settings.ts";
import { UsageError } from "./exit.ts";
import { createWorkspaceContext } from "./workspace-context.ts";

/** A model whose prompt format is known; the backends of the bench make no difference. */
const MODEL = "qwen2.5-coder-1.5b";

/** The server of the model that writes lines: one at a time. */
const SERVER = { threads: 1, slots: 1, contextTokens: 1_024, batchTokens: 256 } as const;

/**
 * What can be measured. `sources`: recall and worth by source. `stability`: of typing. `lines`: what a language model
 * writes with each source, `headers`: with each beginning of the prompt; both need what
 * `withInferenceEnvironment` reads. `scale`: a million lines.
 */
const contextParts = ["sources", "stability", "lines", "headers", "scale"] as const;

const LINES_MINUTES = 12;

/** Runs the bench; by default all that needs no language model, with `quick` the first two on two packages. */
export function benchContext(options: {
  readonly quick: boolean;
  readonly parts: string | null;
  /** Places per package; `null`: 200. */
  readonly cursors: number | null;
  /** For `lines`. */
  readonly minutes: number | null;
  /** Where answers of the model are kept; `null`: beside the corpora. */
  readonly answers: string | null;
  readonly quickPackages: readonly string[];
  readonly corpusFolder: string;
  readonly reporter: BenchReporter;
}): Promise<ContextBenchReport> {
  const { quick, quickPackages, corpusFolder, reporter } = options;
  const names = (options.parts ?? (quick ? "sources,stability" : "sources,stability,scale")).split(
    ",",
  );
  const unknown = names.find((name) => !contextParts.some((part) => part === name));
  if (unknown !== undefined) {
    throw new UsageError(`there is no part ${JSON.stringify(unknown)}; there are ${contextParts}`);
  }
  const file = options.answers ?? join(corpusFolder, "context-answers.jsonl");
  const minutes = options.minutes ?? LINES_MINUTES;
  const modelTables = [
    ...(names.includes("lines") ? [sourceTable] : []),
    ...(names.includes("headers") ? [headerTable] : []),
  ];
  return runContextBench({
    ...defaultContextLoad,
    packages: quick ? quickPackages : [],
    corpusFolder,
    parts: { createWorld, createEngine },
    ...(options.cursors === null ? {} : { cursors: options.cursors }),
    hasSources: names.includes("sources"),
    hasStability: names.includes("stability"),
    withModel: modelTables.length > 0 ? withQualityModel({ file, minutes }) : null,
    modelTables,
    measureScale: names.includes("scale")
      ? async () => {
          const report: ContextScaleReport = Object(
            await runInOwnProcess(["bench", "context-scale", "--json"]),
          );
          return report;
        }
      : null,
    reporter,
  });
}

function withQualityModel(about: {
  readonly file: string;
  readonly minutes: number;
}): WithWorthModel {
  return (work) =>
    withInferenceEnvironment(async ({ command, models, formats, http, createBackend }) => {
      const server = await startInferenceServer({ ...SERVER, command, model: models.quality });
      const { contextTokens } = SERVER;
      const backend = createBackend({ url: server.url, http, contextTokens, isPinned: false });
      const model = { backend, id: models.quality, format: formats.quality };
      try {
        return await work({ ...about, model });
      } finally {
        await server.stop();
      }
    });
}

/** The large part. */
export function benchContextScale(options: {
  readonly corpusFolder: string;
  readonly reporter: BenchReporter;
}): Promise<ContextScaleReport> {
  return measureContextScale(
    { createEngine, openWorkspace },
    { ...options, seed: defaultContextLoad.seed },
  );
}

const createEngine: ContextParts["createEngine"] = ({ backend, context }) => {
  let requests = 0;
  const format = resolveFormat({ model: MODEL, backendKind: "instant", override: null });
  return new Engine({
    clock: systemClock,
    settings: engineSettings(defaultSettings()),
    local: null,
    model: { backend, id: MODEL, format, repositoryName: "bench" },
    scopes: lexicalScopeProbe,
    context,
    nextId: () => String(requests++),
    isExcluded: () => false,
  });
};

async function createWorld(files: readonly SourceFile[]): Promise<ContextWorld> {
  const syntax = createSyntax({ source: installedGrammars, now: () => performance.now() });
  const builder = new SegmentBuilder();
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  for (const { path, languageId, text } of files) {
    await syntax.prepare(languageId);
    const about = { path, languageId, hash: "", sizeBytes: 0, modifiedMs: 0, isNamesOnly: false };
    builder.add(about, text, syntax.outline(text, languageId));
  }
  const index = new RepoIndex([{ index: indexSegment(builder.build()), hidden: new Set() }]);
  return {
    createSource(kinds) {
      const source = new RepoContext({
        texts: {
          textOf: ({ path }) => texts.get(path) ?? null,
          load: () => Promise.resolve(),
        },
        mayShow: () => true,
        budgets: defaultContextBudgets,
        kinds: new Set(kinds),
      });
      source.adopt(index);
      return source;
    },
    isDefinedElsewhere(name, path) {
      const found = index.definitions(name);
      return found.length > 0 && found.every(({ file }) => file.path !== path);
    },
  };
}

async function openWorkspace(root: string, cacheFolder: string): Promise<OpenedWorkspace> {
  const settings = defaultSettings();
  const log = createLog({ level: "error" });
  const index = new WorkspaceIndex({
    workerFile: new URL("../host/index-worker.js", import.meta.url),
    root,
    cacheFolder,
    deny: [],
    maxFiles: settings["index.maxFiles"],
    maxFileBytes: settings["index.maxFileBytes"],
    maxTotalBytes: settings["index.maxTotalBytes"],
    maxStateBytes: settings["state.maxBytes"],
    isWatched: false,
    clock: systemClock,
    log,
  });
  const folders = { cache: cacheFolder };
  const http = createHttpClient({ isOffline: true });
  const context = createWorkspaceContext({ workspace: root, settings, folders, index, http, log });
  const ready = index.start().then(async () => void (await context.ready()));
  return {
    source: context.source,
    ready,
    save: (path, text) => context.symbols.change(path, text),
    close: async () => {
      await Promise.all([index.close(), context.close(), http.close()]);
    },
  };
}

function defaultSettings(): ReturnType<typeof resolveSettings>["settings"] {
  const sources = { flags: {}, environment: {}, user: null, workspace: null };
  return resolveSettings(sources).settings;
}
