/**
 * Graphics processors by the programs that come with their drivers. What a program prints is taken
 * as it is documented; a program that is missing or prints something else tells nothing.
 */
import type { RunProgram } from "./run-program.ts";

export interface Gpu {
  readonly vendor: "nvidia" | "amd" | "apple";
  readonly name: string;
  readonly memoryBytes: number;
  /** Free at the moment; `null` when the driver does not say. */
  readonly freeBytes: number | null;
}

/** Apple's graphics processors share the memory of the machine and may use most of it. */
const APPLE_SHARE = 0.7;

/** Those of this machine, the one with the most memory first. */
export async function findGpus(options: {
  readonly run: RunProgram;
  readonly platform: NodeJS.Platform;
  readonly memoryBytes: number;
}): Promise<readonly Gpu[]> {
  const { run, platform, memoryBytes } = options;
  if (platform === "darwin") {
    const text = await run("system_profiler", ["SPDisplaysDataType", "-json"]);
    return appleGpus(text ?? "", memoryBytes);
  }
  const [nvidia, amd] = await Promise.all([
    run("nvidia-smi", [
      "--query-gpu=name,memory.total,memory.free",
      "--format=csv,noheader,nounits",
    ]),
    run("rocm-smi", ["--showproductname", "--showmeminfo", "vram", "--json"]),
  ]);
  const gpus = [...nvidiaGpus(nvidia ?? ""), ...amdGpus(amd ?? "")];
  return gpus.sort((a, b) => b.memoryBytes - a.memoryBytes);
}

/** Lines of `NAME, MiB, MiB`. */
function nvidiaGpus(csv: string): Gpu[] {
  return csv.split("\n").flatMap((line) => {
    const [, name = "", total = "", free = ""] = /^(.+),\s*(\d+),\s*(\S+)\s*$/.exec(line) ?? [];
    const memoryBytes = mebibytes(total);
    if (memoryBytes === 0) return [];
    const freeBytes = /^\d+$/.test(free) ? mebibytes(free) : null;
    return [{ vendor: "nvidia", name: name.trim(), memoryBytes, freeBytes }];
  });
}

/** `{"card0": {"Card Series": …, "VRAM Total Memory (B)": "…", "VRAM Total Used Memory (B)": "…"}}` */
function amdGpus(json: string): Gpu[] {
  return Object.entries(objectIn(json)).flatMap(([card, facts]) => {
    const found = fieldsOf(facts);
    const memoryBytes = Number(found["VRAM Total Memory (B)"] ?? 0);
    if (!card.startsWith("card") || !(memoryBytes > 0)) return [];
    const used = Number(found["VRAM Total Used Memory (B)"] ?? Number.NaN);
    const name = found["Card Series"] ?? found["Card series"] ?? found["Card Model"] ?? "AMD GPU";
    const freeBytes = Number.isNaN(used) ? null : Math.max(0, memoryBytes - used);
    return [{ vendor: "amd", name: String(name), memoryBytes, freeBytes }];
  });
}

function appleGpus(json: string, memoryBytes: number): Gpu[] {
  const list = objectIn(json).SPDisplaysDataType;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => {
    const name = String(fieldsOf(entry).sppci_model ?? "");
    // Intel's and AMD's of older machines are not worth the trouble for a model.
    if (!name.startsWith("Apple ")) return [];
    return [{ vendor: "apple", name, memoryBytes: memoryBytes * APPLE_SHARE, freeBytes: null }];
  });
}

function mebibytes(text: string): number {
  return Number(text) * 1024 * 1024;
}

function objectIn(json: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(json));
  } catch {
    return {};
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
