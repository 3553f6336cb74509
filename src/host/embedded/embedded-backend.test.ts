import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Log } from "../../core/index.ts";
import { buildEngineChild, buildScriptedEngine } from "../../testing/bundle.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import {
  describeGenerationContract,
  type GenerationPrompt,
  generate,
  generationRequest,
} from "../../testing/generation-contract.ts";
import { ggufFile } from "../../testing/gguf-file.ts";
import { systemClock } from "../clock.ts";
import { createEmbeddedBackend, type EmbeddedBackend } from "./embedded-backend.ts";
import type { EngineOptions } from "./engine.ts";

const folder = mkdtempSync(join(tmpdir(), "midspan-engine-test-"));
let childFile: URL;
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

beforeAll(async () => {
  childFile = await buildEngineChild(folder);
  await buildScriptedEngine(folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function modelFile(name = "scripted.gguf"): string {
  const file = join(folder, name);
  writeFileSync(file, ggufFile({ metadata: { "general.architecture": "llama" }, tensors: [] }));
  return file;
}

function start(changes: Partial<EngineOptions> = {}): Promise<EmbeddedBackend> {
  return createEmbeddedBackend({
    modelFile: modelFile(),
    engineFolder: folder,
    childFile,
    threads: 1,
    gpu: "off",
    contextTokens: 4096,
    speculates: true,
    log: silent,
    clock: systemClock,
    ...changes,
  });
}

/** Suffix first, so that what is typed stands at the end. */
function prompt(before: string, script: string): GenerationPrompt {
  return {
    pieces: [
      { isSentinel: true, text: "<|fim_suffix|>" },
      { isSentinel: false, text: `«${script}»` },
      { isSentinel: true, text: "<|fim_prefix|>" },
      { isSentinel: false, text: before },
      { isSentinel: true, text: "<|fim_middle|>" },
    ],
    cursorPiece: 3,
  };
}

describeGenerationContract("a scripted library", {
  start: (log) => start({ log }),
  contextTokens: 2048,
  short: prompt("f(", "return größe(🚀);"),
  endless: prompt("", "one, ".repeat(300)),
  around: (before) => prompt(before, "return größe(🚀);"),
});

describe("text comes piece by piece", () => {
  it("never in half characters, also when the token limit cuts one", async () => {
    const backend = await start();
    try {
      const pieces: string[] = [];
      const { signal } = new AbortController();
      const request = generationRequest(prompt("", "aé🚀b"), { logProbabilities: true });
      for await (const event of backend.complete(request, { signal })) {
        if (event.kind === "text") pieces.push(event.text);
      }
      expect(pieces).toEqual(["a", "é", "🚀", "b"]);
      const cut = await generate(backend, generationRequest(prompt("", "aé🚀b"), { maxTokens: 5 }));
      expect(cut).toMatchObject({ text: "aé", finishReason: "length", usage: { outputTokens: 5 } });
    } finally {
      await backend.close();
    }
  });

  it("adds up the log-probabilities of the tokens of a piece", async () => {
    const backend = await start();
    try {
      const request = generationRequest(prompt("", "🚀"), { logProbabilities: true });
      const { logProbabilities } = await generate(backend, request);
      expect(logProbabilities[0]).toBeCloseTo(4 * Math.log(0.5));
    } finally {
      await backend.close();
    }
  });

  it("takes an empty answer for what it is", async () => {
    const backend = await start();
    try {
      const answer = await generate(backend, generationRequest(prompt("", "")));
      expect(answer).toMatchObject({ text: "", finishReason: "stop", usage: { outputTokens: 0 } });
    } finally {
      await backend.close();
    }
  });
});

describe("native code may fail", () => {
  it("a crash costs one request; the cause is in the log", async () => {
    const warned: string[] = [];
    const log: Log = { ...silent, warn: (message) => warned.push(message) };
    const backend = await start({ log });
    try {
      const crash = generate(backend, generationRequest(prompt("", "!crash")));
      const waiting = generate(backend, generationRequest(prompt("", "fine")));
      await expect(crash).rejects.toMatchObject({ code: "BACKEND_UNREACHABLE" });
      expect((await waiting).text).toBe("fine");
      expect(warned).toContain("the embedded engine died");
    } finally {
      await backend.close();
    }
  });

  it("a failure of one pass costs one request and its cache", async () => {
    const backend = await start();
    try {
      const failing = generate(backend, generationRequest(prompt("", "!throw")));
      await expect(failing).rejects.toMatchObject({
        code: "BACKEND_REFUSED",
        message: "The embedded engine failed: decode failed",
      });
      const answer = await generate(backend, generationRequest(prompt("", "fine")));
      expect(answer).toMatchObject({ text: "fine", usage: { cachedTokens: 0 } });
    } finally {
      await backend.close();
    }
  });

  it("one that keeps crashing is left alone for half a minute, and then tried again", async () => {
    const clock = new FakeClock();
    const backend = await start({ clock });
    const crash = (): Promise<unknown> =>
      generate(backend, generationRequest(prompt("", "!crash"))).then(
        () => null,
        (error: unknown) => error,
      );
    try {
      for (let i = 0; i < 3; i++)
        expect(await crash()).toMatchObject({ code: "BACKEND_UNREACHABLE" });
      expect(await crash()).toMatchObject({
        code: "MODEL_SERVER_FAILED",
        message: "The embedded engine with scripted.gguf keeps dying; it is tried again in 30 s",
      });
      await clock.advance(30_000);
      expect((await generate(backend, generationRequest(prompt("", "fine")))).text).toBe("fine");
    } finally {
      await backend.close();
    }
  });

  it("a pass that never ends is ended half a minute after it was given up", async () => {
    const clock = new FakeClock();
    const backend = await start({ clock });
    try {
      const reason = new Error("too late");
      const controller = new AbortController();
      const request = generationRequest(prompt("", "!hang"));
      const hanging = generate(backend, request, controller.signal);
      const { signal } = new AbortController();
      // The child has read the request when it has answered this.
      await backend.countTokens?.("x", { signal });
      controller.abort(reason);
      await expect(hanging).rejects.toBe(reason);
      const next = generate(backend, generationRequest(prompt("", "fine")));
      await clock.advance(30_000);
      expect((await next).text).toBe("fine");
      expect(clock.pendingCount).toBe(0);
    } finally {
      await backend.close();
    }
  });
});

describe("what is missing or wrong is said before anything runs", () => {
  it.each([
    ["no file", { modelFile: join(folder, "nothing.gguf") }, "MODEL_NOT_FOUND", /nothing\.gguf/],
    [
      "no engine",
      { engineFolder: join(folder, "nowhere") },
      "MODEL_SERVER_FAILED",
      /engine install$/,
    ],
  ] as const)("%s", async (_, changes, code, message) => {
    const starting = start(changes);
    await expect(starting).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it("a file that is no model", async () => {
    const file = join(folder, "notes.gguf");
    writeFileSync(file, "These are notes and not a model at all.");
    await expect(start({ modelFile: file })).rejects.toMatchObject({ code: "MODEL_FILE_INVALID" });
  });

  it("a folder in which there is something else", async () => {
    const other = mkdtempSync(join(folder, "other-"));
    await buildScriptedEngine(other);
    writeFileSync(join(other, "node_modules", "node-llama-cpp", "dist", "index.js"), "export {};");
    await expect(start({ engineFolder: other })).rejects.toMatchObject({
      code: "MODEL_SERVER_FAILED",
      message: expect.stringMatching(/is not node-llama-cpp; install it again/),
    });
  });

  it.each([
    [
      "too-large.gguf",
      "The embedded engine has no memory for too-large.gguf; take a smaller model or fewer context tokens",
    ],
    ["broken.gguf", "The embedded engine cannot load broken.gguf: Failed to load model"],
  ])("the model %s", async (name, message) => {
    const starting = start({ modelFile: modelFile(name) });
    await expect(starting).rejects.toMatchObject({ code: "MODEL_SERVER_FAILED", message });
  });

  it("a graphics processor that the engine cannot use", async () => {
    await expect(start({ gpu: "metal" })).rejects.toMatchObject({
      code: "MODEL_SERVER_FAILED",
      message: expect.stringMatching(/GPU: metal\): NoBinaryFound\. More lines; install it again/),
    });
  });

  it("a process that ends before it says anything", async () => {
    const file = join(folder, "dying.mjs");
    writeFileSync(
      file,
      "process.stderr.write('cannot open shared object\\n'); process.exitCode = 7;",
    );
    await expect(start({ childFile: new URL(`file://${file}`) })).rejects.toMatchObject({
      code: "MODEL_SERVER_FAILED",
      message: "The embedded engine ended at its start (exit code 7: cannot open shared object)",
    });
  });

  it("a process that speaks something else", async () => {
    const file = join(folder, "strange.mjs");
    writeFileSync(file, "process.send({ kind: 'hello' }); setInterval(() => {}, 1000);");
    await expect(start({ childFile: new URL(`file://${file}`) })).rejects.toMatchObject({
      code: "MODEL_SERVER_FAILED",
      message: expect.stringMatching(/SIGKILL/),
    });
  });
});
