/** `midspan bench inference`: the product's parts around a real llama-server. */
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { createBackend, parseBackendSpec } from "../backend/index.ts";
import { resolveSettings } from "../config/resolve.ts";
import { type FimFormat, lexicalScopeProbe, resolveFormat } from "../core/index.ts";
import { Engine } from "../engine/index.ts";
import type { BenchReporter } from "../eval/bench-report.ts";
import { startTarget } from "../eval/bench-target.ts";
import { runInferenceBench } from "../eval/inference-bench.ts";
import {
  type BenchEngineOptions,
  type InferenceBenchOptions,
  type InferencePart,
  inferenceParts,
} from "../eval/inference-options.ts";
import type { InferenceBenchReport } from "../eval/inference-report.ts";
import { systemClock } from "../host/clock.ts";
import { createHttpClient } from "../host/http-client.ts";
import { startServedGateway } from "./bench-gateway.ts";
import { listenBenchEngine } from "./bench-parts.ts";
import { engineSettings } from "./engine-settings.ts";
import { UsageError } from "./exit.ts";

/** What the command line says; `null` takes the usual size. */
export interface InferenceBenchFlags {
  readonly quick: boolean;
  /** Comma-separated names of parts. */
  readonly parts: string | null;
  readonly cursors: number | null;
  readonly minutes: number | null;
  readonly answers: string | null;
}

/** Time for an answer: nobody waits here, and the machine may be busy. */
const TIMEOUT_MS = 60_000;
/** `bench` with this and an address is the relay in front of it. */
export const RELAY_TARGET = "target-relay:";
const TINY_FAMILY = "qwen2.5-coder";
/** Shows everything that passes the filters, yet is a threshold. */
const ANY_CHANCE = 1e-9;

/** What a bench or a training script needs of the product and of this machine. */
export type InferenceEnvironment = Pick<
  InferenceBenchOptions,
  | "command"
  | "models"
  | "formats"
  | "clock"
  | "http"
  | "createBackend"
  | "createEngine"
  | "listen"
  | "startRelay"
  | "serve"
>;

/** Runs the bench. Throws `UsageError` when the models are not named. */
export async function benchInference(
  flags: InferenceBenchFlags,
  options: { readonly corpusFolder: string; readonly reporter: BenchReporter },
): Promise<InferenceBenchReport> {
  const { quick } = flags;
  return withInferenceEnvironment((environment) =>
    runInferenceBench({
      ...environment,
      ...options,
      parts: partsOf(flags.parts),
      // Threads wait for each other: with one less than cores, a busy core stops none of them.
      threads: Math.max(1, availableParallelism() - 1),
      files: quick ? 5 : 20,
      keysPerFile: quick ? 15 : 30,
      cursors: flags.cursors ?? (quick ? 20 : 400),
      answersFile: flags.answers ?? join(options.corpusFolder, "inference-answers.jsonl"),
      replaysFile: flags.answers === null ? null : `${flags.answers}.replays`,
      qualityMinutes: flags.minutes ?? (quick ? 2 : 60),
    }),
  );
}

/**
 * The environment for as long as `work` takes. `MIDSPAN_TEST_GGUF` names the tiny model, beside which
 * the other lies, as llama-server sees them; `MIDSPAN_LLAMA_SERVER` is the command for that.
 */
export async function withInferenceEnvironment<T>(
  work: (environment: InferenceEnvironment) => Promise<T>,
): Promise<T> {
  const tiny = process.env.MIDSPAN_TEST_GGUF;
  if (tiny === undefined) {
    throw new UsageError(
      "bench inference needs MIDSPAN_TEST_GGUF, a small model beside which smol-fim.gguf lies, " +
        "and llama-server, or the command for it in MIDSPAN_LLAMA_SERVER",
    );
  }
  const http = createHttpClient({ isOffline: true });
  let requests = 0;
  try {
    return await work({
      command: (process.env.MIDSPAN_LLAMA_SERVER ?? "llama-server").split(" "),
      models: { tiny, quality: join(dirname(tiny), "smol-fim.gguf") },
      // The sentinels of the one are Qwen's, of the other StarCoder's, trained suffix first.
      formats: { tiny: formatOf(TINY_FAMILY), quality: prefixLast(formatOf("starcoder2")) },
      clock: systemClock,
      http,
      createBackend: ({ url, http: client, contextTokens, isPinned }) =>
        createBackend(parseBackendSpec(`llama.cpp:${url}`), {
          http: client,
          apiKey: null,
          extras: { contextTokens, slots: isPinned ? { foreground: 0, prefetch: 1 } : null },
        }),
      createEngine: (parts) => createEngine(parts, () => String(requests++)),
      listen: listenBenchEngine,
      startRelay: (url) => startTarget(["bench", `${RELAY_TARGET}${url}`]),
      serve: (server) =>
        startServedGateway({ ...server, family: TINY_FAMILY, threshold: ANY_CHANCE }),
    });
  } finally {
    await http.close();
  }
}

function createEngine(parts: BenchEngineOptions, nextId: () => string): Engine {
  const { backend, model, format, local, isHealed, isPrefetched, contextTokens, clock } = parts;
  const sources = { flags: {}, environment: {}, user: null, workspace: null };
  return new Engine({
    clock,
    settings: {
      ...engineSettings(resolveSettings(sources).settings),
      ...{ isHealed, isPrefetched, contextTokens, isWarmed: parts.isWarmed ?? false },
      threshold: ANY_CHANCE,
      timeoutMs: TIMEOUT_MS,
    },
    local,
    model: { backend, id: model, format, repositoryName: "bench" },
    scopes: lexicalScopeProbe,
    nextId,
    isExcluded: () => false,
  });
}

function formatOf(family: string): FimFormat {
  return resolveFormat({ model: family, backendKind: "llama.cpp", override: family });
}

function prefixLast(format: FimFormat): FimFormat {
  return format.fim === "client" ? { ...format, order: "spm2" } : format;
}

function partsOf(names: string | null): readonly InferencePart[] {
  if (names === null) return inferenceParts;
  return names.split(",").map((name) => {
    const part = inferenceParts.find((known) => known === name);
    if (part !== undefined) return part;
    throw new UsageError(
      `there is no part ${JSON.stringify(name)}; there are ${inferenceParts.join(", ")}`,
    );
  });
}
