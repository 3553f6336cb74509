import { expect, it } from "vitest";
import type { SampledCursor } from "./cursor-sample.ts";
import { isRightPart, judgeParts, partQuality } from "./part-quality.ts";

const file = { path: "a.ts", languageId: "typescript", text: "const a = context.buffer;\n" };
const cursor: SampledCursor = { file, place: "word", offset: 12, target: "ntext.buffer;" };

it("takes a part for right that the line goes on with, up to the end of a name", () => {
  const parts = ["ntext", "ntext.buffer", "ntext.buff", "nt", "ntents", ""];
  expect(parts.filter((part) => isRightPart(part, cursor.target))).toEqual([
    "ntext",
    "ntext.buffer",
    "",
  ]);
  expect(isRightPart("ab", "ab")).toBe(true);
});

it("judges the first part that is likely enough where no rest is", () => {
  const parts = [
    { text: "ntext.buffer", chance: 0.2 },
    { text: "ntext", chance: 0.9 },
  ];
  const rest = { text: "ntents.length;", chance: 0.2 };
  const judge = (chance: number) =>
    judgeParts(cursor, { rests: [{ ...rest, chance }], parts, threshold: 0.25 });
  expect(judge(0.3)).toEqual({ kind: "rest" });
  const open = judge(0.2);
  expect(open).toMatchObject({
    first: { chance: 0.2, isCorrect: true },
    shown: { units: 5, isCorrect: true },
  });
  const none = judgeParts(cursor, { rests: [], parts: [], threshold: 0.25 });
  expect(partQuality([judge(0.3), open, none, judge(0.3)])).toEqual({
    restCoverage: 0.5,
    coverage: 0.25,
    precision: 1,
    units: 5,
    calibrationError: expect.closeTo(0.8, 12),
  });
});
