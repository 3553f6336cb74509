/** What `midspan bench inference` is asked to do, and what it needs of the product and the machine. */
import type { Backend, Clock, FimFormat, HttpClient } from "../core/index.ts";
import type { Engine } from "../engine/index.ts";
import type { LocalModel } from "../local/index.ts";
import type { BenchReporter } from "./bench-report.ts";
import type { BenchTarget } from "./bench-target.ts";
import type { ServedProcess } from "./inference-load.ts";
import {
  type InferenceServer,
  type InferenceServerOptions,
  startInferenceServer,
} from "./inference-server.ts";

/** Parts of the bench, in their order. */
export const inferenceParts = ["replay", "load", "abort", "quality", "windows", "blocks"] as const;
export type InferencePart = (typeof inferenceParts)[number];

/** What differs from the product's defaults in an engine for a bench. */
export interface BenchEngineOptions {
  readonly backend: Backend;
  readonly model: string;
  readonly format: FimFormat;
  readonly local: LocalModel | null;
  readonly isHealed: boolean;
  readonly isPrefetched: boolean;
  /** Absent: false. */
  readonly isWarmed?: boolean;
  readonly contextTokens: number;
  readonly clock: Clock;
}

export interface InferenceBenchOptions {
  readonly parts: readonly InferencePart[];
  readonly corpusFolder: string;
  /** `llama-server`, and what it runs inside, if anything. */
  readonly command: readonly string[];
  /** A model of milliseconds for counts, and one whose answers mean something. */
  readonly models: { readonly tiny: string; readonly quality: string };
  readonly formats: { readonly tiny: FimFormat; readonly quality: FimFormat };
  /** Of the quality model's server. */
  readonly threads: number;
  readonly files: number;
  readonly keysPerFile: number;
  /** Held-out cursors per package; they take hours, so answers are kept in `answersFile`. */
  readonly cursors: number;
  readonly answersFile: string;
  /** Finished ways of typing are kept here, to be continued; `null` keeps none. */
  readonly replaysFile: string | null;
  /** After this time no more cursors are asked; those of the file are reported. */
  readonly qualityMinutes: number;
  readonly clock: Clock;
  readonly http: HttpClient;
  readonly createBackend: (server: {
    readonly url: string;
    readonly http: HttpClient;
    readonly contextTokens: number;
    /** One slot for what is waited for, one for what is asked ahead. */
    readonly isPinned: boolean;
  }) => Backend;
  readonly createEngine: (options: BenchEngineOptions) => Engine;
  /** Our server in front of an engine, in this process. */
  readonly listen: (engine: Engine) => Promise<{ readonly url: string; close(): Promise<void> }>;
  /** A bare relay in front of a model server, in a process of its own. */
  readonly startRelay: (serverUrl: string) => Promise<BenchTarget>;
  /** The product in a process of its own, in front of a model server with the tiny model. */
  readonly serve: (options: {
    readonly serverUrl: string;
    readonly contextTokens: number;
  }) => Promise<ServedProcess & { close(): Promise<void> }>;
  readonly reporter: BenchReporter;
}

export const SLOT_TOKENS = 2_048;
/** Small, since an abort is noticed between batches. */
export const BATCH_TOKENS = 128;

/** A server for as long as `work` takes. */
export async function withServer<T>(
  options: InferenceBenchOptions,
  size: Pick<InferenceServerOptions, "model" | "slots" | "batchTokens" | "threads">,
  work: (server: InferenceServer) => Promise<T>,
): Promise<T> {
  options.reporter.note("starting llama-server");
  const { command } = options;
  const server = await startInferenceServer({ ...size, command, contextTokens: SLOT_TOKENS });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}
