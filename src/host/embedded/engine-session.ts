/** What the child process does: opens the model once, then answers requests, one in each lane. */
import { assert, present } from "../../base/assert.ts";
import { CompletionError, type ErrorCode } from "../../core/index.ts";
import { type AnswerEnd, GivenUp, runAnswer } from "./answer.ts";
import type { Gate } from "./decode.ts";
import { type EngineSequence, loadEngineLibrary } from "./engine-library.ts";
import type { CompleteMessage, EngineReply, LaneName, OpenMessage } from "./messages.ts";
import { readCall } from "./messages.ts";
import { firstLine, type OpenedModel, openModel } from "./open-model.ts";

interface Running {
  readonly id: number;
  readonly over: Signal;
  readonly givenUp: Signal;
}

/** Something that happens once. */
interface Signal {
  readonly happened: boolean;
  readonly promise: Promise<void>;
  happen(): void;
}

export class EngineSession {
  readonly #send: (reply: EngineReply) => void;
  readonly #lanes = new Map<LaneName, Running>();
  readonly #sequences = new Map<LaneName, EngineSequence>();
  #opened: OpenedModel | null = null;

  constructor(send: (reply: EngineReply) => void) {
    this.#send = send;
  }

  /** Takes one message. Rejects for one that is none of ours, and for a second request in a lane. */
  async handle(value: unknown): Promise<void> {
    const call = readCall(value);
    switch (call.kind) {
      case "open":
        return this.#open(call);
      case "complete":
        return this.#complete(call);
      case "cancel":
        for (const running of this.#lanes.values()) {
          if (running.id === call.id) running.givenUp.happen();
        }
        return;
      case "count": {
        const { tokenizer } = present(this.#opened, "the model");
        const tokens = tokenizer.text(call.text).length;
        return this.#send({ kind: "counted", id: call.id, tokens });
      }
    }
  }

  async #open(call: OpenMessage): Promise<void> {
    try {
      const library = await loadEngineLibrary(call.engineFolder);
      const log = (message: string): void => this.#send({ kind: "log", message });
      const { facts, model } = await openModel(library, call, log);
      this.#opened = model;
      this.#send({ kind: "opened", facts });
    } catch (error) {
      this.#send({ kind: "unusable", ...coded(error, "MODEL_SERVER_FAILED") });
    }
  }

  async #complete(call: CompleteMessage): Promise<void> {
    const { id, lane } = call;
    assert(!this.#lanes.has(lane), `lane ${lane} is free`);
    const running: Running = { id, over: createSignal(), givenUp: createSignal() };
    this.#lanes.set(lane, running);
    let reply: EngineReply;
    try {
      reply = { kind: "ended", id, ...(await this.#answer(call, running)) };
    } catch (error) {
      reply = { kind: "failed", id, ...coded(error, "BACKEND_REFUSED") };
    }
    this.#lanes.delete(lane);
    running.over.happen();
    this.#send(reply);
  }

  async #answer(call: CompleteMessage, running: Running): Promise<AnswerEnd> {
    const { id, lane } = call;
    const opened = present(this.#opened, "the model");
    const sequence = this.#sequences.get(lane) ?? opened.context.getSequence();
    this.#sequences.set(lane, sequence);
    const gate: Gate = async () => {
      // What is asked ahead uses the model only while nobody waits for it.
      while (!running.givenUp.happened) {
        const inFront = lane === "prefetch" ? this.#lanes.get("foreground") : undefined;
        if (inFront === undefined) return;
        await Promise.race([inFront.over.promise, running.givenUp.promise]);
      }
      throw new GivenUp();
    };
    const emit = (text: string, logProbability: number | null): void =>
      this.#send({ kind: "text", id, text, logProbability });
    try {
      return await runAnswer(call, { ...opened, sequence, gate, emit });
    } catch (error) {
      // After a failure of the library the cache may hold what its books do not.
      if (!(error instanceof CompletionError)) {
        this.#sequences.delete(lane);
        await sequence.dispose();
      }
      throw error;
    }
  }
}

function createSignal(): Signal {
  let resolve = (): void => {};
  const promise = new Promise<void>((whenever) => {
    resolve = whenever;
  });
  let happened = false;
  return {
    get happened() {
      return happened;
    },
    promise,
    happen: () => {
      happened = true;
      resolve();
    },
  };
}

function coded(
  error: unknown,
  otherwise: ErrorCode,
): { readonly code: ErrorCode; readonly message: string } {
  return error instanceof CompletionError
    ? { code: error.code, message: error.message }
    : { code: otherwise, message: `The embedded engine failed: ${firstLine(error)}` };
}
