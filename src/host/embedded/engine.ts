/**
 * The embedded engine as the program has it: hands requests to the child process, one in each lane,
 * and starts it again when it dies. What was waiting then goes to the new process; what was being
 * answered fails.
 */
import { basename } from "node:path";
import { assert } from "../../base/assert.ts";
import type { Dispose } from "../../base/event.ts";
import {
  type BackendEvent,
  type BackendRequest,
  type Clock,
  CompletionError,
  type Log,
} from "../../core/index.ts";
import { type EngineProcess, startEngineProcess } from "./engine-process.ts";
import { EventQueue } from "./event-queue.ts";
import { Lane } from "./lane.ts";
import type { CompleteMessage, EngineReply, GpuChoice, LaneName, OpenMessage } from "./messages.ts";

/** What an embedded engine is made of. Complete: the caller has put in every default. */
export interface EngineOptions {
  readonly modelFile: string;
  /** Where `midspan model engine install` has put the library. */
  readonly engineFolder: string;
  /** The built `dist/host/embedded/child.js`. */
  readonly childFile: URL;
  /** At most the cores that are good for arithmetic are used; more only spin. */
  readonly threads: number;
  readonly gpu: GpuChoice;
  /** Prompt and output together; the model's own limit if that is less. Each cache has so many. */
  readonly contextTokens: number;
  /** Guesses tokens and checks many at a time; the text is the same without. */
  readonly speculates: boolean;
  readonly log: Log;
  readonly clock: Clock;
}

/** So often in a row it is started again at once; then requests fail until the pause is over. */
const MAX_DEATHS = 3;
const PAUSE_MS = 30_000;
/** A step that goes on so long after its request was given up does not end at all. */
const STUCK_MS = 30_000;

/** One request between its caller and the child. */
interface Answer {
  readonly message: CompleteMessage;
  readonly events: EventQueue<BackendEvent>;
  /** Stops the watch over one that was given up. */
  unwatch: Dispose | null;
}

/** Requests on one side, a process that may die on the other. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #closing = new AbortController();
  readonly #lanes: Readonly<Record<LaneName, Lane<Answer>>> = {
    foreground: new Lane(),
    prefetch: new Lane(),
  };
  readonly #counts = new Map<number, EventQueue<number>>();
  #opening: Promise<EngineProcess> | null = null;
  #process: EngineProcess | null = null;
  #nextId = 0;
  /** In a row, without an answer between them. */
  #deaths = 0;
  #diedAt = 0;
  #gone = Promise.resolve();

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  get processId(): number | null {
    return this.#process?.processId ?? null;
  }

  async *complete(request: BackendRequest, signal: AbortSignal): AsyncGenerator<BackendEvent> {
    signal.throwIfAborted();
    const message = completeMessage(this.#nextId++, request, this.#options);
    const answer: Answer = { message, events: new EventQueue(), unwatch: null };
    const abort = (): void => {
      answer.events.fail(signal.reason);
      this.#leave(answer);
    };
    signal.addEventListener("abort", abort, { once: true });
    this.#lanes[message.lane].add(answer, request.priority === "invoked");
    this.#pump();
    try {
      for (;;) {
        const event = await answer.events.next();
        yield event;
        if (event.kind === "done") return;
      }
    } finally {
      signal.removeEventListener("abort", abort);
      this.#leave(answer);
    }
  }

  async countTokens(text: string, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    const process = await this.process();
    const id = this.#nextId++;
    const count = new EventQueue<number>();
    const abort = (): void => count.fail(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    this.#counts.set(id, count);
    process.send({ kind: "count", id, text });
    try {
      return await count.next();
    } finally {
      signal.removeEventListener("abort", abort);
      this.#counts.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new CompletionError("BACKEND_UNREACHABLE", this.#says("was closed")));
    await this.#opening?.catch(() => {});
    await this.#gone;
  }

  /** The process that runs, or the one that is being started. */
  process(): Promise<EngineProcess> {
    if (this.#opening !== null) return this.#opening;
    const opening = this.#start();
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }

  async #start(): Promise<EngineProcess> {
    const { log, clock } = this.#options;
    const pauseMs = this.#diedAt + PAUSE_MS - clock.now();
    if (this.#deaths >= MAX_DEATHS && pauseMs > 0) {
      const again = `it is tried again in ${Math.ceil(pauseMs / 1000)} s`;
      throw new CompletionError("MODEL_SERVER_FAILED", this.#says(`keeps dying; ${again}`));
    }
    let leave = (): void => {};
    this.#gone = new Promise((resolve) => {
      leave = resolve;
    });
    try {
      const process = await startEngineProcess({
        childFile: this.#options.childFile,
        open: openMessage(this.#options),
        onReply: (reply) => this.#take(reply),
        onExit: (how) => {
          leave();
          this.#died(how);
        },
        log,
        signal: this.#closing.signal,
      });
      this.#process = process;
      return process;
    } catch (error) {
      leave();
      this.#countDeath();
      throw error;
    }
  }

  /** Sends what may be sent. */
  #pump(): void {
    const waits = Object.values(this.#lanes).some((lane) => lane.isReady);
    if (!waits) return;
    this.process().then(
      (process) => {
        for (const lane of Object.values(this.#lanes)) {
          const answer = lane.next();
          if (answer !== null) process.send(answer.message);
        }
      },
      (error: unknown) => {
        for (const lane of Object.values(this.#lanes)) {
          for (const answer of lane.clear()) answer.events.fail(error);
        }
      },
    );
  }

  /** Nobody waits for it any more. The lane is free when the child says so. */
  #leave(answer: Answer): void {
    const { message } = answer;
    const lane = this.#lanes[message.lane];
    if (lane.drop(answer) || lane.current !== answer || answer.unwatch !== null) return;
    const process = this.#process;
    process?.send({ kind: "cancel", id: message.id });
    answer.unwatch = this.#options.clock.after(STUCK_MS, () => process?.kill());
  }

  #take(reply: EngineReply): void {
    if (reply.kind === "counted") this.#counts.get(reply.id)?.push(reply.tokens);
    if (reply.kind !== "text" && reply.kind !== "ended" && reply.kind !== "failed") return;
    const lane = Object.values(this.#lanes).find(({ current }) => current?.message.id === reply.id);
    const answer = lane?.current;
    if (lane === undefined || answer === null || answer === undefined) return;
    if (reply.kind === "text") {
      const { text, logProbability } = reply;
      answer.events.push(
        logProbability === null ? { kind: "text", text } : { kind: "text", text, logProbability },
      );
      return;
    }
    lane.free();
    answer.unwatch?.();
    this.#deaths = 0;
    if (reply.kind === "failed") answer.events.fail(new CompletionError(reply.code, reply.message));
    else {
      const { finishReason, usage } = reply;
      if (answer.unwatch !== null) this.#options.log.debug("an answer was given up", { ...usage });
      answer.events.push({ kind: "done", finishReason, usage });
    }
    this.#pump();
  }

  #died(how: string): void {
    this.#process = null;
    this.#opening = null;
    this.#countDeath();
    const error = this.#closing.signal.aborted
      ? this.#closing.signal.reason
      : new CompletionError(
          "BACKEND_UNREACHABLE",
          this.#says(`died (${how}); it is started again`),
        );
    for (const lane of Object.values(this.#lanes)) {
      const answer = lane.free();
      answer?.unwatch?.();
      answer?.events.fail(error);
    }
    for (const count of this.#counts.values()) count.fail(error);
    if (this.#closing.signal.aborted) return;
    // At once, so that the next request need not wait for it. A failure is told to those who ask.
    if (this.#deaths < MAX_DEATHS) this.process().catch(() => {});
    this.#pump();
  }

  #countDeath(): void {
    this.#deaths++;
    this.#diedAt = this.#options.clock.now();
  }

  #says(what: string): string {
    return `The embedded engine with ${basename(this.#options.modelFile)} ${what}`;
  }
}

function openMessage(options: EngineOptions): OpenMessage {
  const { engineFolder, modelFile, threads, gpu, contextTokens } = options;
  return { kind: "open", engineFolder, modelFile, threads, gpu, contextTokens };
}

function completeMessage(
  id: number,
  request: BackendRequest,
  { speculates }: EngineOptions,
): CompleteMessage {
  const { prompt, maxTokens, temperature, stop } = request;
  assert(prompt.kind === "rendered", "the embedded engine takes a rendered prompt");
  return {
    kind: "complete",
    id,
    lane: request.priority === "prefetch" ? "prefetch" : "foreground",
    prompt: { pieces: prompt.pieces ?? prompt.text, cursorPiece: prompt.cursorPiece ?? null },
    maxTokens,
    temperature,
    stop,
    forcedPrefix: request.forcedPrefix ?? "",
    grammar: request.grammar ?? null,
    logProbabilities: request.logProbabilities ?? false,
    drafts: speculates ? (request.drafts ?? []) : null,
  };
}
