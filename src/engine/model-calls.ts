/**
 * Requests to a language model: performs the actions of the pure machine in core/request/inflight.ts.
 * A *run* is one request to the model. Questions of a document join it, wait for it, or supersede
 * each other; a run that may still serve goes on without a question for a moment.
 */
import { present } from "../base/assert.ts";
import type { Dispose } from "../base/event.ts";
import { isAbort } from "../base/signal.ts";
import {
  type Backend,
  type BackendRequest,
  type Clock,
  CompletionError,
  type CursorView,
  type FinishReason,
  type InflightEvent,
  type InflightOptions,
  type InflightState,
  idleInflight,
  mayStillFit,
  nextInflight,
  type Question,
  type TokenScore,
  TokenScoreList,
  type Usage,
} from "../core/index.ts";
import type { HealedCutter } from "./healed-cutter.ts";
import { ModelUseCounter } from "./model-use.ts";

/**
 * A run nobody waits for goes on this long: an editor cancels just before it asks again, VS Code
 * 50 ms before. Whoever leaves for good has the model idle within 100 ms; where no later request can be
 * known to be about the same document, nothing goes on.
 */
const LINGER_MS = 55;

/** What a model said. */
export interface ModelReply {
  /** The view for which it was asked; an older one when the question joined a run. */
  readonly askedAt: CursorView;
  /** Text up to the first stop rule. */
  readonly text: string;
  readonly finishReason: FinishReason;
  /** Of the text's tokens; empty for a backend without log-probabilities. */
  readonly scores: readonly TokenScore[];
  readonly usage: Usage;
  /** From the start of the run to its first text, and from there to its end. */
  readonly ttftMs: number;
  readonly decodeMs: number;
  /** True when the text did not begin with what was demanded of it; it is `""` then. */
  readonly isMissed: boolean;
  /** True when the question did not start the run. */
  readonly isJoined: boolean;
}

/** How a question ends. */
export type ModelAnswerOrNone =
  | { readonly kind: "reply"; readonly reply: ModelReply }
  | { readonly kind: "superseded" };

/** What a run needs besides the question. */
export interface RunPlan {
  readonly question: Question;
  readonly request: BackendRequest;
  /** Makes the stop rules for the stream. */
  readonly createCutter: () => HealedCutter;
  /** The run is cut, or fails, after this time. */
  readonly timeoutMs: number;
}

interface Waiter {
  readonly resolve: (answer: ModelAnswerOrNone) => void;
  readonly reject: (error: unknown) => void;
}

interface Run {
  readonly plan: RunPlan;
  readonly cutter: HealedCutter;
  readonly scores: TokenScoreList;
  readonly controller: AbortController;
  readonly startedAt: number;
  firstTextAt: number | null;
  /** Of text, as they arrived: one for each token, where the server sends each. */
  pieces: number;
  text: string;
  reply: ModelReply | null;
  failure: unknown;
  /** Set when our time limit, not a person, ended it. */
  isLate: boolean;
}

export class ModelCalls {
  /** Counts requests as they are sent and end. */
  readonly use: ModelUseCounter = new ModelUseCounter();
  readonly #backend: Backend;
  readonly #clock: Clock;
  readonly #options: InflightOptions;
  readonly #plans = new Map<string, RunPlan>();
  readonly #runs = new Map<string, Run>();
  readonly #waiters = new Map<string, Waiter>();
  readonly #lingering = new Map<string, Dispose>();
  #state: InflightState = idleInflight;

  constructor(backend: Backend, clock: Clock, options: InflightOptions) {
    this.#backend = backend;
    this.#clock = clock;
    this.#options = options;
  }

  /** Number of requests that the backend works on now. */
  get running(): number {
    return this.#runs.size;
  }

  /**
   * Asks, joins what is under way, or waits for its turn. Rejects with `CompletionError` when the
   * model fails, and with the reason of `signal` when it aborts; the run itself may then go on.
   */
  async ask(plan: RunPlan, options: { readonly signal: AbortSignal }): Promise<ModelAnswerOrNone> {
    const { signal } = options;
    signal.throwIfAborted();
    const { id } = plan.question;
    const abandon = (): void => {
      this.#waiters.get(id)?.reject(signal.reason);
      this.#waiters.delete(id);
      this.#happen({ kind: "abandoned", question: id });
    };
    signal.addEventListener("abort", abandon, { once: true });
    try {
      return await new Promise<ModelAnswerOrNone>((resolve, reject) => {
        this.#plans.set(id, plan);
        this.#waiters.set(id, { resolve, reject });
        this.#happen({ kind: "asked", question: plan.question });
      });
    } finally {
      signal.removeEventListener("abort", abandon);
      this.#forgetPlan(id);
    }
  }

  /** True when a request that is under way may turn out to answer at this place of the document. */
  mayJoin(document: string, view: CursorView): boolean {
    return this.#state.runs.some(
      ({ origin, text }) => origin.document === document && mayStillFit(origin.view, text, view),
    );
  }

  /** The document changed and nothing is asked of the model. */
  moved(document: string, view: CursorView): void {
    if (this.#state.runs.length > 0 || this.#state.queue.length > 0) {
      this.#happen({ kind: "moved", document, view });
    }
  }

  /** Aborts every run. */
  close(): void {
    for (const run of this.#runs.values()) run.controller.abort(new Error("closed"));
    for (const stop of this.#lingering.values()) stop();
    this.#lingering.clear();
  }

  #happen(event: InflightEvent): void {
    const { state, actions } = nextInflight(this.#state, event, this.#options);
    this.#state = state;
    for (const action of actions) {
      switch (action.kind) {
        case "start":
          this.#stopLingering(action.run);
          // Its failures reach the waiters; the loop itself never rejects.
          void this.#run(present(this.#plans.get(action.run), `plan of run ${action.run}`));
          break;
        case "join":
          this.#stopLingering(action.run);
          break;
        case "cancel":
          this.#stopLingering(action.run);
          this.#runs.get(action.run)?.controller.abort(new Error("no longer useful"));
          break;
        case "linger":
          this.#linger(action.run);
          break;
        case "supersede":
          this.#settle(action.question, { kind: "superseded" });
          break;
        case "settle":
          this.#settleFrom(action.question, action.run);
          break;
      }
    }
  }

  async #run(plan: RunPlan): Promise<void> {
    const { id } = plan.question;
    const cutter = plan.createCutter();
    const run: Run = {
      plan,
      cutter,
      scores: new TokenScoreList(cutter.forcedLength),
      controller: new AbortController(),
      startedAt: this.#clock.now(),
      firstTextAt: null,
      pieces: 0,
      text: "",
      reply: null,
      failure: undefined,
      isLate: false,
    };
    this.#runs.set(id, run);
    const { priority } = plan.request;
    this.use.asked(priority === "invoked" ? "invoked" : "automatic");
    const stopTimer = this.#clock.after(plan.timeoutMs, () => {
      run.isLate = true;
      run.controller.abort(new Error("time limit"));
    });
    let isCancelled = false;
    try {
      await this.#read(run);
    } catch (error) {
      isCancelled = !run.isLate && isAbort(error, run.controller.signal);
      run.failure = run.isLate ? lateError(this.#backend, plan.timeoutMs, error) : error;
      if (run.isLate && run.text !== "") {
        run.text = run.cutter.finish();
        this.#finish(run, "timeout", countedByUs(run));
      }
    } finally {
      stopTimer();
      const hasFailed = run.isLate || (run.reply === null && !isCancelled);
      this.use.ended(hasFailed ? "failed" : this.#waiters.has(id) ? "in-time" : "late");
      const kind = run.reply === null ? "failed" : "finished";
      // A cancelled run is over for the machine already.
      if (!isCancelled) this.#happen({ kind, run: id });
      this.#runs.delete(id);
      this.#forgetPlan(id);
    }
  }

  async #read(run: Run): Promise<void> {
    const { cutter } = run;
    const { signal } = run.controller;
    for await (const event of this.#backend.complete(run.plan.request, { signal })) {
      // Under fake and instant backends an abort is seen here first.
      signal.throwIfAborted();
      if (event.kind === "done") {
        run.text = cutter.finish();
        const { usage } = event;
        const isCounted = usage.inputTokens > 0 || usage.outputTokens > 0;
        this.#finish(run, event.finishReason, isCounted ? usage : countedByUs(run));
        return;
      }
      run.firstTextAt ??= this.#clock.now();
      run.pieces++;
      run.scores.push(event);
      const { text, done } = cutter.push(event.text);
      const fresh = text.slice(run.text.length);
      run.text = text;
      if (done) {
        // Leaving the loop closes the connection: the model stops when our text is final.
        this.#finish(run, "stop", countedByUs(run));
        return;
      }
      if (fresh !== "") this.#happen({ kind: "text", run: run.plan.question.id, text: fresh });
    }
    throw new CompletionError(
      "BACKEND_BAD_RESPONSE",
      `${this.#backend.address} ended its answer without saying that it is done`,
    );
  }

  #finish(run: Run, finishReason: FinishReason, usage: Usage): void {
    const now = this.#clock.now();
    const firstTextAt = run.firstTextAt ?? now;
    run.reply = {
      askedAt: run.plan.question.view,
      text: run.text,
      finishReason,
      scores: run.scores.scores,
      usage,
      ttftMs: firstTextAt - run.startedAt,
      decodeMs: now - firstTextAt,
      isMissed: run.cutter.isMissed,
      isJoined: false,
    };
  }

  #settleFrom(question: string, runId: string): void {
    const run = present(this.#runs.get(runId), `run ${runId}`);
    if (run.reply === null) {
      this.#waiters.get(question)?.reject(run.failure);
      this.#waiters.delete(question);
      return;
    }
    const reply = { ...run.reply, isJoined: question !== runId };
    this.#settle(question, { kind: "reply", reply });
  }

  #settle(question: string, answer: ModelAnswerOrNone): void {
    this.#waiters.get(question)?.resolve(answer);
    this.#waiters.delete(question);
  }

  #linger(run: string): void {
    this.#stopLingering(run);
    const stop = this.#clock.after(LINGER_MS, () => {
      this.#lingering.delete(run);
      this.#happen({ kind: "lingered", run });
    });
    this.#lingering.set(run, stop);
  }

  #stopLingering(run: string): void {
    this.#lingering.get(run)?.();
    this.#lingering.delete(run);
  }

  /** A plan is needed while its question waits or its run goes on. */
  #forgetPlan(id: string): void {
    const isQueued = this.#state.queue.some((question) => question.id === id);
    if (!this.#runs.has(id) && !isQueued) this.#plans.delete(id);
  }
}

/** See `Usage`. */
function countedByUs({ plan, pieces }: Run): Usage {
  return { inputTokens: plan.request.prompt.tokens, cachedTokens: 0, outputTokens: pieces };
}

function lateError(backend: Backend, timeoutMs: number, cause: unknown): CompletionError {
  const message = `${backend.address} did not answer within ${timeoutMs} ms`;
  return new CompletionError("BACKEND_TIMEOUT", message, { cause });
}
