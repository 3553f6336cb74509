import { describe, expect, it } from "vitest";
import type { Hardware } from "../hardware.ts";
import { recommend } from "./recommend.ts";

const laptop: Hardware = {
  memoryBytes: 16e9,
  cores: 8,
  copyBytesPerSecond: 1e10,
  gpus: [],
};

function namesFor(changes: Partial<Hardware>): (string | null)[] {
  return recommend({ ...laptop, ...changes }).map(({ model }) => model?.name ?? null);
}

const gpu = (gigabytes: number, freeGigabytes: number | null = null) =>
  ({
    vendor: "nvidia",
    name: "Card",
    memoryBytes: gigabytes * 1e9,
    freeBytes: freeGigabytes === null ? null : freeGigabytes * 1e9,
  }) as const;

describe("recommend", () => {
  it("names one for this machine, for a team and for the smallest machine", () => {
    expect(recommend(laptop).map(({ purpose }) => purpose)).toEqual([
      "this machine",
      "a team server",
      "the smallest machine",
    ]);
    expect(namesFor({})).toEqual(["qwen2.5-coder-1.5b", "qwen2.5-coder-7b", "qwen2.5-coder-0.5b"]);
  });

  it("goes by time where there is memory enough", () => {
    expect(namesFor({ cores: 2, copyBytesPerSecond: 5e9 })[0]).toBe("qwen2.5-coder-0.5b");
    expect(namesFor({ cores: 64, copyBytesPerSecond: 1e11, memoryBytes: 256e9 })[0]).toBe(
      "qwen2.5-coder-14b",
    );
  });

  it("goes by memory where there is time enough, and names none where there is not", () => {
    const fast = { cores: 64, copyBytesPerSecond: 1e12 };
    expect(namesFor({ ...fast, memoryBytes: 5e9 })[0]).toBe("qwen2.5-coder-1.5b");
    expect(namesFor({ ...fast, memoryBytes: 2e9 })[0]).toBe("qwen2.5-coder-0.5b");
    const [none] = recommend({ ...laptop, ...fast, memoryBytes: 1e9 });
    expect(none).toMatchObject({ model: null, commands: [] });
    expect(none?.reasons.join()).toMatch(/1\.0 GB of memory.*local model answers/);
  });

  it("says so when even the smallest is slow", () => {
    const [slow] = recommend({ ...laptop, cores: 1, copyBytesPerSecond: 5e8 });
    expect(slow?.model?.name).toBe("qwen2.5-coder-0.5b");
    expect(slow?.reasons.join()).toMatch(/takes about 6\.\d s there.*too long to wait for/);
  });

  it("fills a graphics processor, as far as it is free", () => {
    expect(namesFor({ gpus: [gpu(24)] })[0]).toBe("qwen2.5-coder-14b");
    expect(namesFor({ gpus: [gpu(12)] })[0]).toBe("qwen2.5-coder-7b");
    expect(namesFor({ gpus: [gpu(24, 3)] })[0]).toBe("qwen2.5-coder-1.5b");
    // Too small to be of use: as without it.
    expect(namesFor({ gpus: [gpu(0.5)] })[0]).toBe("qwen2.5-coder-1.5b");
  });

  it("takes a larger model for a team where the card holds it", () => {
    expect(namesFor({ gpus: [gpu(24)] })[1]).toBe("qwen2.5-coder-7b");
    expect(namesFor({ gpus: [gpu(144)] })[1]).toBe("qwen2.5-coder-32b");
  });

  it("names no model that must not be used at work", () => {
    for (const memoryBytes of [4e9, 8e9, 16e9, 32e9, 64e9]) {
      for (const { model } of recommend({ ...laptop, memoryBytes, cores: 128 })) {
        expect(model?.licence ?? "").not.toMatch(/non-/);
      }
    }
  });

  it("gives each a reason and something to type", () => {
    for (const { commands, reasons } of recommend({ ...laptop, gpus: [gpu(24)] })) {
      expect(commands.length).toBeGreaterThan(0);
      expect(reasons.join()).toMatch(/\d+\.\d % of missing lines.*as published/);
      expect(reasons.every((reason) => !reason.endsWith("."))).toBe(true);
    }
  });
});
