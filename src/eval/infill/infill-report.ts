/** The report of a run: scores, what is missing, and right answers that were lost. */
import { shareInterval } from "../../stats/share-interval.ts";
import {
  numberColumn,
  paragraph,
  type Report,
  type ReportCheck,
  type ReportTable,
  textColumn,
} from "../report/report.ts";
import { type Stamp, stampLines } from "../run/stamp.ts";
import type { FilterLoss } from "./filter-losses.ts";
import type { InfillFigures } from "./infill-figures.ts";
import { lossSection } from "./loss-report.ts";

export interface InfillReportInput {
  readonly stamp: Stamp;
  /** Of each set. */
  readonly figures: readonly InfillFigures[];
  /** Further rows of the scores: parts of sets, and several sets as one. */
  readonly views: readonly InfillFigures[];
  /** What the tasks of each set come from. */
  readonly sources: readonly SetSource[];
  /** Sets that could not be asked, with the reason, and other remarks. */
  readonly remarks: readonly string[];
  /** Right answers that the filters spoiled; `null` where that was not looked at. */
  readonly losses: readonly FilterLoss[] | null;
  readonly checks: readonly ReportCheck[];
}

/** Where the tasks of a set come from. */
export interface SetSource {
  readonly name: string;
  /** What ran the tests; `null` where answers are only compared. */
  readonly toolchain: string | null;
  /** `null` where the data brings its own holes. */
  readonly solutions: { readonly all: number; readonly passing: number } | null;
}

export function infillReport(input: InfillReportInput): Report {
  const { stamp, figures, views, sources, remarks, losses, checks } = input;
  return {
    title: "Infilling",
    lead: leadOf(figures),
    stamps: stampLines(stamp).map(([name, value]) => ({ name, value })),
    sections: [
      { title: "Scores", blocks: [scoreTable([...figures, ...views])] },
      { title: "Answers that did not count as right", blocks: [outcomeTable(figures)] },
      { title: "Where the tasks come from", blocks: [sourceTable(sources)] },
      ...(remarks.length === 0
        ? []
        : [{ title: "Not measured", blocks: remarks.map((remark) => paragraph(remark)) }]),
      ...(losses === null ? [] : [lossSection(losses)]),
    ],
    checks,
  };
}

function leadOf(figures: readonly InfillFigures[]): string {
  const answered = figures.reduce((sum, { answered: count }) => sum + count, 0);
  const open = figures.reduce((sum, { missing, failed }) => sum + missing + failed, 0);
  const rest = open === 0 ? "" : ` ${open} answers are missing; the same command goes on.`;
  return `${answered} tasks have all their answers.${rest}`;
}

function scoreTable(figures: readonly InfillFigures[]): ReportTable {
  const ks = [...new Set(figures.flatMap(({ passAt }) => passAt.map(({ k }) => k)))];
  return {
    kind: "table",
    caption: "",
    columns: [
      textColumn("set"),
      numberColumn("tasks", "count"),
      ...ks.map((k) => numberColumn(`pass@${k}`, "share")),
      numberColumn("from", "share"),
      numberColumn("to", "share"),
      numberColumn("exact", "share"),
      numberColumn("first line", "share"),
      numberColumn("similarity", "share"),
    ],
    rows: figures.map((set) => {
      const interval = intervalOf(set);
      return [
        set.name,
        set.answered,
        ...ks.map((k) => set.passAt.find((pass) => pass.k === k)?.share ?? null),
        interval?.low ?? null,
        interval?.high ?? null,
        orNull(set.exact),
        set.exactFirstLine,
        orNull(set.similarity),
      ];
    }),
  };
}

/** Of pass@1 over tasks, or of exact match where nothing is run. */
function intervalOf({
  passAt,
  answered,
  exact,
}: InfillFigures): ReturnType<typeof shareInterval> | null {
  const share = passAt[0]?.share ?? exact;
  return answered === 0 ? null : shareInterval(share * answered, answered);
}

function outcomeTable(figures: readonly InfillFigures[]): ReportTable {
  return {
    kind: "table",
    caption: "",
    columns: [
      textColumn("set"),
      numberColumn("answers", "count"),
      numberColumn("passed", "count"),
      numberColumn("wrong", "count"),
      numberColumn("hung", "count"),
      numberColumn("over a limit", "count"),
      numberColumn("backend failed", "count"),
      numberColumn("not asked", "count"),
      textColumn("taken away by"),
    ],
    rows: figures.map((set) => [
      set.name,
      set.answers,
      ...(set.passAt.length === 0 ? [null, null, null, null] : triedCells(set)),
      set.failed,
      set.missing,
      [...set.refusedBy].map(([filter, count]) => `${filter} ${count}`).join(", "),
    ]),
  };
}

function sourceTable(sources: readonly SetSource[]): ReportTable {
  return {
    kind: "table",
    caption: "",
    columns: [
      textColumn("set"),
      textColumn("tests run by"),
      numberColumn("solutions", "count"),
      numberColumn("that pass here", "count"),
    ],
    rows: sources.map(({ name, toolchain, solutions }) => [
      name,
      toolchain ?? "compared only",
      solutions?.all ?? null,
      solutions?.passing ?? null,
    ]),
  };
}

function triedCells({ passed, wrong, hung, overLimit }: InfillFigures): readonly number[] {
  return [passed, wrong, hung, overLimit];
}

/** `NaN` means that there is nothing to say. */
function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
