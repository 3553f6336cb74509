/** Puts the parts together that the language server needs for one folder. */
import { homedir } from "node:os";
import type { Settings } from "../config/schema.ts";
import { CompletionError } from "../core/index.ts";
import type {
  IndexStep,
  OpenedWorkspace,
  WorkspaceRequest,
  WorkspaceStatus,
} from "../lsp/ports.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { type LoadedSettings, loadSettings } from "./load-settings.ts";
import { shareServer } from "./lsp-server.ts";
import { createProduct, type Product } from "./product.ts";

export interface LspWorkspaceOptions {
  readonly flags: Flags;
  /** Address of a running `midspan serve`; `null`: we answer ourselves. */
  readonly server: string | null;
}

/** What runs for a folder; without one nothing is indexed, and no file of a workspace is read. */
export async function openLspWorkspace(
  request: WorkspaceRequest,
  options: LspWorkspaceOptions,
): Promise<OpenedWorkspace> {
  const { root } = request;
  const workspace = root === null ? homedir() : findWorkspace(root);
  const loaded = await settingsOf(workspace, request, options);
  const { settings } = loaded.resolved;
  const product = await productOf(workspace, loaded, request);
  const shared =
    options.server === null
      ? null
      : await shareServer({ url: options.server, workspace, settings, product, request });
  return {
    engine: shared?.engine ?? product.engine,
    feedback: shared?.engine.feedback ?? product.events,
    // The index of a server that is there is used; ours is made when it goes away.
    index: async (onStep) => {
      if (shared?.server.isThere !== true) await runIndex(product, onStep);
    },
    status: () => ({
      ...statusOf(product, settings),
      server: shared?.server.isThere === true ? shared.server.url : null,
    }),
    close: async () => {
      await shared?.close();
      await product.close();
    },
  };
}

async function runIndex(product: Product, onStep: (step: IndexStep) => void): Promise<void> {
  const { index } = product;
  if (index === null) return;
  const stop = index.onProgress(onStep);
  try {
    await index.start();
  } finally {
    stop();
  }
}

/** Settings of the editor that make no sense are told, and left out. */
async function settingsOf(
  workspace: string,
  { settings, client, notify }: WorkspaceRequest,
  { flags }: LspWorkspaceOptions,
): Promise<LoadedSettings> {
  const editor = { file: `the settings of ${client.name}`, values: settings };
  let loaded: LoadedSettings;
  try {
    loaded = await loadSettings(workspace, flags, editor);
  } catch (error) {
    if (!(error instanceof CompletionError)) throw error;
    notify("warning", error.message);
    loaded = await loadSettings(workspace, flags);
  }
  for (const warning of loaded.resolved.warnings) notify("warning", warning);
  return loaded;
}

/** A language model that cannot be had is told; the local model answers alone. */
async function productOf(
  workspace: string,
  { resolved, folders }: LoadedSettings,
  { notify, client }: WorkspaceRequest,
): Promise<Product> {
  const { settings } = resolved;
  const about = {
    ...{ workspace, folders, isWatched: true, client: client.name },
    onNotice: (line: string) => notify("info", line),
    onWarning: (line: string) => notify("warning", line),
  };
  try {
    return await createProduct({ ...about, settings });
  } catch (error) {
    if (!(error instanceof CompletionError) || settings.backend === "none") throw error;
    notify("error", `${error.message}; the model without weights answers alone`);
    return createProduct({ ...about, settings: { ...settings, backend: "none" } });
  }
}

function statusOf(product: Product, settings: Settings): Omit<WorkspaceStatus, "server"> {
  const { model, local, engine } = product;
  return {
    model: model?.id ?? null,
    backend: model?.backend.address ?? null,
    health: model === null ? null : engine.modelHealth,
    isOffline: settings["offline.enabled"],
    files: local?.stats().files ?? 0,
    threshold: settings.threshold,
  };
}
