import { describe, expect, it } from "vitest";
import { formatChecks, formatTable, isReached } from "./bench-report.ts";

describe("checks", () => {
  const check = {
    name: "p95",
    value: 8.5,
    goal: { kind: "at-most", value: 8 },
    unit: " ms",
  } as const;

  it("pass when the goal is reached, exactly too, and never without a figure", () => {
    expect(isReached(check)).toBe(false);
    expect(isReached({ ...check, value: 8 })).toBe(true);
    expect(isReached({ ...check, goal: { kind: "at-least", value: 8.5 } })).toBe(true);
    expect(isReached({ ...check, value: Number.NaN })).toBe(false);
  });

  it("are written with their mark", () => {
    expect(formatChecks([check])).toBe(
      [
        "|      | check | measured | goal   |",
        "| ---- | ----- | -------: | -----: |",
        "| FAIL | p95   |  8.50 ms | ≤ 8 ms |",
      ]
        .join("\n")
        .replace("| goal   |", "|   goal |"),
    );
  });
});

it("lays out words left and numbers right", () => {
  const rows = [
    ["rxjs", "1.5"],
    ["@tanstack/query-core", "10"],
  ];
  expect(formatTable(["package", "n"], rows)).toBe(
    [
      "| package              |   n |",
      "| -------------------- | --: |",
      "| rxjs                 | 1.5 |",
      "| @tanstack/query-core |  10 |",
    ].join("\n"),
  );
});
