/** How llama-server is found, and the flags that a private server for completions is started with. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The command that starts llama-server, with its first arguments: what the setting `llamaServer`
 * names, else the program on PATH; `null` when there is neither. Nothing is started.
 */
export function findLlamaServer(options: {
  /** The setting; "" for none. */
  readonly setting: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}): readonly string[] | null {
  const named = splitCommand(options.setting);
  if (named.length > 0) return named;
  const name = options.platform === "win32" ? "llama-server.exe" : "llama-server";
  const { PATH = options.environment.Path ?? "" } = options.environment;
  const found = PATH.split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  return found === undefined ? null : [found];
}

/** Words between blanks; quotation marks keep blanks together. */
export function splitCommand(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/** What depends on model and machine. */
export interface LlamaServerPlan {
  /** As the server sees the path. */
  readonly model: string;
  readonly port: number;
  /** Prompt and output of one request together. */
  readonly slotTokens: number;
  readonly threads: number;
  /** `null` leaves it to the server, which has no graphics processor or knows better. */
  readonly gpuLayers: number | null;
}

/** Slots of a server of our own: for what a person waits for, and for what is asked ahead. */
export const ownSlots: { readonly foreground: number; readonly prefetch: number } = {
  foreground: 0,
  prefetch: 1,
};

const SLOTS = 2;

/**
 * A request that is given up is noticed between batches, so they are small; a graphics processor
 * takes larger ones in the same time.
 */
const CPU_BATCH = 256;
const GPU_BATCH = 512;

/**
 * Flags that not every version knows, each with its value. By default an idle slot is emptied when
 * another one starts (which costs the whole prompt again), and prompts are copied into a cache that
 * two pinned slots have no use for.
 */
const optionalFlags: readonly (readonly string[])[] = [
  ["--no-cache-idle-slots"],
  ["--cache-ram", "0"],
  ["--no-webui"],
  ["--metrics"],
];

/** The arguments, without the flags that this server said it does not know. */
export function llamaServerArguments(
  plan: LlamaServerPlan,
  unknownFlags: ReadonlySet<string>,
): readonly string[] {
  const { model, port, slotTokens, threads, gpuLayers } = plan;
  const batch = String(gpuLayers === null || gpuLayers === 0 ? CPU_BATCH : GPU_BATCH);
  return [
    ...["-m", model],
    ...["--host", "127.0.0.1", "--port", String(port)],
    ...["-np", String(SLOTS), "-c", String(SLOTS * slotTokens)],
    ...["-b", batch, "-ub", batch],
    ...["-t", String(threads)],
    ...(gpuLayers === null ? [] : ["-ngl", String(gpuLayers)]),
    ...optionalFlags.filter(([flag = ""]) => !unknownFlags.has(flag)).flat(),
  ];
}

/** Whether a server can do without a flag. */
export function isOptionalFlag(flag: string): boolean {
  return optionalFlags.some(([name]) => name === flag);
}

/** All cores but one: threads wait for each other, and a core that is busy elsewhere stops them all. */
export function threadsFor(cores: number): number {
  return Math.max(1, cores - 1);
}
