/** The embedded engine with the real library and a small model whose sentinels are Qwen's. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Log } from "../../src/core/index.ts";
import { readSourceFiles, type SourceFile } from "../../src/eval/source-file.ts";
import { speculationCases } from "../../src/eval/speculation-cases.ts";
import { systemClock } from "../../src/host/clock.ts";
import {
  createEmbeddedBackend,
  type EmbeddedBackend,
} from "../../src/host/embedded/embedded-backend.ts";
import { createRandom } from "../../src/stats/random.ts";
import { buildEngineChild } from "../../src/testing/bundle.ts";
import {
  describeGenerationContract,
  type GenerationPrompt,
  generate,
  generationRequest,
} from "../../src/testing/generation-contract.ts";
import { findEngine, howToGetEngine } from "./embedded-engine.ts";

const folder = mkdtempSync(join(tmpdir(), "midspan-engine-test-"));
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
let childFile: URL;

beforeAll(async () => {
  childFile = await buildEngineChild(folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function start(speculates: boolean, log: Log = silent): Promise<EmbeddedBackend> {
  const setup = findEngine();
  if (setup === null) throw new Error(howToGetEngine);
  const fixed = { childFile, threads: 1, gpu: "off", contextTokens: 2048 } as const;
  return createEmbeddedBackend({ ...setup, ...fixed, speculates, log, clock: systemClock });
}

/** Suffix first: what is typed stands at the end of the prompt. */
function prompt(before: string, after: string): GenerationPrompt {
  return {
    pieces: [
      { isSentinel: true, text: "<|fim_suffix|>" },
      { isSentinel: false, text: after },
      { isSentinel: true, text: "<|fim_prefix|>" },
      { isSentinel: false, text: before },
      { isSentinel: true, text: "<|fim_middle|>" },
    ].filter(({ text }) => text !== ""),
    cursorPiece: after === "" ? 2 : 3,
  };
}

const loop = `export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += `;
const rest = `;
  }
  return sum;
}
`;

describeGenerationContract("node-llama-cpp", {
  start: (log) => start(true, log),
  contextTokens: 2048,
  short: prompt(loop, rest),
  endless: {
    pieces: [{ isSentinel: false, text: "const a = 1;\nconst b = 2;\nconst c = 3;\n" }],
    cursorPiece: 0,
  },
  around: (before) => prompt(before, rest),
});

/** Our own sources: code that nobody generated. */
function ownSources(): Promise<readonly SourceFile[]> {
  const root = join(import.meta.dirname, "..", "..");
  const folders = ["src/core", "src/engine", "src/host"];
  return readSourceFiles({ root, folders, extensions: [".ts"], languageId: "typescript" });
}

describe("drafts and cache change nothing", () => {
  it("in the greedy answers to 200 prompts", async () => {
    const cases = speculationCases(await ownSources(), { count: 67, random: createRandom(1) });
    expect(cases.length).toBeGreaterThanOrEqual(200);
    const requests = cases.map(({ prefix, suffix, drafts }) =>
      generationRequest(prompt(prefix.slice(-500), suffix.slice(0, 200)), {
        maxTokens: 24,
        drafts,
      }),
    );
    const plain = await start(false);
    const drafting = await start(true);
    let [plainSteps, draftSteps] = [0, 0];
    try {
      const texts: string[] = [];
      for (const request of requests) {
        const { text, usage } = await generate(plain, request);
        texts.push(text);
        plainSteps += usage.decodeSteps ?? 0;
      }
      // Backwards, so that each prompt finds another cache; and again with its own.
      const others: string[] = [];
      const again: string[] = [];
      for (const request of requests.toReversed()) {
        const { text, usage } = await generate(drafting, request);
        others.unshift(text);
        draftSteps += usage.decodeSteps ?? 0;
        again.unshift((await generate(drafting, request)).text);
      }
      expect(others).toEqual(texts);
      expect(again).toEqual(texts);
    } finally {
      await plain.close();
      await drafting.close();
    }
    expect(plainSteps / draftSteps).toBeGreaterThan(1.5);
  }, 120_000);
});
