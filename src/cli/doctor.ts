/** `midspan doctor`: checks what Midspan needs here and says what to do about what is missing. */
import { access, constants, mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { parseBackendSpec } from "../backend/index.ts";
import type { Settings } from "../config/schema.ts";
import { CompletionError } from "../core/index.ts";
import type { StateFolders } from "../host/state-folders.ts";
import { buildIndex } from "./build-index.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { indexSummary } from "./index-summary.ts";
import { loadSettings } from "./load-settings.ts";
import { createProduct } from "./product.ts";
import { version } from "./version.ts";

/** One thing that was looked at. */
interface Check {
  readonly name: string;
  /** `note`: works, and a person may want to know. */
  readonly state: "ok" | "note" | "failed";
  /** What was found, and for a failure what to do. */
  readonly text: string;
}

const OLDEST_NODE = 20;
const MODELS_MS = 3_000;

/** Prints the checks; exit code 1 when one of them failed. */
export async function doctorCommand(options: {
  readonly dir: string | null;
  readonly json: boolean;
  readonly flags: Flags;
}): Promise<ExitCode> {
  const workspace = findWorkspace(options.dir, process.cwd());
  const { resolved, folders } = await loadSettings(workspace, options.flags);
  const { settings } = resolved;
  const checks: Check[] = [
    nodeCheck(),
    await stateCheck(folders),
    await portCheck(settings),
    ...(await workspaceChecks(workspace, settings, folders)),
    networkCheck(settings),
  ];
  const isSound = checks.every(({ state }) => state !== "failed");
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ version, workspace, checks }, null, 2)}\n`);
  } else {
    const marks = { ok: "✓", note: "·", failed: "✗" } as const;
    const width = Math.max(...checks.map(({ name }) => name.length));
    const lines = checks.map(
      ({ name, state, text }) =>
        `${marks[state]} ${name.padEnd(width)}  ${text.replaceAll("\n", `\n${" ".repeat(width + 4)}`)}`,
    );
    const end = isSound
      ? "All is well."
      : "Mend what is marked with ✗ and run midspan doctor again.";
    process.stdout.write(`Midspan ${version}, ${workspace}\n\n${lines.join("\n")}\n\n${end}\n`);
  }
  return isSound ? 0 : 1;
}

function nodeCheck(): Check {
  const major = Number(process.versions.node.split(".")[0]);
  const name = "Node";
  return major >= OLDEST_NODE
    ? { name, state: "ok", text: process.version }
    : { name, state: "failed", text: `${process.version} is too old; install Node ${OLDEST_NODE}` };
}

async function stateCheck(folders: StateFolders): Promise<Check> {
  const name = "state folder";
  try {
    await mkdir(folders.cache, { recursive: true });
    await access(folders.cache, constants.W_OK);
    return { name, state: "ok", text: folders.cache };
  } catch {
    const text = `${folders.cache} cannot be written: indexes are made anew at each start; set MIDSPAN_HOME to a folder that can`;
    return { name, state: "failed", text };
  }
}

function portCheck(settings: Settings): Promise<Check> {
  const name = "port";
  const port = settings["server.port"];
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => {
      const text = `${port} is taken (by a midspan serve?); the default moves on`;
      resolve({ name, state: "note", text });
    });
    probe.listen(port, settings["server.host"], () => {
      probe.close(() => resolve({ name, state: "ok", text: `${port} is free` }));
    });
  });
}

/** Index and backend, made as `serve` makes them. */
async function workspaceChecks(
  workspace: string,
  settings: Settings,
  folders: StateFolders,
): Promise<Check[]> {
  const backendName = "language model";
  // The index must be judged also where the backend is out of order.
  const local = { ...settings, backend: "none" };
  const product = await createProduct({ workspace, settings: local, folders, isWatched: false });
  const checks: Check[] = [];
  try {
    if (product.index === null) {
      checks.push({ name: "local model", state: "note", text: "switched off (--local on)" });
    } else {
      const summary = indexSummary(await buildIndex(product.index));
      checks.push({ name: "local model", state: "ok", text: summary });
    }
  } catch (error) {
    checks.push({ name: "local model", state: "failed", text: words(error) });
  } finally {
    await product.close();
  }
  if (settings.backend === "none" || settings.backend === "auto") {
    const text = "none; the local model answers alone (--backend KIND:URL)";
    return [...checks, { name: backendName, state: "note", text }];
  }
  try {
    const withBackend = { ...settings, "local.enabled": false };
    const served = await createProduct({
      workspace,
      settings: withBackend,
      folders,
      isWatched: false,
    });
    try {
      const { model } = served;
      const ids = await model?.backend.listModels({ signal: AbortSignal.timeout(MODELS_MS) });
      const isListed = model === null || ids === undefined || ids.includes(model.id);
      const text = `${model?.id} (${model?.format.family}) at ${model?.backend.address}`;
      const missing = `${model?.id} is not among the models of ${model?.backend.address}: ${ids?.join(", ")}; name one with --model`;
      checks.push({
        name: backendName,
        state: isListed ? "ok" : "failed",
        text: isListed ? text : missing,
      });
    } finally {
      await served.close();
    }
  } catch (error) {
    checks.push({ name: backendName, state: "failed", text: words(error) });
  }
  return checks;
}

function networkCheck(settings: Settings): Check {
  const name = "network";
  if (settings["offline.enabled"]) {
    return { name, state: "ok", text: "offline: every address beyond this machine is refused" };
  }
  if (settings.backend === "none" || settings.backend === "auto") {
    return { name, state: "ok", text: "nothing is contacted" };
  }
  const { url } = parseBackendSpec(settings.backend);
  return {
    name,
    state: "ok",
    text: `${new URL(url).origin} is contacted for completions, nothing else`,
  };
}

function words(error: unknown): string {
  if (error instanceof CompletionError) return `${error.message} [${error.code}]`;
  throw error;
}
