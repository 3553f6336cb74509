/** What this machine has for running a model: memory, processor cores, graphics processors. */
import { readFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { findGpus, type Gpu } from "./gpus.ts";
import { type RunProgram, runProgram } from "./run-program.ts";

export interface Hardware {
  /** Memory of the machine, or of the container that we run in. */
  readonly memoryBytes: number;
  /** Processor cores that can compute at once; a core with two threads counts once. At least 1. */
  readonly cores: number;
  /** Bytes a second that one thread copies; `null` when not measured. */
  readonly copyBytesPerSecond: number | null;
  readonly gpus: readonly Gpu[];
}

/** Looks at this machine. Takes up to some seconds where graphics programs are slow to start. */
export async function findHardware(
  options: {
    readonly run?: RunProgram;
    readonly platform?: NodeJS.Platform;
    /** Also measures how fast memory is copied; takes a tenth of a second. */
    readonly measures?: boolean;
  } = {},
): Promise<Hardware> {
  const { run = runProgram, platform = process.platform, measures = false } = options;
  const memoryBytes = Math.min(totalmem(), constrainedMemory());
  return {
    memoryBytes,
    cores: await findCores(platform, run),
    copyBytesPerSecond: measures ? measureCopy() : null,
    gpus: await findGpus({ run, platform, memoryBytes }),
  };
}

/** Half of the threads where the system does not tell cores from threads: most have two a core. */
async function findCores(platform: NodeJS.Platform, run: RunProgram): Promise<number> {
  const threads = availableParallelism();
  const physical =
    platform === "linux"
      ? coresIn(await readFile("/proc/cpuinfo", "utf8").catch(() => ""))
      : platform === "darwin"
        ? Number(await run("sysctl", ["-n", "hw.physicalcpu"]))
        : Math.ceil(threads / 2);
  const quota = platform === "linux" ? await cpuQuota() : Number.POSITIVE_INFINITY;
  const cores = physical > 0 ? Math.min(physical, threads) : threads;
  return Math.max(1, Math.floor(Math.min(cores, quota)));
}

/** Different pairs of processor and core; 0 when the text names none, as on many ARM machines. */
export function coresIn(cpuinfo: string): number {
  const pairs = cpuinfo.split(/\n\s*\n/).flatMap((block) => {
    const core = /^core id\s*:\s*(\d+)/m.exec(block)?.[1];
    const socket = /^physical id\s*:\s*(\d+)/m.exec(block)?.[1] ?? "0";
    return core === undefined ? [] : [`${socket}/${core}`];
  });
  return new Set(pairs).size;
}

/** Processors that a container may use, by cgroup version 2; no limit where none is set. */
async function cpuQuota(): Promise<number> {
  const text = await readFile("/sys/fs/cgroup/cpu.max", "utf8").catch(() => "");
  const [quota = Number.NaN, period = Number.NaN] = text.trim().split(" ").map(Number);
  const processors = quota / period;
  return processors > 0 ? processors : Number.POSITIVE_INFINITY;
}

function constrainedMemory(): number {
  // 0, or some absurd number, where there is no limit.
  const bytes = process.constrainedMemory();
  return bytes === undefined || bytes === 0 ? Number.POSITIVE_INFINITY : bytes;
}

const COPY_BYTES = 64 * 1024 * 1024;
const COPIES = 4;

/** Copies more than any cache holds, a few times; the best counts, since others use the machine too. */
function measureCopy(): number {
  const from = new Uint8Array(COPY_BYTES).fill(1);
  const to = new Uint8Array(COPY_BYTES);
  let best = Number.POSITIVE_INFINITY;
  for (let left = COPIES; left > 0; left--) {
    const start = performance.now();
    to.set(from);
    best = Math.min(best, performance.now() - start);
  }
  return (COPY_BYTES / best) * 1000;
}
