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
import type { StreamedTexts } from "./stream-effects.ts";

export interface FilterReportInput {
  readonly version: string;
  readonly machine: Machine;
  readonly cursors: number;
  /** By where the texts come from, such as `language model`. */
  readonly groups: readonly FilterGroup[];
}

/** Texts of one origin. */
export interface FilterGroup {
  readonly name: string;
  /** Answers of a model, or what it should have written: of that, filters can only lose. */
  readonly kind: "answers" | "right texts";
  readonly found: FilteredTexts;
  /** Of texts of several lines; `null` for single lines. */
  readonly streamed: StreamedTexts | null;
}

/** A section for each group, and a check for each filter: it must not cost more than it is worth. */
export function filterReport({ version, machine, cursors, groups }: FilterReportInput): Report {
  return {
    title: "What each filter is worth",
    lead: "",
    stamps: [
      { name: "Midspan", value: version },
      { name: "Machine", value: machineLine(machine) },
      { name: "Texts", value: `stored answers at ${cursors} held-out cursors` },
    ],
    sections: groups.map(sectionOf),
    checks: groups.flatMap(checksOf),
  };
}

function sectionOf({ name, found, streamed }: FilterGroup): ReportSection {
  const { texts, rightBefore, rightAfter, wrongBefore, wrongAfter, effects } = found;
  const { linesBefore, linesAfter } = found;
  const blocks =
    streamed === null
      ? []
      : [
          paragraph(
            `${linesBefore.right} of their lines are right as they come and ${linesAfter.right} after all filters; ${linesBefore.wrong} are wrong as they come and ${linesAfter.wrong} after them. A line is right where the text is, up to its end.`,
          ),
          paragraph(
            `Left alone the model wrote ${streamed.written} tokens; the stop rules end its texts after ${streamed.taken}.`,
          ),
        ];
  return {
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    blocks: [
      paragraph(
        `${texts} texts: ${rightBefore} are right as they come and ${rightAfter} after all filters; ${wrongBefore} are wrong as they come and ${wrongAfter} after them. Lost, won and hidden are told by leaving the one filter out.`,
      ),
      ...blocks,
      {
        kind: "table",
        caption: "",
        columns: [
          textColumn("filter"),
          numberColumn("acted", "count"),
          numberColumn("right lost", "count"),
          numberColumn("right won", "count"),
          numberColumn("wrong hidden", "count"),
          ...(streamed === null
            ? []
            : [
                numberColumn("right lines lost", "count"),
                numberColumn("wrong lines hidden", "count"),
              ]),
        ],
        rows: effects.map((effect) => [
          ...[effect.filter, effect.acted],
          ...[effect.rightLost, effect.rightWon, effect.wrongHidden],
          ...(streamed === null ? [] : [effect.rightLinesLost, effect.wrongLinesHidden]),
        ]),
      },
    ],
  };
}

/** Of single lines in texts, of several lines in lines. */
function checksOf({ name, kind, found, streamed }: FilterGroup): readonly ReportCheck[] {
  if (kind === "right texts") return [];
  return found.effects.map((effect) => ({
    name: `${effect.filter}, ${name}: right ${streamed === null ? "lost less right won and wrong hidden" : "lines lost less wrong lines hidden"}`,
    unit: "count",
    value:
      streamed === null
        ? effect.rightLost - effect.rightWon - effect.wrongHidden
        : effect.rightLinesLost - effect.wrongLinesHidden,
    goal: { kind: "at-most", value: 0 },
    noise: 0,
  }));
}
