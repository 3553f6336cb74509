import { expect, it } from "vitest";
import { type FilteredText, filterEffects } from "./filter-effects.ts";

const place = {
  target: "value);",
  prefix: "function run(value) {\n  print(",
  suffix: "\n  return value;\n}\n",
  languageId: "typescript",
  origin: "model",
  multiline: false,
} as const;

function effectsOf(...raws: readonly string[]): ReturnType<typeof filterEffects> {
  const texts = raws.map((raw): FilteredText => ({ ...place, raw }));
  return filterEffects(texts, { stopsOf: () => ["<stop>"] });
}

it("counts a text that a filter makes right as its win", () => {
  const { effects, ...counts } = effectsOf("value);<stop>more", "value);");
  expect(counts).toMatchObject({
    texts: 2,
    rightBefore: 1,
    rightAfter: 2,
    wrongBefore: 1,
    wrongAfter: 0,
  });
  expect(effects).toEqual([
    {
      ...{ filter: "stops", acted: 1, rightLost: 0, rightWon: 1, wrongHidden: 0 },
      ...{ rightLinesLost: -1, wrongLinesHidden: 1 },
    },
  ]);
});

it("counts a wrong text that is refused as hidden, and a right one as lost", () => {
  const repeated = { ...place, prefix: "{\n  ", suffix: "\n  run(1);\n}\n" };
  const texts: FilteredText[] = [
    { ...repeated, raw: "run(1);", target: "stop(2);" },
    { ...repeated, raw: "run(1);", target: "run(1);" },
  ];
  const { effects, rightBefore, rightAfter, wrongAfter } = filterEffects(texts, {
    stopsOf: () => [],
  });
  expect({ rightBefore, rightAfter, wrongAfter }).toEqual({
    rightBefore: 1,
    rightAfter: 0,
    wrongAfter: 0,
  });
  expect(effects).toEqual([
    {
      ...{ filter: "lines-below", acted: 2, rightLost: 1, rightWon: 0, wrongHidden: 1 },
      ...{ rightLinesLost: 1, wrongLinesHidden: 1 },
    },
  ]);
});

it("counts lines up to the first that differs as right, and those after it as wrong", () => {
  const text: FilteredText = {
    ...{ languageId: "python", origin: "model", multiline: true },
    prefix: "def f(xs):\n    for x in xs:\n        ",
    raw: "total += x\n        count += 1\n    return total\n\ng()\n",
    target: "total += x\n        count += x",
    suffix: "\n    return total\n",
  };
  const { linesBefore, linesAfter, effects } = filterEffects([text], { stopsOf: () => [] });
  expect({ linesBefore, linesAfter }).toEqual({
    linesBefore: { right: 1, wrong: 5 },
    linesAfter: { right: 1, wrong: 1 },
  });
  expect(effects.map(({ filter, rightLinesLost }) => [filter, rightLinesLost])).toEqual([
    ["scope-end", 0],
    ["trailing-space", 0],
    ["lines-below", 0],
  ]);
});

it("has nothing to say of texts that no filter touches", () => {
  expect(effectsOf("value);").effects).toEqual([]);
  expect(effectsOf()).toMatchObject({ texts: 0, effects: [] });
});
