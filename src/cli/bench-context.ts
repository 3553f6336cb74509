/** `midspan bench context`: the parts of the product that the bench measures, put together. */
import { resolveSettings } from "../config/resolve.ts";
import { lexicalScopeProbe, resolveFormat } from "../core/index.ts";
import { Engine } from "../engine/index.ts";
import type { BenchReporter } from "../eval/bench-report.ts";
import {
  type ContextBenchReport,
  defaultContextLoad,
  runContextBench,
} from "../eval/context-bench.ts";
import {
  type ContextScaleReport,
  measureContextScale,
  type OpenedWorkspace,
} from "../eval/context-scale.ts";
import type { ContextParts, ContextWorld } from "../eval/context-world.ts";
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
import { engineSettings } from "./engine-settings.ts";
import { createWorkspaceContext } from "./workspace-context.ts";

/** A model whose prompt format is known; the backends of the bench make no difference. */
const MODEL = "qwen2.5-coder-1.5b";

/** Runs the bench; `quick` takes two small packages and no large part. */
export function benchContext(options: {
  readonly quick: boolean;
  readonly quickPackages: readonly string[];
  readonly corpusFolder: string;
  readonly reporter: BenchReporter;
}): Promise<ContextBenchReport> {
  const { quick, quickPackages, corpusFolder, reporter } = options;
  return runContextBench({
    ...defaultContextLoad,
    packages: quick ? quickPackages : [],
    corpusFolder,
    parts: { createWorld, createEngine },
    measureScale: quick
      ? null
      : async () => {
          const report: ContextScaleReport = Object(
            await runInOwnProcess(["bench", "context-scale", "--json"]),
          );
          return report;
        },
    reporter,
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
