/** From the rows of a run to the figures of one set. Pure. */
import { passAtK } from "../../stats/pass-at-k.ts";
import { mean } from "../../stats/summary.ts";
import type { InfillTask } from "./infill-task.ts";
import { type AnsweredRow, type InfillRow, rowId } from "./run-infill.ts";

/** What is known of one set. Shares are 0..1, and `NaN` where nothing was answered. */
export interface InfillFigures {
  readonly name: string;
  /** Tasks that were to be asked, and those with all their answers. */
  readonly tasks: number;
  readonly answered: number;
  /** By k; empty where answers are only compared. */
  readonly passAt: readonly { readonly k: number; readonly share: number }[];
  /** Answers, not tasks, from here on. */
  readonly answers: number;
  readonly passed: number;
  readonly exact: number;
  /** `null` where more than a line is asked for. */
  readonly exactFirstLine: number | null;
  readonly similarity: number;
  readonly wrong: number;
  /** Ran into the time limit, or printed or ate too much: not passed, and not called wrong. */
  readonly hung: number;
  readonly overLimit: number;
  /** The backend failed. */
  readonly failed: number;
  /** Not asked yet. */
  readonly missing: number;
  /** Answers that a filter or rule took away, by its name. */
  readonly refusedBy: ReadonlyMap<string, number>;
}

/** Usual values of k; those up to the number of answers are given. */
const usualK = [1, 5, 10, 100];

/** The figures of the tasks with `samples` answers each. Tasks without all of them count nowhere. */
export function figuresOf(
  name: string,
  tasks: readonly InfillTask[],
  options: { readonly rows: ReadonlyMap<string, InfillRow>; readonly samples: number },
): InfillFigures {
  const { rows, samples } = options;
  const found = tasks.map((task) =>
    Array.from({ length: samples }, (_, index) => rows.get(rowId(task, index))),
  );
  const all = found.flat();
  const whole = found.flatMap((answers) => {
    const answered = answers.filter(isAnswered);
    return answered.length === samples ? [answered] : [];
  });
  const answers = whole.flat();
  const count = (outcome: AnsweredRow["outcome"]): number =>
    answers.filter((row) => row.outcome === outcome).length;
  const isTried = answers.some(({ outcome }) => outcome !== "compared");
  const firstLines = answers.flatMap(({ exactFirstLine }) =>
    exactFirstLine === null ? [] : [exactFirstLine ? 1 : 0],
  );
  const refusedBy = new Map<string, number>();
  for (const { refusedBy: filter } of answers) {
    if (filter !== null) refusedBy.set(filter, (refusedBy.get(filter) ?? 0) + 1);
  }
  return {
    name,
    tasks: tasks.length,
    answered: whole.length,
    passAt: isTried ? passAtOf(whole, samples) : [],
    answers: answers.length,
    passed: count("passed"),
    exact: mean(answers.map(({ exact }) => (exact ? 1 : 0))),
    exactFirstLine: firstLines.length === 0 ? null : mean(firstLines),
    similarity: mean(answers.map(({ similarity }) => similarity)),
    wrong: count("wrong"),
    hung: count("hung"),
    overLimit: count("over-limit"),
    failed: all.filter((row) => row?.kind === "failed").length,
    missing: all.filter((row) => row === undefined).length,
    refusedBy,
  };
}

function passAtOf(
  whole: readonly (readonly AnsweredRow[])[],
  samples: number,
): InfillFigures["passAt"] {
  const passes = whole.map(
    (answers) => answers.filter(({ outcome }) => outcome === "passed").length,
  );
  return usualK
    .filter((k) => k <= samples)
    .map((k) => ({ k, share: mean(passes.map((passed) => passAtK({ samples, passed, k }))) }));
}

function isAnswered(row: InfillRow | undefined): row is InfillRow & AnsweredRow {
  return row?.kind === "answered";
}
