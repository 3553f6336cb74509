/** Puts together what knows the workspace for prompts: symbols, texts, rules, and the search. */
import type { Settings } from "../config/schema.ts";
import { type HttpClient, type Log, type SnippetKind, snippetKinds } from "../core/index.ts";
import { EmbeddingSearch } from "../host/embedding-search.ts";
import { FolderRules } from "../host/folder-rules.ts";
import { ShownPaths } from "../host/shown-paths.ts";
import type { StateFolders } from "../host/state-folders.ts";
import type { SymbolReport } from "../host/symbol-table.ts";
import { realWorkspace } from "../host/walk.ts";
import type { WorkspaceIndex } from "../host/workspace-index.ts";
import { WorkspaceSymbols } from "../host/workspace-symbols.ts";
import { WorkspaceTexts } from "../host/workspace-texts.ts";
import { defaultContextBudgets, RepoContext } from "../repo/index.ts";

/** Context for the prompts of one workspace. */
export interface WorkspaceContext {
  readonly source: RepoContext;
  readonly symbols: WorkspaceSymbols;
  /** What the newest look through the workspace did; `null` before the first, or when it failed. */
  ready(): Promise<SymbolReport | null>;
  /** Stops the thread. */
  close(): Promise<void>;
}

/** Follows an index: what it finds and what is saved goes to the symbols as well. */
export function createWorkspaceContext(parts: {
  readonly workspace: string;
  readonly settings: Settings;
  readonly folders: Pick<StateFolders, "cache">;
  readonly index: WorkspaceIndex;
  /** For the embeddings server, where one is named. */
  readonly http: HttpClient;
  readonly log: Log;
}): WorkspaceContext {
  const { workspace: root, settings, folders, index, http, log } = parts;
  const maxFileBytes = settings["index.maxFileBytes"];
  const symbols = new WorkspaceSymbols({
    workerFile: new URL("../host/symbol-worker.js", import.meta.url),
    root,
    cacheFolder: folders.cache,
    maxFileBytes,
    maxStateBytes: settings["state.maxBytes"],
    log,
  });
  const shown = new ShownPaths({
    rules: async () =>
      FolderRules.atRoot(await realWorkspace(root), { deny: settings["files.deny"] }),
    isIndexed: (path) => source.index.file(path)?.isNamesOnly === false,
  });
  const texts = new WorkspaceTexts({ root, maxFileBytes });
  const mayShow = (path: string): boolean => shown.mayShow(path);
  const url = settings["context.embeddings"];
  const model = settings["context.embeddingsModel"];
  const meaning =
    url === "" ? null : new EmbeddingSearch({ http, log, url, model, texts, mayShow });
  const source: RepoContext = new RepoContext({
    texts,
    mayShow,
    ...(meaning === null ? {} : { meaning }),
    budgets: defaultContextBudgets,
    kinds: kindsOf(settings),
  });
  let latest: Promise<SymbolReport | null> = Promise.resolve(null);
  index.onFiles((files) => {
    // Rules may have changed: that is one of the reasons for a new walk.
    shown.forget();
    const synced = symbols.sync(files);
    latest = synced;
    // Saved files are searched as they were until the next walk.
    void synced.then(() => meaning?.adopt(source.index));
  });
  index.onFileChanged(({ path, text }) => {
    // Never rejects; what it brings comes with `onIndex`.
    void symbols.change(path, text);
  });
  const close = async (): Promise<void> => {
    meaning?.close();
    await symbols.close();
  };
  symbols.onIndex((next) => source.adopt(next));
  return { source, symbols, ready: () => latest, close };
}

function kindsOf(settings: Settings): ReadonlySet<SnippetKind> {
  const wanted = new Set(settings["context.sources"]);
  return new Set(
    snippetKinds.filter(
      (kind) =>
        (wanted.has(kind) && (kind !== "copied" || settings["context.copied.enabled"])) ||
        (kind === "embedding" && settings["context.embeddings"] !== ""),
    ),
  );
}
