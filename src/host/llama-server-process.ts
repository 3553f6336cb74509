/**
 * A llama-server of our own: started, waited for, started again when it dies (a few times, waiting
 * longer each time), and stopped with us.
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { basename } from "node:path";
import { type Clock, CompletionError, type HttpClient } from "../core/index.ts";
import { KeptProcess } from "./kept-process.ts";
import {
  isOptionalFlag,
  type LlamaServerPlan,
  llamaServerArguments,
} from "./llama-server-command.ts";
import { startFault } from "./llama-server-fault.ts";
import { pause } from "./pause.ts";

export interface LlamaServerOptions {
  /** Program and first arguments. */
  readonly command: readonly string[];
  readonly plan: Omit<LlamaServerPlan, "port">;
  /** The built `process-keeper`. */
  readonly keeperFile: URL | string;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Called for whatever happens to it after the start. */
  readonly onState: (state: LlamaServerState) => void;
  /** Gives up the start. */
  readonly signal: AbortSignal;
}

/** What happens to a server that was ready once. `gone`: it is not started again. */
export type LlamaServerState =
  | { readonly kind: "died"; readonly how: string; readonly waitMs: number }
  | { readonly kind: "back" }
  | { readonly kind: "gone"; readonly how: string };

/** A server that answers. */
export interface LlamaServer {
  readonly url: string;
  /** Nobody else on this machine can use it: web pages could otherwise. */
  readonly apiKey: string;
  /** Of the process at the moment; `null` while there is none. */
  readonly pid: number | null;
  /** Ends it for good; resolves when the process is gone. */
  stop(): Promise<void>;
}

/** Loading some hundred GB from a slow disk takes long, and a process that loads is alive. */
const LOAD_MS = 15 * 60_000;
const POLL_MS = 100;
const HEALTH_MS = 2_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;
/** Deaths in a row, each before the server ran for `STABLE_MS`, after which it is given up. */
const MAX_DEATHS = 5;
const STABLE_MS = 60_000;
/** Versions that lack some of the flags, and ports that are taken between two looks. */
const MAX_STARTS = 8;

/**
 * Starts the server on a free port of 127.0.0.1 and resolves when it has loaded its model. Throws
 * `MODEL_SERVER_FAILED` with the cause and the next step, or the signal's reason; nothing runs then.
 */
export async function startLlamaServer(options: LlamaServerOptions): Promise<LlamaServer> {
  const supervisor = new Supervisor(options);
  await supervisor.start();
  return supervisor;
}

class Supervisor implements LlamaServer {
  readonly apiKey: string = randomBytes(24).toString("base64url");
  readonly #options: LlamaServerOptions;
  readonly #stopped = new AbortController();
  readonly #unknownFlags = new Set<string>();
  #process: KeptProcess | null = null;
  #port = 0;
  #watching: Promise<void> = Promise.resolve();

  constructor(options: LlamaServerOptions) {
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  async start(): Promise<void> {
    this.#port = await freePort();
    const ready = await this.#launch(this.#options.signal, { mayMove: true });
    this.#watching = this.#watch(ready);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#process?.stop();
    await this.#watching;
  }

  /** Starts a process and waits until it answers, leaving out what it does not know. */
  async #launch(signal: AbortSignal, { mayMove }: { mayMove: boolean }): Promise<KeptProcess> {
    for (let starts = 1; ; starts++) {
      const { process, how } = await this.#attempt(signal);
      if (how === null) return process;
      const program = programName(this.#options.command);
      const fault = startFault(process.log, how);
      const mayTry = starts < MAX_STARTS;
      if (mayTry && fault.kind === "flag" && isOptionalFlag(fault.flag)) {
        this.#unknownFlags.add(fault.flag);
      } else if (mayTry && fault.kind === "port" && mayMove) {
        this.#port = await freePort();
      } else {
        throw failed(program, fault.kind === "fault" ? fault.says : wordsFor(fault, this.#port));
      }
    }
  }

  /** `how` it ended, or `null` when it is ready. */
  async #attempt(
    signal: AbortSignal,
  ): Promise<{ readonly process: KeptProcess; readonly how: string | null }> {
    signal.throwIfAborted();
    const { command, plan, keeperFile } = this.#options;
    const [program = "", ...first] = command;
    const kept = new KeptProcess({
      keeperFile,
      command: program,
      arguments: [
        ...first,
        ...llamaServerArguments({ ...plan, port: this.#port }, this.#unknownFlags),
      ],
      environment: { ...process.env, LLAMA_API_KEY: this.apiKey },
    });
    this.#process = kept;
    const ended = new AbortController();
    void kept.ended.then((how) => ended.abort(how));
    try {
      const both = AbortSignal.any([signal, ended.signal, AbortSignal.timeout(LOAD_MS)]);
      while (!(await this.#isHealthy(both))) await pause(this.#options.clock, POLL_MS, both);
      return { process: kept, how: null };
    } catch (error) {
      if (ended.signal.aborted) return { process: kept, how: await kept.ended };
      await kept.stop();
      signal.throwIfAborted();
      const isLate = error instanceof Error && error.name === "TimeoutError";
      throw isLate
        ? failed(programName(command), "did not load its model in 15 minutes; look at its log")
        : error;
    }
  }

  async #isHealthy(signal: AbortSignal): Promise<boolean> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(HEALTH_MS)]);
    try {
      const request = { method: "GET", url: `${this.url}/health`, headers: {} } as const;
      const { status, body } = await this.#options.http.send(request, { signal: limit });
      for await (const _ of body);
      return status === 200;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  /** Waits for its death and starts it again, until it is stopped or dies too often. */
  async #watch(first: KeptProcess): Promise<void> {
    const { clock, onState } = this.#options;
    const { signal } = this.#stopped;
    let kept = first;
    let deaths = 0;
    for (;;) {
      const since = clock.now();
      const how = await kept.ended;
      if (signal.aborted) return;
      deaths = clock.now() - since > STABLE_MS ? 1 : deaths + 1;
      if (deaths > MAX_DEATHS) {
        onState({ kind: "gone", how: `${how} ${deaths} times in a row` });
        return;
      }
      const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (deaths - 1));
      onState({ kind: "died", how, waitMs });
      try {
        await pause(clock, waitMs, signal);
        kept = await this.#launch(signal, { mayMove: false });
        onState({ kind: "back" });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof CompletionError)) throw error;
        onState({ kind: "gone", how: error.message });
        return;
      }
    }
  }
}

/** `llama-server`, also of `chroot /srv llama-server --verbose`. */
function programName(command: readonly string[]): string {
  return basename(command.findLast((word) => !word.startsWith("-")) ?? "");
}

function wordsFor(fault: { readonly kind: "flag"; flag: string } | { kind: "port" }, port: number) {
  return fault.kind === "flag"
    ? `does not know ${fault.flag}; install a newer llama.cpp`
    : `cannot listen on port ${port}, which another program took`;
}

function failed(program: string, says: string): CompletionError {
  return new CompletionError("MODEL_SERVER_FAILED", `${program} ${says}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        resolve(typeof address === "object" && address !== null ? address.port : 0),
      );
    });
  });
}
