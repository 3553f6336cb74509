/** Right answers that the filters spoil, as a part of a report and as one of its own. */
import {
  numberColumn,
  type Report,
  type ReportCheck,
  type ReportSection,
  textColumn,
} from "../report/report.ts";
import type { FilterLoss } from "./filter-losses.ts";
import { isSingleLineSet, KEPT_SHARE } from "./script-checks.ts";

/** A set whose right answers went through the filters. */
export interface SetLosses {
  readonly name: string;
  readonly tasks: number;
  readonly losses: readonly FilterLoss[];
}

/** What the filters alone leave of the right answers; no model is asked and no test is run. */
export function lossReport(
  sets: readonly SetLosses[],
  about: { readonly version: string; readonly remarks: readonly string[] },
): Report {
  const keptOf = ({ tasks, losses }: SetLosses): number => (tasks - losses.length) / tasks;
  return {
    title: "Right answers through the filters",
    lead: "",
    stamps: [{ name: "Midspan", value: about.version }],
    sections: [
      {
        title: "Kept",
        blocks: [
          {
            kind: "table",
            caption: "",
            columns: [
              textColumn("set"),
              numberColumn("tasks", "count"),
              numberColumn("lost", "count"),
              numberColumn("kept", "share"),
            ],
            rows: sets.map((set) => [set.name, set.tasks, set.losses.length, keptOf(set)]),
          },
          ...about.remarks.map((text) => ({ kind: "paragraph", text }) as const),
        ],
      },
      lossSection(sets.flatMap(({ losses }) => losses)),
    ],
    checks: sets
      .filter(({ name }) => isSingleLineSet(name))
      .map(
        (set): ReportCheck => ({
          name: `${set.name}, kept`,
          unit: "share",
          value: keptOf(set),
          goal: { kind: "at-least", value: KEPT_SHARE },
          noise: 0,
        }),
      ),
  };
}

const MAX_LISTED = 200;

/** The losses by filter, and each of them. */
export function lossSection(losses: readonly FilterLoss[]): ReportSection {
  const byFilter = new Map<string, number>();
  for (const { filters } of losses) {
    const name = filters.join(" + ");
    byFilter.set(name, (byFilter.get(name) ?? 0) + 1);
  }
  const counts = [...byFilter].sort(([, a], [, b]) => b - a);
  return {
    title: "Right answers that the filters spoil",
    blocks: [
      {
        kind: "table",
        caption: `${losses.length} in all`,
        columns: [textColumn("filter"), numberColumn("answers", "count")],
        rows: counts.map(([filter, count]) => [filter, count]),
      },
      {
        kind: "table",
        caption: "Each of them",
        columns: [textColumn("task"), textColumn("filter"), textColumn("left")],
        rows: losses
          .slice(0, MAX_LISTED)
          .map(({ task, filters, left }) => [
            task,
            filters.join(" + "),
            left === null ? "nothing" : JSON.stringify(left),
          ]),
      },
    ],
  };
}
