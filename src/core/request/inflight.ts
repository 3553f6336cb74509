/**
 * Which question starts a request to a language model, which joins one that runs, and which requests
 * end early. Pure: an event goes in, the next state and a list of actions come out.
 *
 * A *question* is one request for a completion that got as far as needing the model. A *run* is one
 * request to the model; it bears the id of the question that started it. Questions of one document
 * supersede each other, the newest wins. A run outlives the question that started it as long as its
 * text may still serve: an editor cancels the question of the last key just before it asks the next.
 */
import { assertNever } from "../../base/assert.ts";
import type { CursorView } from "./cursor-view.ts";
import { mayStillFit } from "./reuse.ts";

/**
 * What becomes of a run that the newest question of its document does not join.
 * - `join`: it goes on while it may still fit what is typed, and is cancelled otherwise.
 * - `detach`: it goes on in any case; its answer serves the cache.
 * - `cancel`: it is cancelled at once, for a backend that serves one request at a time.
 */
export type SupersedePolicy = "join" | "detach" | "cancel";

/** Options of the machine; the same for all events of a backend. */
export interface InflightOptions {
  readonly policy: SupersedePolicy;
  /** At most this many runs at a time; further questions wait for their turn. At least 1. */
  readonly maxRuns: number;
}

/** One question, complete. */
export interface Question {
  /** Unique among all questions. */
  readonly id: string;
  /** What it belongs to; questions of one document supersede each other. Unique when there is none. */
  readonly document: string;
  /** The exact question, as `answerKey` makes it. */
  readonly key: string;
  readonly view: CursorView;
  /** The document will not be known again, so no later question can join. Absent: false. */
  readonly isOnce?: boolean;
}

/** What happens. */
export type InflightEvent =
  | { readonly kind: "asked"; readonly question: Question }
  /** The document changed and nothing is asked: the policy said no, or an older answer fits. */
  | { readonly kind: "moved"; readonly document: string; readonly view: CursorView }
  /** Nobody waits for the question any more. */
  | { readonly kind: "abandoned"; readonly question: string }
  /** A run goes on without a question for as long as the caller lets it, and this time is over. */
  | { readonly kind: "lingered"; readonly run: string }
  | { readonly kind: "text"; readonly run: string; readonly text: string }
  | { readonly kind: "finished"; readonly run: string }
  | { readonly kind: "failed"; readonly run: string };

/** What the caller has to do. */
export type InflightAction =
  /** Ask the model for this question. Exactly one of cancel, finished or failed ends the run. */
  | { readonly kind: "start"; readonly run: string }
  /** The question will be settled by this run. */
  | { readonly kind: "join"; readonly question: string; readonly run: string }
  /** Abort the run down to the model. It is over for the machine; late events of it are ignored. */
  | { readonly kind: "cancel"; readonly run: string }
  /** Nobody waits for the run now: send `lingered` after a while. A later `linger` begins anew. */
  | { readonly kind: "linger"; readonly run: string }
  /** A newer question of the document, or a change of it, took the place of this one. */
  | { readonly kind: "supersede"; readonly question: string }
  /** The run of this question ended; its text, or its failure, is the answer. */
  | {
      readonly kind: "settle";
      readonly question: string;
      readonly run: string;
      readonly end: "finished" | "failed";
    };

/** A request to the model that is under way. */
interface Run {
  /** The question that started it; its id is the run's. */
  readonly origin: Question;
  /** What arrived so far. */
  readonly text: string;
  /** Who waits for it. */
  readonly waiting: readonly Question[];
}

/** Runs, and questions for which there is no room yet; oldest first. */
export interface InflightState {
  readonly runs: readonly Run[];
  readonly queue: readonly Question[];
}

/** Nothing is under way. */
export const idleInflight: InflightState = { runs: [], queue: [] };

/** A state and the actions that led to it. */
export interface InflightStep {
  readonly state: InflightState;
  /** To be done in this order. */
  readonly actions: readonly InflightAction[];
}

/** The next state and what is to be done. Events of unknown ids do nothing. */
export function nextInflight(
  state: InflightState,
  event: InflightEvent,
  options: InflightOptions,
): InflightStep {
  return fill(apply({ state, actions: [] }, event, options), options);
}

function apply(step: InflightStep, event: InflightEvent, options: InflightOptions): InflightStep {
  switch (event.kind) {
    case "asked": {
      const { question } = event;
      const free = supersede(step, question.document);
      const joined = runFor(free.state, question)?.origin.id ?? null;
      return place(leave(free, question, joined, options), question, options);
    }
    case "moved":
      return leave(supersede(step, event.document), event, null, options);
    case "abandoned":
      return abandon(step, event.question, options);
    case "lingered": {
      const run = step.state.runs.find(({ origin }) => origin.id === event.run);
      return run === undefined || run.waiting.length > 0 ? step : cancel(step, run);
    }
    case "text":
      return receive(step, event, options);
    case "finished":
    case "failed":
      return end(step, event, options);
    default:
      return assertNever(event);
  }
}

/** Older questions of the document get no answer any more. */
function supersede(step: InflightStep, document: string): InflightStep {
  const { runs, queue } = step.state;
  const isOther = (question: Question): boolean => question.document !== document;
  const older = [...queue, ...runs.flatMap((run) => run.waiting)].filter((q) => !isOther(q));
  const state = {
    runs: runs.map((run) => ({ ...run, waiting: run.waiting.filter(isOther) })),
    queue: queue.filter(isOther),
  };
  return act(step, state, ...older.map(({ id }) => ({ kind: "supersede", question: id }) as const));
}

/** Applies the policy to the document's runs for which nobody waits, all but `joined`. */
function leave(
  step: InflightStep,
  now: { readonly document: string; readonly view: CursorView },
  joined: string | null,
  options: InflightOptions,
): InflightStep {
  const left = step.state.runs.filter(
    ({ origin, waiting }) =>
      origin.id !== joined && origin.document === now.document && waiting.length === 0,
  );
  return left.reduce((next, run) => {
    const mayFit = mayStillFit(run.origin.view, run.text, now.view);
    const isUseless = options.policy === "cancel" || (options.policy === "join" && !mayFit);
    return isUseless ? cancel(next, run) : linger(next, run, options);
  }, step);
}

/** The question joins a run, or starts one, or waits until there is room. */
function place(step: InflightStep, question: Question, options: InflightOptions): InflightStep {
  const { runs, queue } = step.state;
  const run = runFor(step.state, question);
  if (run !== null) {
    const waiting = [...run.waiting, question];
    const state = { runs: replace(runs, run, { ...run, waiting }), queue };
    return act(step, state, { kind: "join", question: question.id, run: run.origin.id });
  }
  if (runs.length < options.maxRuns) {
    const started: Run = { origin: question, text: "", waiting: [question] };
    const state = { runs: [...runs, started], queue };
    return act(step, state, { kind: "start", run: question.id });
  }
  const unwanted = runs.find(({ waiting }) => waiting.length === 0);
  if (unwanted !== undefined) return place(cancel(step, unwanted), question, options);
  return act(step, { runs, queue: [...queue, question] });
}

/** Questions of the queue join what has started since, or start as far as there is room. */
function fill(step: InflightStep, options: InflightOptions): InflightStep {
  const { runs, queue } = step.state;
  return queue.reduce<InflightStep>(
    (next, question) => place(next, question, options),
    act(step, { runs, queue: [] }),
  );
}

function abandon(step: InflightStep, id: string, options: InflightOptions): InflightStep {
  const { runs, queue } = step.state;
  const isOther = (question: Question): boolean => question.id !== id;
  const run = runs.find(({ waiting }) => !waiting.every(isOther));
  if (run === undefined) return act(step, { runs, queue: queue.filter(isOther) });
  const left = { ...run, waiting: run.waiting.filter(isOther) };
  const next = act(step, { runs: replace(runs, run, left), queue });
  return left.waiting.length > 0 ? next : linger(next, left, options);
}

/** New text. Who joined and is contradicted by it needs another run. */
function receive(
  step: InflightStep,
  event: { readonly run: string; readonly text: string },
  options: InflightOptions,
): InflightStep {
  const { runs, queue } = step.state;
  const run = runs.find(({ origin }) => origin.id === event.run);
  if (run === undefined) return step;
  const grown = { ...run, text: run.text + event.text };
  const waiting = run.waiting.filter((question) => mayAnswer(grown, question));
  const misled = run.waiting.filter((question) => !mayAnswer(grown, question));
  const left = { ...grown, waiting };
  const next = act(step, { runs: replace(runs, run, left), queue });
  const isUseless = misled.length > 0 && waiting.length === 0 && options.policy !== "detach";
  return misled.reduce(
    (placed, question) => place(placed, question, options),
    isUseless ? cancel(next, left) : next,
  );
}

/** A run is over by itself. */
function end(
  step: InflightStep,
  event: { readonly kind: "finished" | "failed"; readonly run: string },
  options: InflightOptions,
): InflightStep {
  const { runs, queue } = step.state;
  const run = runs.find(({ origin }) => origin.id === event.run);
  if (run === undefined) return step;
  // A failure is shared: asking a failing backend once more for each question helps nobody.
  const isSettled = (question: Question): boolean =>
    event.kind === "failed" || answers(run, question);
  const settled = run.waiting
    .filter(isSettled)
    .map(({ id }) => ({ kind: "settle", question: id, run: event.run, end: event.kind }) as const);
  return run.waiting
    .filter((question) => !isSettled(question))
    .reduce(
      (next, question) => place(next, question, options),
      act(step, { runs: runs.filter((other) => other !== run), queue }, ...settled),
    );
}

function cancel(step: InflightStep, run: Run): InflightStep {
  const { runs, queue } = step.state;
  const state = { runs: runs.filter(({ origin }) => origin.id !== run.origin.id), queue };
  return act(step, state, { kind: "cancel", run: run.origin.id });
}

function linger(step: InflightStep, run: Run, options: InflightOptions): InflightStep {
  if (options.policy === "detach") return step;
  if (run.origin.isOnce === true) return cancel(step, run);
  return act(step, step.state, { kind: "linger", run: run.origin.id });
}

function act(
  step: InflightStep,
  state: InflightState,
  ...actions: readonly InflightAction[]
): InflightStep {
  return { state, actions: [...step.actions, ...actions] };
}

function replace(runs: readonly Run[], old: Run, next: Run): readonly Run[] {
  return runs.map((run) => (run === old ? next : run));
}

/** The run that answers the question: an equal one, or the newest that may still turn out to. */
function runFor(state: InflightState, question: Question): Run | null {
  const equal = state.runs.find(({ origin }) => origin.key === question.key);
  return equal ?? state.runs.findLast((run) => mayAnswer(run, question)) ?? null;
}

/** True while the run may turn out to answer the question. */
function mayAnswer(run: Run, question: Question): boolean {
  if (run.origin.key === question.key) return true;
  return (
    run.origin.document === question.document &&
    mayStillFit(run.origin.view, run.text, question.view)
  );
}

/** True when the whole text of a run answers the question: it goes on after what was typed. */
function answers(run: Run, question: Question): boolean {
  if (run.origin.key === question.key) return true;
  const typedLength = question.view.beforeLength - run.origin.view.beforeLength;
  return mayAnswer(run, question) && run.text.length > typedLength;
}
