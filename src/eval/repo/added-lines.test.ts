import { expect, test } from "vitest";
import { parsePatch } from "./added-lines.ts";

test("hunks say which lines went and came, line numbers from 0", () => {
  const patch = [
    "diff --git a/a.ts b/a.ts",
    "--- a/a.ts",
    "+++ b/a.ts",
    "@@ -3 +3,2 @@ function head() {",
    "-old",
    "+new",
    "+-- and more",
    "@@ -8,0 +10 @@",
    "+@@ -1 +1 @@ is text",
    "@@ -20,2 +21,0 @@",
    "-gone\r",
    "--- gone too",
    "\\ No newline at end of file",
    "diff --git a/b.bin b/b.bin",
    "Binary files a/b.bin and b/b.bin differ",
    "diff --git a/c.ts b/c.ts",
    "--- /dev/null",
    "+++ b/c.ts",
    "@@ -0,0 +1 @@",
    "+whole",
    "",
  ].join("\n");
  expect(parsePatch(patch)).toEqual([
    [
      { oldStart: 2, oldCount: 1, newStart: 2, newCount: 2, removed: ["old"] },
      { oldStart: 8, oldCount: 0, newStart: 9, newCount: 1, removed: [] },
      { oldStart: 19, oldCount: 2, newStart: 21, newCount: 0, removed: ["gone", "-- gone too"] },
    ],
    [],
    [{ oldStart: 0, oldCount: 0, newStart: 0, newCount: 1, removed: [] }],
  ]);
});
