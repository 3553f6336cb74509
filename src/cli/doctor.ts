/** `midspan doctor`: checks what Midspan needs here and says what to do about what is missing. */
import { access, constants, mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import type { Settings } from "../config/schema.ts";
import type { StateFolders } from "../host/state-folders.ts";
import { buildIndex } from "./build-index.ts";
import { contactedAddresses } from "./contacted-addresses.ts";
import { type Check, failureText } from "./doctor-check.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { indexSummary } from "./index-summary.ts";
import { loadSettings } from "./load-settings.ts";
import { createProduct } from "./product.ts";
import { serverChecks } from "./server-checks.ts";
import { wrapped } from "./text-table.ts";
import { version } from "./version.ts";

const OLDEST_NODE = 20;
const COLUMNS = 80;

/** Prints the checks; exit code 1 when one of them failed. */
export async function doctorCommand(options: {
  readonly dir: string | null;
  readonly json: boolean;
  readonly flags: Flags;
}): Promise<ExitCode> {
  const workspace = findWorkspace(options.dir);
  const { resolved, folders } = await loadSettings(workspace, options.flags);
  const { settings } = resolved;
  const checks: Check[] = [
    nodeCheck(),
    await stateCheck(folders),
    await portCheck(settings),
    await localCheck(workspace, settings, folders),
    ...(await serverChecks(workspace, settings)),
    networkCheck(settings),
  ];
  const isSound = checks.every(({ state }) => state !== "failed");
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ version, workspace, checks }, null, 2)}\n`);
  } else {
    const marks = { ok: "✓", note: "·", failed: "✗" } as const;
    const width = Math.max(...checks.map(({ name }) => name.length));
    const lines = checks.map(
      (check) => `${marks[check.state]} ${check.name.padEnd(width)}  ${textOf(check, width + 4)}`,
    );
    const end = isSound
      ? "All is well."
      : "Mend what is marked with ✗ and run midspan doctor again.";
    process.stdout.write(`Midspan ${version}, ${workspace}\n\n${lines.join("\n")}\n\n${end}\n`);
  }
  return isSound ? 0 : 1;
}

/** In lines that fit a terminal; commands to copy stay whole. */
function textOf({ text, isVerbatim = false }: Check, indent: number): string {
  return text
    .split("\n")
    .map((line) => (isVerbatim ? line : wrapped(line, { width: COLUMNS - indent, indent })))
    .join(`\n${" ".repeat(indent)}`);
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
    const text = `${folders.cache} cannot be written: indexes are made anew at each start; set MIDSPAN_HOME to a folder that can be written`;
    return { name, state: "failed", text };
  }
}

function portCheck(settings: Settings): Promise<Check> {
  const name = "port";
  const port = settings["server.port"];
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => {
      const text = `${port} is taken, perhaps by another midspan serve; without --port the next free one is used`;
      resolve({ name, state: "note", text });
    });
    probe.listen(port, settings["server.host"], () => {
      probe.close(() => resolve({ name, state: "ok", text: `${port} is free` }));
    });
  });
}

/** The index, made as `serve` makes it, whatever state the model server is in. */
async function localCheck(
  workspace: string,
  settings: Settings,
  folders: StateFolders,
): Promise<Check> {
  const name = "local model";
  const local = { ...settings, backend: "none" };
  const product = await createProduct({ workspace, settings: local, folders, isWatched: false });
  try {
    if (product.index === null) return { name, state: "note", text: "switched off (--local on)" };
    const report = await buildIndex(product.index);
    const state = report.stored === "failed" ? "failed" : "ok";
    return { name, state, text: indexSummary(report) };
  } catch (error) {
    return { name, state: "failed", text: failureText(error) };
  } finally {
    await product.close();
  }
}

/** All that is ever contacted, and why. */
function networkCheck(settings: Settings): Check {
  const name = "network";
  const addresses = contactedAddresses(settings).map(
    ({ address, purpose, isBeyond }) => `${isBeyond ? "→ " : ""}${address}: ${purpose}`,
  );
  const head = settings["offline.enabled"]
    ? "offline: every address beyond this machine is refused"
    : "what is contacted; an arrow marks what lies beyond this machine";
  return { name, state: "ok", text: [head, ...addresses].join("\n") };
}
