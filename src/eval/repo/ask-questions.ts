/**
 * Asks every question in every way, with and without the text below the cursor, and keeps each answer as
 * soon as it is there. A backend that fails is no wrong answer: its questions are counted apart and
 * asked again when the run is continued.
 */
import type { BenchReporter } from "../bench-report.ts";
import type { KnownWorkspace } from "./known-workspace.ts";
import { asSet, type LineAnswer, type SuffixMode, suffixModes } from "./line-answer.ts";
import type { LineQuestion, QuestionBatch, QuestionSource } from "./line-question.ts";
import type { LineWay } from "./line-way.ts";

export interface AskOptions {
  /** Each question is asked in each of them. */
  readonly ways: readonly LineWay[];
  /** What is known, brought to the state of each batch. */
  readonly known: KnownWorkspace;
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
  const { source, known, ways, earlier, signal, reporter } = options;
  const asksOf = ({ questions }: QuestionBatch): readonly Ask[] =>
    questions.flatMap((question) =>
      suffixModes.flatMap((mode) => ways.map((way) => ({ question, mode, way }))),
    );
  const total = source.batches.reduce((sum, batch) => sum + asksOf(batch).length, 0);
  const answers: LineAnswer[] = [];
  let failuresInARow = 0;
  const lastOpen = source.batches.findLastIndex((batch) =>
    asksOf(batch).some((ask) => !isKept(earlier.get(idOf(ask)))),
  );
  for (const [index, batch] of source.batches.entries()) {
    // What is known follows from all batches before, those that were answered earlier too.
    if (index <= lastOpen) await batch.prepare(known);
    for (const ask of asksOf(batch)) {
      if (signal.aborted) return { answers, stopped: "interrupted" };
      const before = earlier.get(idOf(ask));
      if (before !== undefined && isKept(before)) {
        answers.push(before);
        continue;
      }
      const answer = await answerTo(ask, signal);
      if (answer === null) return { answers, stopped: "interrupted" };
      answers.push(answer);
      await options.keep(answer);
      failuresInARow = answer.outcome.kind === "failed" ? failuresInARow + 1 : 0;
      if (failuresInARow === MAX_FAILURES_IN_A_ROW) {
        return { answers, stopped: "backend keeps failing" };
      }
      reporter.progress({ label: ask.question.path, done: answers.length, total });
    }
  }
  return { answers, stopped: null };
}

interface Ask {
  readonly question: LineQuestion;
  readonly mode: SuffixMode;
  readonly way: LineWay;
}

function idOf({ question, mode, way }: Ask): string {
  return way.name === asSet ? `${question.id}:${mode}` : `${question.id}:${mode}:${way.name}`;
}

/** A failed one is asked again. */
function isKept(answer: LineAnswer | undefined): boolean {
  return answer !== undefined && answer.outcome.kind !== "failed";
}

/** `null` when it was interrupted. */
async function answerTo(ask: Ask, signal: AbortSignal): Promise<LineAnswer | null> {
  const { question, mode, way } = ask;
  const { path, languageId, place, target } = question;
  const suffix = mode === "with suffix" ? question.suffix : "";
  const found = await way.ask({ ...question, suffix }, { signal });
  if (found === null) return null;
  return { id: idOf(ask), path, languageId, place, mode, target, way: way.name, ...found };
}
