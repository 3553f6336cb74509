/**
 * Asks an engine every question, with and without the text below the cursor, and keeps each answer as
 * soon as it is there. A backend that fails is no wrong answer: its questions are counted apart and
 * asked again when the run is continued.
 */
import { CompletionError } from "../../core/index.ts";
import { type Engine, type EngineResult, requestFor } from "../../engine/index.ts";
import { type Fields, objectFields } from "../../protocol/decode.ts";
import type { BenchReporter } from "../bench-report.ts";
import type { CursorPlace } from "../cursor-sample.ts";
import type { MeteredCall } from "../replay/metered-backend.ts";
import { rowOf, type Shape } from "../run/json-lines.ts";
import type { KnownWorkspace } from "./known-workspace.ts";
import type { LineQuestion, QuestionBatch, QuestionSource } from "./line-question.ts";

/** Whether the model sees what stands below the cursor's line. */
export const suffixModes = ["with suffix", "without suffix"] as const;
export type SuffixMode = (typeof suffixModes)[number];

/** What one question got. */
export interface LineAnswer {
  readonly id: string;
  readonly path: string;
  readonly languageId: string;
  readonly place: CursorPlace;
  readonly mode: SuffixMode;
  readonly target: string;
  readonly outcome:
    | {
        readonly kind: "text";
        readonly text: string;
        /** `null` where uncalibrated. */
        readonly chance: number | null;
        readonly source: string;
      }
    | { readonly kind: "none"; readonly reason: string }
    | { readonly kind: "failed"; readonly code: string };
}

/** Reads an answer that an earlier run kept. */
export function readLineAnswer(fields: Fields): LineAnswer {
  const { kind } = objectFields(fields.outcome, "outcome");
  const outcome: Shape =
    kind === "text"
      ? { text: "string", chance: "number?", source: "string" }
      : kind === "failed"
        ? { code: "string" }
        : { kind: "string", reason: "string" };
  return rowOf<LineAnswer>({
    ...{ id: "string", path: "string", languageId: "string", place: "string" },
    ...{ mode: "string", target: "string", outcome },
  })(fields);
}

export interface AskOptions {
  readonly engine: Engine;
  /** What the engine knows, brought to the state of each batch. */
  readonly known: KnownWorkspace;
  /** Told when a question is over, so that its document counts as closed. */
  readonly onAsked: (path: string) => void;
  /** Calls of the backend so far; empty without one. */
  readonly calls: readonly MeteredCall[];
  readonly source: QuestionSource;
  /** Answers that are there already, by id. */
  readonly earlier: ReadonlyMap<string, LineAnswer>;
  readonly keep: (answer: LineAnswer) => Promise<void> | void;
  readonly reporter: BenchReporter;
  /** Aborts when the person or the time limit ends the run. */
  readonly signal: AbortSignal;
}

/** How a run ended. */
export interface AskedQuestions {
  readonly answers: readonly LineAnswer[];
  /** Why it ended before all was asked; `null` when all was. */
  readonly stopped: "interrupted" | "backend keeps failing" | null;
}

/** So many failures in a row say that going on is of no use. */
const MAX_FAILURES_IN_A_ROW = 20;

/** Asks what is not answered yet, in the order of the source. */
export async function askQuestions(options: AskOptions): Promise<AskedQuestions> {
  const { source, known, earlier, signal, reporter } = options;
  const total = suffixModes.length * source.batches.reduce((n, b) => n + b.questions.length, 0);
  const answers: LineAnswer[] = [];
  let failuresInARow = 0;
  const isDone = ({ questions }: QuestionBatch): boolean =>
    questions.every(({ id }) => suffixModes.every((mode) => isKept(earlier.get(idOf(id, mode)))));
  const lastOpen = source.batches.findLastIndex((batch) => !isDone(batch));
  for (const [index, { questions, prepare }] of source.batches.entries()) {
    const asked = questions.flatMap((question) => suffixModes.map((mode) => ({ question, mode })));
    // What is known follows from all batches before, those that were answered earlier too.
    if (index <= lastOpen) await prepare(known);
    for (const { question, mode } of asked) {
      if (signal.aborted) return { answers, stopped: "interrupted" };
      const before = earlier.get(idOf(question.id, mode));
      if (before !== undefined && isKept(before)) {
        answers.push(before);
        continue;
      }
      const answer = await ask(question, mode, options);
      options.onAsked(question.path);
      if (answer === null) return { answers, stopped: "interrupted" };
      answers.push(answer);
      await options.keep(answer);
      failuresInARow = answer.outcome.kind === "failed" ? failuresInARow + 1 : 0;
      if (failuresInARow === MAX_FAILURES_IN_A_ROW) {
        return { answers, stopped: "backend keeps failing" };
      }
      reporter.progress({ label: question.path, done: answers.length, total });
    }
  }
  return { answers, stopped: null };
}

function idOf(question: string, mode: SuffixMode): string {
  return `${question}:${mode}`;
}

/** A failed one is asked again. */
function isKept(answer: LineAnswer | undefined): boolean {
  return answer !== undefined && answer.outcome.kind !== "failed";
}

/** `null` when it was interrupted. */
async function ask(
  question: LineQuestion,
  mode: SuffixMode,
  { engine, calls, signal }: AskOptions,
): Promise<LineAnswer | null> {
  const { path, languageId, place, prefix, target } = question;
  const suffix = mode === "with suffix" ? question.suffix : "";
  // Nothing is remembered from one question to the next, so that a run can be continued anywhere.
  const document = {
    kind: "text",
    prefix,
    suffix,
    path,
    languageId,
    session: null,
    version: null,
  } as const;
  const request = requestFor(document, { trigger: "invoked", multiline: "never", threshold: 0 });
  const about = { id: idOf(question.id, mode), path, languageId, place, mode, target };
  const firstCall = calls.length;
  try {
    const result = await engine.complete(request, { signal });
    if (signal.aborted) return null;
    // The local model may have answered in place of a backend that failed.
    const failure = calls.slice(firstCall).find((call) => call.failure !== null)?.failure ?? null;
    if (failure !== null) return { ...about, outcome: { kind: "failed", code: failure } };
    return { ...about, outcome: outcomeOf(result, prefix) };
  } catch (error) {
    if (!(error instanceof CompletionError)) throw error;
    return { ...about, outcome: { kind: "failed", code: error.code } };
  }
}

function outcomeOf({ outcome, source }: EngineResult, prefix: string): LineAnswer["outcome"] {
  if (outcome.kind === "none") return { kind: "none", reason: outcome.reason };
  const { edit, chance } = outcome;
  const text = textFrom(prefix, edit);
  return text.trim() === ""
    ? { kind: "none", reason: "empty" }
    : { kind: "text", text, chance, source: source ?? "model" };
}

/**
 * The text from the cursor on. One that changes what stands left of the cursor comes whole: it can
 * equal no target, which is as it should be.
 */
function textFrom(
  prefix: string,
  edit: { readonly text: string; readonly replaceBefore: number },
): string {
  const replaced = prefix.slice(prefix.length - edit.replaceBefore);
  return edit.text.startsWith(replaced) ? edit.text.slice(replaced.length) : edit.text;
}
