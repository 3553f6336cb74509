/** What `midspan eval repo` says about its answers. */
import { type SnippetKind, snippetKinds } from "../../core/index.ts";
import { createRandom } from "../../stats/random.ts";
import { cursorPlaces } from "../cursor-sample.ts";
import {
  exactly,
  numberColumn,
  paragraph,
  type Report,
  type ReportBlock,
  type ReportSection,
  type TableCell,
  textColumn,
} from "../report/report.ts";
import { type Stamp, stampLines } from "../run/stamp.ts";
import { type WorthRow, worthRows } from "../source-worth.ts";
import { groupBy } from "./group-by.ts";
import { asSet, type LineAnswer, suffixModes } from "./line-answer.ts";
import { exactMatchInterval, type LineScores, lineScores } from "./line-scores.ts";

export interface RepoRun {
  readonly answers: readonly LineAnswer[];
  /** What was asked and what was known, in words. */
  readonly description: string;
  readonly stamp: Stamp;
  readonly threshold: number;
  readonly seed: number;
  /** Why there are fewer answers than questions; `null` when there are not. */
  readonly stopped: string | null;
  /** Ways with other sources of context; `null` when none was asked. */
  readonly worth: SourceWorth | null;
}

/** Ways whose texts are held against those of the first. */
export interface SourceWorth {
  readonly ways: readonly string[];
  /** Who wrote them, in words. */
  readonly writer: string;
}

/** The report. Deterministic for the same answers. */
export function repoReport(run: RepoRun): Report {
  const { threshold, stamp } = run;
  const answers = run.answers.filter(({ way }) => way === asSet);
  const all = lineScores(answers, { threshold });
  const [seen, unseen] = suffixModes.map((mode) => answers.filter((one) => one.mode === mode));
  return {
    title: "Lines of a repository",
    lead: leadOf(run, all),
    stamps: stampLines(stamp).map(([name, value]) => ({ name, value })),
    sections: [
      { title: "Lines", blocks: [paragraph(definitions), groupTable(groupsOf(answers), run)] },
      {
        title: "What a threshold costs and buys",
        blocks: curveBlocks(lineScores(seen ?? [], run), lineScores(unseen ?? [], run), threshold),
      },
      { title: "Does a chance mean what it says?", blocks: calibrationBlocks(all) },
      ...worthSections(run),
      ...failureSections(run),
    ],
    checks: [],
  };
}

const definitions =
  "Exact match: the whole rest of the line. Precision and coverage: of the texts that the product shows at this threshold, over all lines. Keystrokes saved: each right text that is shown is taken with one key, everything else is typed. Lines at which the backend failed count nowhere but in their own column.";

function leadOf({ description, stopped, threshold }: RepoRun, all: LineScores): string {
  const share = (value: number): string => `${(value * 100).toFixed(1)} %`;
  const found = Number.isNaN(all.exactMatch)
    ? "No line was answered."
    : `${share(all.exactMatch)} of ${all.questions} lines are right, and at a threshold of ${threshold} a person saves ${share(all.keystrokesSaved)} of the keys.`;
  const end = stopped === null ? "" : ` The run is not complete: ${stopped}.`;
  return `${found} Asked were ${description}, each with and without the text below it.${end}`;
}

type Group = readonly [name: string, answers: readonly LineAnswer[]];

function groupsOf(answers: readonly LineAnswer[]): readonly Group[] {
  const by = (keyOf: (answer: LineAnswer) => string): readonly Group[] =>
    [...groupBy(answers, keyOf)].sort(([, a], [, b]) => b.length - a.length);
  const placeNames = { start: "at the line start", middle: "in a line", word: "inside a word" };
  return [
    ["all", answers],
    ...suffixModes.map((mode): Group => [mode, answers.filter((one) => one.mode === mode)]),
    ...cursorPlaces.map(
      (place): Group => [placeNames[place], answers.filter((one) => one.place === place)],
    ),
    ...by(({ languageId }) => languageId),
    ...contextGroups(answers),
    ...by(({ outcome }) => (outcome.kind === "text" ? `text from ${outcome.source}` : "")).filter(
      ([name]) => name !== "",
    ),
  ];
}

/** By the sources with a passage in the prompt; a prompt counts for each of its sources. */
function contextGroups(answers: readonly LineAnswer[]): readonly Group[] {
  const prompted = answers.flatMap((one) =>
    one.context === null ? [] : [{ one, of: one.context }],
  );
  const group = (name: string, isIn: (of: readonly SnippetKind[]) => boolean): Group => [
    name,
    prompted.filter(({ of }) => isIn(of)).map(({ one }) => one),
  ];
  const groups = [
    ...snippetKinds.map((kind) => group(`prompt with ${kind}`, (of) => of.includes(kind))),
    group("prompt without passages", (of) => of.length === 0),
  ];
  return groups.filter(([, some]) => some.length > 0);
}

function groupTable(groups: readonly Group[], run: RepoRun): ReportBlock {
  return {
    kind: "table",
    caption:
      "The interval comes from resampling files; lines of a single file say nothing of others and have none.",
    columns: [
      textColumn("lines"),
      numberColumn("asked", "count"),
      numberColumn("failed", "count"),
      numberColumn("answered", "share"),
      numberColumn("exact match", "share"),
      textColumn("95 % interval"),
      numberColumn("edit similarity", "share"),
      numberColumn("precision", "share"),
      numberColumn("coverage", "share"),
      numberColumn("calibration error", "share"),
      numberColumn("keystrokes saved", "share"),
    ],
    rows: groups.map(([name, answers]) => groupRow(name, answers, run)),
  };
}

function groupRow(
  name: string,
  answers: readonly LineAnswer[],
  run: RepoRun,
): readonly TableCell[] {
  const scores = lineScores(answers, run);
  const interval = exactMatchInterval(answers, { random: createRandom(run.seed) });
  const number = (value: number): number | null => (Number.isNaN(value) ? null : value);
  return [
    name,
    scores.questions,
    scores.failed,
    number(scores.answered),
    number(scores.exactMatch),
    interval === null
      ? null
      : `${(interval.low * 100).toFixed(1)}–${(interval.high * 100).toFixed(1)} %`,
    number(scores.editSimilarity),
    number(scores.shown.precision),
    number(scores.shown.coverage),
    scores.calibrated === 0 ? null : scores.calibrationError,
    number(scores.keystrokesSaved),
  ];
}

function curveBlocks(
  seen: LineScores,
  unseen: LineScores,
  threshold: number,
): readonly ReportBlock[] {
  const named = [
    [suffixModes[0], seen],
    [suffixModes[1], unseen],
  ] as const;
  const share = { unit: "share", scale: "linear" } as const;
  return [
    {
      kind: "line",
      title: "Precision over coverage",
      x: { title: "coverage", ...share },
      y: { title: "precision", ...share },
      series: named.map(([name, { curve }]) => ({
        name,
        points: curve
          .filter(({ shown }) => shown > 0)
          .map(({ coverage, precision }) => ({ x: coverage, y: exactly(precision) })),
      })),
      guide: null,
    },
    {
      kind: "table",
      caption: `With suffix. The threshold of this run is ${threshold}.`,
      columns: [
        numberColumn("threshold", ""),
        numberColumn("shown", "count"),
        numberColumn("coverage", "share"),
        numberColumn("precision", "share"),
      ],
      rows: seen.curve
        .filter((_, i) => i % 2 === 1)
        .map((point) => [
          point.threshold,
          point.shown,
          point.coverage,
          point.shown === 0 ? null : point.precision,
        ]),
    },
  ];
}

function calibrationBlocks({
  reliability,
  calibrated,
  calibrationError,
  calibrationByLuck,
  answered,
  questions,
}: LineScores): readonly ReportBlock[] {
  if (calibrated === 0) return [paragraph("No text came with a chance.")];
  const texts = Math.round(answered * questions);
  return [
    paragraph(
      `Of ${texts} texts ${calibrated} came with a chance. Their expected calibration error is ${(calibrationError * 100).toFixed(1)} % (15 bins of equal width); chances that mean exactly what they say would have ${(calibrationByLuck * 100).toFixed(1)} % on as many texts.`,
    ),
    {
      kind: "line",
      title: "Reliability",
      x: { title: "stated chance", unit: "share", scale: "linear" },
      y: { title: "right", unit: "share", scale: "linear" },
      series: [
        {
          name: "texts",
          points: reliability
            .filter(({ count }) => count > 0)
            .map(({ meanChance, accuracy }) => ({ x: meanChance, y: exactly(accuracy) })),
        },
      ],
      guide: { kind: "diagonal", name: "as stated" },
    },
  ];
}

/** Nothing where no other sources were asked. */
function worthSections({ answers, worth, seed }: RepoRun): readonly ReportSection[] {
  if (worth === null) return [];
  const asked = answers.filter(({ way }) => worth.ways.includes(way));
  const placeOf = ({ id, way }: LineAnswer): string =>
    way === asSet ? id : id.slice(0, -way.length - 1);
  // A place counts when every way has an answer, so that all rows are about the same places.
  const whole = [...groupBy(asked, placeOf)].filter(
    ([, of]) =>
      of.length === worth.ways.length && of.every(({ outcome }) => outcome.kind !== "failed"),
  );
  const texts = whole.flatMap(([place, of]) =>
    of.map(({ path, way, target, outcome }) => {
      const text = outcome.kind === "text" ? outcome.text : "";
      return { place, cluster: path, sources: way, target, text };
    }),
  );
  const prompts = groupBy(
    whole.flatMap(([, of]) => of),
    ({ way }) => way,
  );
  const points = ({ difference, low, high }: WorthRow["matchGain"]): string =>
    [difference, low, high].map((share) => (share * 100).toFixed(1)).join(" / ");
  const table: ReportBlock = {
    kind: "table",
    caption: "Gains are points over the first row: mean / 95 % interval from resampling files.",
    columns: [
      textColumn("sources"),
      numberColumn("lines", "count"),
      numberColumn("with passages", "share"),
      numberColumn("exact match", "share"),
      textColumn("gain"),
      numberColumn("edit similarity", "share"),
      textColumn("gain"),
    ],
    rows: worthRows(texts, worth.ways, createRandom(seed)).map((row) => {
      const own = prompts.get(row.sources) ?? [];
      const helped = own.filter(({ context }) => context !== null && context.length > 0).length;
      return [
        ...[row.sources, row.places, helped / row.places],
        ...[row.exactMatch, points(row.matchGain)],
        ...[row.similarity, points(row.similarityGain)],
      ];
    }),
  };
  const blocks = [paragraph(`The same lines, written by ${worth.writer}.`), table];
  return [{ title: "What each source of context is worth", blocks }];
}

/** Nothing where nothing failed. */
function failureSections({ answers }: RepoRun): readonly ReportSection[] {
  const failures = answers.flatMap(({ outcome, path }) =>
    outcome.kind === "failed" ? [{ code: outcome.code, path }] : [],
  );
  if (failures.length === 0) return [];
  const rows = [...groupBy(failures, ({ code }) => code)].map(([code, of]) => [
    code,
    of.length,
    of[0]?.path ?? "",
  ]);
  const columns = [textColumn("code"), numberColumn("lines", "count"), textColumn("first in")];
  const table = { kind: "table", caption: "", columns, rows } as const;
  const note = paragraph(
    "The backend failed at these lines. They count in no figure; the same command asks them again.",
  );
  return [{ title: "Failures", blocks: [note, table] }];
}
