/**
 * The one table of prompt formats, `fim-formats.data.json`: for building, stopping, cleaning and
 * tests. There is no second list of sentinels.
 */
import formatTable from "./fim-formats.data.json" with { type: "json" };
import type { FimFormat, FormatRow } from "./format-row.ts";
import { readFormatTable } from "./format-table.ts";

const table = readFormatTable(formatTable);

/** Every family; the first row whose `match` fits a model decides. */
export const formatRows: readonly FormatRow[] = table.rows;

/** Strings that models of any family leak although they are no row's stop. Cut for every model. */
export const strays: readonly string[] = table.strays;

/** Every control token of every family, and the strays; no duplicates. */
export const allSentinels: readonly string[] = [
  ...new Set([
    ...formatRows.flatMap((row) => (row.fim === "server" ? [] : row.specials)),
    ...strays,
  ]),
];

/**
 * What ends a text of this model wherever it occurs: its own control tokens, the strays, and those
 * of other families that cannot be ordinary code. `<s>`, `<filename>` or `[PREFIX]` are cut only for
 * the families that have them: in HTML, a usage line or an index they are what the person writes.
 * `null`: a text that no such model wrote.
 */
export function sentinelsToCut(format: FimFormat | null): readonly string[] {
  if (format === null || format.fim === "server") return unmistakable;
  let cut = cutByFormat.get(format);
  if (cut === undefined) {
    cut = [...new Set([...format.specials, ...unmistakable])];
    cutByFormat.set(format, cut);
  }
  return cut;
}

const cutByFormat = new WeakMap<FimFormat, readonly string[]>();

const unmistakable: readonly string[] = allSentinels.filter(
  (text) => strays.includes(text) || !/^<\/?[a-z]+>$|^\[[a-z]+\]$/i.test(text),
);
