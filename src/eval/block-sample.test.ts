import { expect, it } from "vitest";
import { createRandom } from "../stats/random.ts";
import { sampleBlocks } from "./block-sample.ts";

const body = [
  "def run(items):",
  "    total = 0",
  "    for item in items:",
  "        # Every item.",
  "        total += item",
  "        count(item)",
  "    print(total)",
  "    return total",
  "",
  "run([])",
  "",
].join("\n");
const text = body.repeat(4);
const file = { path: "a.py", text, languageId: "python" };

it("holes begin behind an indentation, end behind a visible character and have two lines or more", () => {
  const blocks = sampleBlocks([file], { count: 40, random: createRandom(1) });
  expect(blocks.length).toBe(20);
  for (const { offset, target } of blocks) {
    expect(text.slice(offset, offset + target.length)).toBe(target);
    expect(target).toMatch(/^\S.*\n.*\S$/s);
    expect(target).not.toContain("run([])");
  }
});

it("a hole to the end of a block goes as far as its indentation, another one leaves it", () => {
  const blocks = sampleBlocks([file], { count: 40, random: createRandom(1) });
  const targetsOf = (kind: string): readonly string[] =>
    blocks.filter(({ ends }) => ends === kind).map(({ target }) => target);
  expect(targetsOf("block")).toContain("total += item\n        count(item)");
  expect(targetsOf("anywhere").some((target) => /\n {8}\S.*\n {4}\S/s.test(target))).toBe(true);
});

it("the same seed draws the same holes, and a file without any gives none", () => {
  const draw = (): unknown => sampleBlocks([file], { count: 9, random: createRandom(3) });
  expect(draw()).toEqual(draw());
  const flat = { ...file, text: "a = 1\nb = 2\n" };
  expect(sampleBlocks([flat], { count: 9, random: createRandom(3) })).toEqual([]);
});
