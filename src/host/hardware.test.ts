import { availableParallelism, totalmem } from "node:os";
import { describe, expect, it } from "vitest";
import { findGpus } from "./gpus.ts";
import { coresIn, findHardware } from "./hardware.ts";

const GIB = 1024 ** 3;

function gpusOf(
  printed: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = "linux",
): ReturnType<typeof findGpus> {
  const run = async (program: string): Promise<string | null> => printed[program] ?? null;
  return findGpus({ run, platform, memoryBytes: 32 * GIB });
}

describe("findGpus", () => {
  it("finds none where no driver is", async () => {
    expect(await gpusOf({})).toEqual([]);
  });

  it("reads nvidia-smi", async () => {
    const csv =
      "NVIDIA GeForce RTX 4060 Laptop GPU, 8188, 7710\nNVIDIA H200, 143771, [N/A]\nrubbish\n";
    expect(await gpusOf({ "nvidia-smi": csv })).toEqual([
      {
        vendor: "nvidia",
        name: "NVIDIA H200",
        memoryBytes: 143_771 * 1024 ** 2,
        freeBytes: null,
      },
      {
        vendor: "nvidia",
        name: "NVIDIA GeForce RTX 4060 Laptop GPU",
        memoryBytes: 8_188 * 1024 ** 2,
        freeBytes: 7_710 * 1024 ** 2,
      },
    ]);
  });

  it("reads rocm-smi", async () => {
    const json = JSON.stringify({
      card0: {
        "Card Series": "Radeon RX 7900 XTX",
        "VRAM Total Memory (B)": "25753026560",
        "VRAM Total Used Memory (B)": "1234567890",
      },
      system: { "Driver version": "6.1" },
    });
    expect(await gpusOf({ "rocm-smi": json })).toEqual([
      {
        vendor: "amd",
        name: "Radeon RX 7900 XTX",
        memoryBytes: 25_753_026_560,
        freeBytes: 25_753_026_560 - 1_234_567_890,
      },
    ]);
  });

  it("counts the shared memory of a Mac, and not its old graphics processors", async () => {
    const json = JSON.stringify({
      SPDisplaysDataType: [
        { sppci_model: "Apple M3 Max" },
        { sppci_model: "Intel Iris", spdisplays_vram_shared: "1536 MB" },
      ],
    });
    expect(await gpusOf({ system_profiler: json }, "darwin")).toEqual([
      { vendor: "apple", name: "Apple M3 Max", memoryBytes: 32 * GIB * 0.7, freeBytes: null },
    ]);
  });

  it.each(["", "[]", "null", "{", '{"card0": 1}'])("takes %j for nothing", async (text) => {
    expect(await gpusOf({ "rocm-smi": text, "nvidia-smi": text })).toEqual([]);
    expect(await gpusOf({ system_profiler: text }, "darwin")).toEqual([]);
  });
});

describe("coresIn", () => {
  it("counts a core with two threads once, and sockets apart", () => {
    const block = (socket: number, core: number): string =>
      `processor\t: 0\nphysical id\t: ${socket}\ncore id\t\t: ${core}\n`;
    expect(coresIn([block(0, 0), block(0, 1), block(0, 0), block(1, 0)].join("\n"))).toBe(3);
    expect(coresIn("processor\t: 0\nBogoMIPS: 50\n\nprocessor\t: 1\n")).toBe(0);
  });
});

describe("findHardware", () => {
  it("finds memory and cores of this machine", async () => {
    const found = await findHardware({ run: async () => null, measures: true });
    expect(found.gpus).toEqual([]);
    expect(found.memoryBytes).toBeGreaterThan(1e8);
    expect(found.memoryBytes).toBeLessThanOrEqual(totalmem());
    expect(found.cores).toBeGreaterThanOrEqual(1);
    expect(found.cores).toBeLessThanOrEqual(availableParallelism());
    expect(found.copyBytesPerSecond).toBeGreaterThan(1e7);
  });
});
