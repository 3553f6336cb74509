/** `docs/failure-modes.md` leaves nothing out, and names tests that are there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { errorTable, noCompletionReasons } from "../src/core/index.ts";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/failure-modes.md"), "utf8");
const rows = page.split("\n").filter((line) => /^\| [^-]/.test(line) && !line.includes("held by"));

/** What stands in back-ticks in a cell that has nothing else. */
function nameIn(cell: string | undefined): string {
  return /^\s*`([^`]+)`\s*$/.exec(cell ?? "")?.[1] ?? "";
}

it("names a test in every row, and every test exists", () => {
  expect(rows.length).toBeGreaterThan(60);
  const named = rows.map((row) => ({ row, test: nameIn(row.split("|").at(-2)) }));
  const missing = named.filter(({ test }) => {
    return !/\.test\.ts$/.test(test) || !existsSync(join(root, test));
  });
  expect(missing).toEqual([]);
});

it("has every code and every reason, once and in the order of the tables", () => {
  const names = rows.map((row) => nameIn(row.split("|")[1])).filter((name) => name !== "");
  expect(names).toEqual([...noCompletionReasons, ...Object.keys(errorTable)]);
});
