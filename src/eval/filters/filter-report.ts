/** The report of `midspan eval filters`. */
import { type Machine, machineLine } from "../machine.ts";
import {
  numberColumn,
  paragraph,
  type Report,
  type ReportCheck,
  type ReportSection,
  textColumn,
} from "../report/report.ts";
import type { FilteredTexts } from "./filter-effects.ts";

export interface FilterReportInput {
  readonly version: string;
  readonly machine: Machine;
  readonly cursors: number;
  /** By where the texts come from, such as `language model`. */
  readonly groups: readonly { readonly name: string; readonly found: FilteredTexts }[];
}

/** A section for each group, and a check for each filter: it must not cost more than it is worth. */
export function filterReport({ version, machine, cursors, groups }: FilterReportInput): Report {
  return {
    title: "What each filter is worth",
    lead: "",
    stamps: [
      { name: "Midspan", value: version },
      { name: "Machine", value: machineLine(machine) },
      { name: "Texts", value: `stored answers at ${cursors} held-out cursors, single lines` },
    ],
    sections: groups.map(sectionOf),
    checks: groups.flatMap(checksOf),
  };
}

function sectionOf({ name, found }: FilterReportInput["groups"][number]): ReportSection {
  const { texts, rightBefore, rightAfter, wrongBefore, wrongAfter, effects } = found;
  return {
    title: `Texts of the ${name}`,
    blocks: [
      paragraph(
        `${texts} texts: ${rightBefore} are right as they come and ${rightAfter} after all filters; ${wrongBefore} are wrong as they come and ${wrongAfter} after them. Lost, won and hidden are told by leaving the one filter out.`,
      ),
      {
        kind: "table",
        caption: "",
        columns: [
          textColumn("filter"),
          numberColumn("acted", "count"),
          numberColumn("right lost", "count"),
          numberColumn("right won", "count"),
          numberColumn("wrong hidden", "count"),
        ],
        rows: effects.map(({ filter, acted, rightLost, rightWon, wrongHidden }) => [
          ...[filter, acted, rightLost, rightWon, wrongHidden],
        ]),
      },
    ],
  };
}

function checksOf({ name, found }: FilterReportInput["groups"][number]): readonly ReportCheck[] {
  return found.effects.map(({ filter, rightLost, rightWon, wrongHidden }) => ({
    name: `${filter}, texts of the ${name}: right lost less right won and wrong hidden`,
    unit: "count",
    value: rightLost - rightWon - wrongHidden,
    goal: { kind: "at-most", value: 0 },
    noise: 0,
  }));
}
