/**
 * What a person does in VS Code, what they see meanwhile, and what is on disk in the end. `█` is the
 * cursor. After each one the runner also holds that no stale text was seen and that every suggestion
 * that was shown ended exactly once.
 */

export type Step =
  /** Keys as fast as they come, or with a pause between them. */
  | { readonly type: string; readonly delayMs?: number }
  | { readonly press: string }
  /** Waits until this grey text is on screen, the parts of a line joined. */
  | { readonly ghost: string }
  /** Waits until grey text is on screen that ends a line so. */
  | { readonly below: string }
  | { readonly noGhost: true }
  /** Waits until the extension has answered for such a line. */
  | { readonly answered: string }
  /** The list of words is open at this entry. */
  | { readonly list: string }
  /** A command of the palette. */
  | { readonly command: string }
  /** Goes to another file of the workspace, at a place that counts from 1. */
  | { readonly open: string; readonly at: readonly [line: number, column: number] }
  /** Gives the file in the editor another name. */
  | { readonly rename: string };

export interface Scenario {
  readonly title: string;
  /** Below `src`. */
  readonly file: string;
  readonly before: string;
  readonly steps: readonly Step[];
  /** The file on disk in the end; a renamed one under its new name. */
  readonly after: string;
  readonly saved?: string;
  /** Accepts of whole texts, and of pieces. */
  readonly accepted: number;
  readonly pieces?: number;
  /** Refused by a key, where VS Code tells that. */
  readonly rejected?: number;
  /** From the first grey text on, one is on screen all the time until it is taken. */
  readonly isSteady?: boolean;
}

/** The file from which the others can be completed. */
export const library: string = `export function computeTotal(items: readonly number[]): number {
  let total = 0;
  for (const item of items) {
    total += item;
  }
  return total;
}

export function computeAverage(items: readonly number[]): number {
  const total = computeTotal(items);
  return total / items.length;
}
`;

const head = "export function f(items: readonly number[]): number {";
/** What the scenarios end up with. */
export const wanted = "  const total = computeTotal(items);";
/** A text of several lines, which the language model alone knows. */
export const severalLines: string = `  let total = items
    .filter(Number.isFinite)
    .reduce((sum, item) => sum + item, 0);`;
const tail = "  return total;\n}\n";
const empty = `${head}\n█\n${tail}`;
const typed = "  const total = comp";
const done = `${head}\n${wanted}\n${tail}`;
const partly = (line: string): string => `${head}\n${line}\n${tail}`;

/** Enough for any editor to call it large, and for a program that copies it at each key to be slow. */
const bigHalf: string = Array.from(
  { length: 30_000 },
  (_, i) => `export const constant${i} = ${i}; // one of many`,
).join("\n");

export const scenarios: readonly Scenario[] = [
  {
    title: "a plain text is taken with Tab",
    file: "plain.ts",
    before: empty,
    steps: [{ type: typed }, { ghost: "uteTotal(items);" }, { press: "Tab" }],
    after: done,
    accepted: 1,
  },
  {
    title: "a bracket that the editor closed is not doubled",
    file: "brackets.ts",
    // With the semicolon there, a text from before the bracket and one from after it end alike.
    before: partly("  const total = █;"),
    steps: [{ type: "computeTotal(" }, { ghost: "items" }, { press: "Tab" }],
    after: done,
    accepted: 1,
  },
  {
    title: "what stands behind the cursor stays",
    file: "suffix.ts",
    before: partly("  const total = computeTot█; // the sum"),
    steps: [{ type: "a" }, { ghost: "l(items)" }, { press: "Tab" }],
    after: partly("  const total = computeTotal(items); // the sum"),
    accepted: 1,
  },
  {
    title: "nothing is put into the middle of a word",
    file: "mid-word.ts",
    before: partly("  const total = comp█Total(items);"),
    steps: [
      { type: "ute" },
      { answered: "  const total = computeTotal(items);" },
      { noGhost: true },
    ],
    after: partly("  const total = computeTotal(items);"),
    accepted: 0,
  },
  {
    title: "a text goes on from the entry that is chosen in the list",
    file: "list.ts",
    before: `import { computeTotal } from "./library.ts";\n${empty}`,
    steps: [
      { type: typed },
      { ghost: "uteTotal(items);" },
      { press: "Control+Space" },
      { list: "computeTotal" },
      { ghost: "uteTotal(items);" },
      { press: "Tab" },
      { ghost: "(items);" },
      { press: "Tab" },
    ],
    after: `import { computeTotal } from "./library.ts";\n${done}`,
    accepted: 1,
  },
  {
    title: "two cursors at equal places both get the text",
    file: "cursors.ts",
    before: `${head}\n█\n\n${tail}`,
    steps: [
      { press: "Control+Alt+F2" },
      { type: typed },
      { ghost: "uteTotal(items);" },
      { press: "Tab" },
    ],
    after: `${head}\n${wanted}\n${wanted}\n${tail}`,
    accepted: 1,
  },
  {
    title: "an accepted text is undone in one step",
    file: "undo.ts",
    before: empty,
    steps: [
      { type: typed },
      { ghost: "uteTotal(items);" },
      { press: "Tab" },
      { noGhost: true },
      { press: "Control+z" },
    ],
    after: partly(typed),
    accepted: 1,
  },
  {
    title: "line ends of CR LF stay",
    file: "crlf.ts",
    before: empty.replaceAll("\n", "\r\n"),
    steps: [{ type: typed }, { ghost: "uteTotal(items);" }, { press: "Tab" }],
    after: done.replaceAll("\n", "\r\n"),
    accepted: 1,
  },
  {
    title: "a word is taken, then the rest",
    file: "piece.ts",
    before: empty,
    steps: [
      { type: typed },
      { ghost: "uteTotal(items);" },
      { press: "Control+ArrowRight" },
      { ghost: "(items);" },
      { press: "Tab" },
    ],
    after: done,
    accepted: 1,
    pieces: 1,
    isSteady: true,
  },
  {
    title: "the last line of a text is all of it",
    file: "line.ts",
    before: empty,
    steps: [{ type: typed }, { ghost: "uteTotal(items);" }, { press: "Control+Alt+ArrowRight" }],
    after: done,
    accepted: 1,
  },
  {
    title: "a refused text is gone",
    file: "refused.ts",
    before: empty,
    steps: [{ type: typed }, { ghost: "uteTotal(items);" }, { press: "Escape" }, { noGhost: true }],
    after: partly(typed),
    accepted: 0,
    rejected: 1,
  },
  {
    title: "a text stays on screen while it is typed along",
    file: "along.ts",
    before: empty,
    steps: [
      { type: typed },
      { ghost: "uteTotal(items);" },
      { type: "u" },
      { ghost: "teTotal(items);" },
      { type: "teTo" },
      { ghost: "tal(items);" },
      { press: "Tab" },
    ],
    after: done,
    accepted: 1,
    isSteady: true,
  },
  {
    title: "a text that is typed to its end is in the file once",
    file: "typed-out.ts",
    before: empty,
    steps: [
      { type: typed },
      { ghost: "uteTotal(items);" },
      { type: "uteTotal(items);" },
      { answered: wanted },
      { noGhost: true },
    ],
    after: done,
    accepted: 0,
  },
  {
    title: "a text that no longer fits goes with the key that differs",
    file: "differs.ts",
    before: empty,
    steps: [{ type: typed }, { ghost: "uteTotal(items);" }, { type: "xyz" }, { noGhost: true }],
    after: partly(`${typed}xyz`),
    accepted: 0,
  },
  {
    title: "a text comes back after a key too many is taken back",
    file: "backspace.ts",
    before: empty,
    steps: [
      { type: `${typed}x` },
      { answered: `${typed}x` },
      { noGhost: true },
      { press: "Backspace" },
      { ghost: "uteTotal(items);" },
      { press: "Tab" },
    ],
    after: done,
    accepted: 1,
  },
  {
    title: "nothing of one file is seen in another",
    file: "switch.ts",
    before: empty,
    steps: [
      { type: typed },
      { ghost: "uteTotal(items);" },
      { open: "library.ts", at: [3, 1] },
      { noGhost: true },
      { open: "switch.ts", at: [2, typed.length + 1] },
      { noGhost: true },
      { type: "u" },
      { ghost: "teTotal(items);" },
      { press: "Tab" },
    ],
    after: done,
    accepted: 1,
  },
  {
    title: "a file goes on under its new name",
    file: "old-name.ts",
    before: empty,
    steps: [
      { type: "  const total = c" },
      { press: "Control+s" },
      { rename: "new-name.ts" },
      { open: "new-name.ts", at: [2, "  const total = c".length + 1] },
      { type: "omp" },
      { ghost: "uteTotal(items);" },
      { press: "Tab" },
    ],
    after: done,
    saved: "new-name.ts",
    accepted: 1,
  },
  {
    title: "a very large file is no slower",
    file: "large.ts",
    before: `${bigHalf}\n${empty}${bigHalf}\n`,
    steps: [{ type: typed }, { ghost: "uteTotal(items);" }, { press: "Tab" }],
    after: `${bigHalf}\n${done}${bigHalf}\n`,
    accepted: 1,
  },
  {
    title: "a text is asked for by hand",
    file: "trigger.ts",
    before: partly(`${typed}█`),
    steps: [
      { command: "Midspan: Trigger Suggestion" },
      { ghost: "uteTotal(items);" },
      { press: "Tab" },
    ],
    after: done,
    accepted: 1,
  },
];

/** With a language model that takes its time, and nothing else. */
export const slowScenarios: readonly Scenario[] = [
  {
    title: "of several lines one is taken after the other",
    file: "lines.ts",
    before: partly("  let total = it█"),
    steps: [
      { command: "Midspan: Trigger Suggestion" },
      { ghost: "ems" },
      { below: "    .reduce((sum, item) => sum + item, 0);" },
      { press: "Control+Alt+ArrowRight" },
      { ghost: "    .filter(Number.isFinite)" },
      { press: "Control+Alt+ArrowRight" },
      { ghost: "    .reduce((sum, item) => sum + item, 0);" },
      // Before a text with an indentation Tab indents.
      { press: "Control+Alt+ArrowRight" },
    ],
    after: partly(severalLines),
    accepted: 1,
    pieces: 2,
    isSteady: true,
  },
  {
    title: "with a slow model, a text that no longer fits is never seen",
    file: "slow.ts",
    before: empty,
    steps: [
      { type: "  const", delayMs: 90 },
      { type: " total = comp", delayMs: 25 },
      { ghost: "uteTotal(items);" },
      { press: "Tab" },
    ],
    after: done,
    accepted: 1,
  },
  {
    title: "with a slow model, steady typing with the right keys ends with the right text",
    file: "slow-along.ts",
    before: empty,
    steps: [
      { type: "  const total = computeTot", delayMs: 60 },
      { ghost: "al(items);" },
      { press: "Tab" },
    ],
    after: done,
    accepted: 1,
  },
  {
    title: "with a slow model, keys that differ from its answer leave nothing behind",
    file: "slow-differs.ts",
    before: empty,
    steps: [
      { type: "  const total = comp", delayMs: 25 },
      { type: "any;", delayMs: 70 },
      { answered: "  const total = company;" },
      { noGhost: true },
    ],
    after: partly("  const total = company;"),
    accepted: 0,
  },
];
