/** What a measurement ran on, and how busy it was: printed with every table. */
import { readFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";

/** The machine and this program's runtime. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** Load average of the last minute; 0 on Windows. Above the number of cores, times are noise. */
  readonly load: number;
}

/** Reads it now. */
export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    load: loadavg()[0] ?? 0,
  };
}

/** One line for a person. */
export function machineLine(machine: Machine): string {
  const { processor, cores, memoryGb, system, node, load } = machine;
  return `${processor}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, load ${load.toFixed(2)}`;
}

/** CPU milliseconds of this process, user and system, all threads, since `since` or the start. */
export function cpuMs(since = 0): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 - since;
}

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** CPU milliseconds of another process since its start; `null` where the system does not say. */
export async function cpuMsOf(pid: number | null | undefined): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  // The second field is the name in brackets, which may hold blanks; user and system are 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
