/** Asks every task as often as wanted and tries what comes back; what is done already is kept. */
import { CompletionError } from "../../core/index.ts";
import type { Fields } from "../../protocol/decode.ts";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import { rowOf } from "../run/json-lines.ts";
import type { ResultFile } from "../run/result-file.ts";
import { runEach } from "../run/run-each.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { AskInfill } from "./infill-asker.ts";
import { type InfillTask, programOf } from "./infill-task.ts";
import { type TrialOutcome, tryProgram } from "./infill-trial.ts";
import { type AnswerScore, scoreAnswer } from "./score-answer.ts";
import type { Toolchain } from "./toolchain.ts";

/** One answer. */
export type InfillRow = {
  /** Set, task and number of the answer. */
  readonly id: string;
  readonly set: string;
  readonly task: string;
} & (AnsweredRow | FailedRow);

/** Reads a row that an earlier run kept. */
export function readInfillRow(fields: Fields): InfillRow {
  return fields.kind === "failed" ? readFailed(fields) : readAnswered(fields);
}

const always = { id: "string", set: "string", task: "string", kind: "string" } as const;
const readFailed = rowOf<InfillRow>({ ...always, code: "string", says: "string" });
const readAnswered = rowOf<InfillRow>({
  ...{ ...always, text: "string", refusedBy: "string?", outcome: "string", says: "string" },
  ...{ askedMs: "number", exact: "boolean", exactFirstLine: "boolean?", similarity: "number" },
});

/** The backend answered. */
export interface AnsweredRow extends AnswerScore {
  readonly kind: "answered";
  readonly text: string;
  /** Filter or reason that left no text; `null` for others. */
  readonly refusedBy: string | null;
  /** `compared`: there are no tests. */
  readonly outcome: TrialOutcome | "compared";
  /** Last line of the tests' output; `""` when they passed. */
  readonly says: string;
  readonly askedMs: number;
}

/** The backend failed; asked again by the next run. */
export interface FailedRow {
  readonly kind: "failed";
  readonly code: string;
  readonly says: string;
}

/** A set to be asked. */
export interface AskedSet {
  readonly tasks: readonly InfillTask[];
  /** `null` where answers are only compared. */
  readonly toolchain: Toolchain | null;
}

export interface InfillRunOptions {
  readonly ask: AskInfill;
  /** Answers for each task. */
  readonly samples: number;
  readonly parallel: number;
  /** `null` where no set has tests. */
  readonly sandbox: Sandbox | null;
  readonly results: ResultFile<InfillRow>;
  readonly onProgress: (done: number, total: number, note: string) => void;
  readonly signal: AbortSignal;
}

/** So many failures one after the other mean that the backend is gone. */
const MAX_FAILURES_IN_A_ROW = 20;

/**
 * Resolves when every task has its answers, failed ones included. Rejects with the signal's reason,
 * and with `EvaluationUnavailableError` when the backend only fails any more; what was answered until
 * then is in the file.
 */
export async function runInfill(
  sets: readonly AskedSet[],
  options: InfillRunOptions,
): Promise<void> {
  const { results, samples, parallel, signal, onProgress } = options;
  const wanted = sets.flatMap(({ tasks, toolchain }) =>
    tasks.flatMap((task) =>
      Array.from({ length: samples }, (_, index) => ({ id: rowId(task, index), task, toolchain })),
    ),
  );
  const missing = wanted.filter(({ id }) => results.rows.get(id)?.kind !== "answered");
  let done = wanted.length - missing.length;
  let failuresInARow = 0;
  onProgress(done, wanted.length, "waiting for answers");
  await runEach(missing, { parallel, signal }, async ({ id, task, toolchain }) => {
    const row = await answerOf(task, { toolchain, options });
    await results.append({ id, set: task.set, task: task.id, ...row });
    onProgress(++done, wanted.length, task.set);
    failuresInARow = row.kind === "failed" ? failuresInARow + 1 : 0;
    if (row.kind === "failed" && failuresInARow >= MAX_FAILURES_IN_A_ROW) {
      throw new EvaluationUnavailableError(
        `the backend failed ${failuresInARow} times in a row, at last with: ${row.says}; the same command goes on when it is back`,
      );
    }
  });
}

/** Id of the row of an answer. */
export function rowId(task: InfillTask, sample: number): string {
  return `${task.set}:${task.id}:${sample}`;
}

async function answerOf(
  task: InfillTask,
  about: { readonly toolchain: Toolchain | null; readonly options: InfillRunOptions },
): Promise<AnsweredRow | FailedRow> {
  const { toolchain, options } = about;
  const { ask, sandbox, signal } = options;
  const start = performance.now();
  let answer: Awaited<ReturnType<AskInfill>>;
  try {
    answer = await ask(task, { signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof CompletionError)) throw error;
    return { kind: "failed", code: error.code, says: error.message };
  }
  const askedMs = Math.round(performance.now() - start);
  const { text, code, refusedBy } = answer;
  const common = {
    kind: "answered",
    text,
    refusedBy,
    askedMs,
    ...scoreAnswer(task, text),
  } as const;
  if (task.tests === null || toolchain === null || sandbox === null)
    return { ...common, outcome: "compared", says: "" };
  // Some programs pass without the line; to write nothing is no completion all the same.
  if (text.trim() === "") return { ...common, outcome: "wrong", says: "nothing was written" };
  const program = programOf(task.tests, code);
  const { outcome, says } = await tryProgram(program, { sandbox, toolchain, signal });
  return { ...common, outcome, says: outcome === "passed" ? "" : says };
}
