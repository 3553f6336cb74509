import { expect, it } from "vitest";
import { isReached } from "../bench-report.ts";
import { lossReport } from "./loss-report.ts";

const loss = { task: "own/single-line:1", filters: ["lines-below"], left: null };

it("holds single lines against the goal, and lists the losses of every set", () => {
  const report = lossReport(
    [
      { name: "own/single-line", tasks: 10, losses: [loss] },
      { name: "other/single-line", tasks: 100, losses: [] },
      { name: "own/multi-line", tasks: 2, losses: [{ ...loss, task: "own/multi-line:2" }] },
    ],
    { version: "0.0.0", remarks: ["rust: no rustc."] },
  );
  expect(report.checks.map((check) => [check.name, check.value, isReached(check)])).toEqual([
    ["own/single-line, kept", 0.9, false],
    ["other/single-line, kept", 1, true],
  ]);
  const [kept, listed] = report.sections;
  expect(kept?.blocks).toMatchObject([
    {
      rows: [
        ["own/single-line", 10, 1, 0.9],
        ["other/single-line", 100, 0, 1],
        ["own/multi-line", 2, 1, 0.5],
      ],
    },
    { text: "rust: no rustc." },
  ]);
  expect(listed?.blocks).toMatchObject([{ rows: [["lines-below", 2]] }, {}]);
});
