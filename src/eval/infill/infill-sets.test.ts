import { expect, it } from "vitest";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import { dataFile } from "./data-file.ts";
import { infillSets, setsNamed } from "./infill-sets.ts";
import { programOf } from "./infill-task.ts";

it("has every set that is promised, each with its data pinned", () => {
  expect(infillSets.map(({ name }) => name)).toEqual([
    "humaneval-infilling/single-line",
    "humaneval-infilling/multi-line",
    "humaneval-infilling/random-span",
    "humaneval-infilling/random-span-light",
    ...["python", "js", "java", "go", "rust", "cpp"].flatMap((language) => [
      `humanevalpack-${language}/single-line`,
      `humanevalpack-${language}/multi-line`,
    ]),
    "mbxp-typescript/single-line",
    "mbxp-typescript/multi-line",
  ]);
  for (const { file } of infillSets) {
    const { sha256, url } = dataFile(file);
    expect([sha256.length, new URL(url).protocol]).toEqual([64, "https:"]);
    // A branch would move away from the checksum.
    expect(url).toMatch(/\/[0-9a-f]{40}\//);
  }
});

it("takes a name, or all sets of some data", () => {
  const namesOf = (...names: readonly string[]): readonly string[] =>
    setsNamed(names).map(({ name }) => name);
  expect(namesOf()).toHaveLength(infillSets.length);
  expect(namesOf("humanevalpack-go")).toEqual([
    "humanevalpack-go/single-line",
    "humanevalpack-go/multi-line",
  ]);
  expect(namesOf("mbxp-typescript/multi-line")).toEqual(["mbxp-typescript/multi-line"]);
  expect(() => namesOf("humaneval")).toThrow(EvaluationUnavailableError);
});

it("makes a program of a row of HumanEval-Infilling", () => {
  const [set] = setsNamed(["humaneval-infilling/single-line"]);
  if (set?.content.kind !== "tasks") throw new Error("no tasks");
  const task = set.content.read({
    task_id: "SingleLineInfilling/HumanEval/0/L0",
    entry_point: "one",
    prompt: "def one():\n",
    suffix: "",
    canonical_solution: "    return 1\n",
    test: "def check(f):\n    assert f() == 1\n",
  });
  const code = task.prefix + task.target + task.suffix;
  expect(task.tests === null ? null : programOf(task.tests, code)).toBe(
    "def one():\n    return 1\n\ndef check(f):\n    assert f() == 1\n\ncheck(one)\n",
  );
});

it("leaves crates out of a Rust program and calls every Go test", () => {
  const row = {
    task_id: "X/1",
    prompt: "use rand::Rng;\nuse md5;\nuse std::cmp;\n",
    canonical_solution: "fn a() {}\n",
    test: "func TestOne(t *testing.T) {}\nfunc TestTwo(t *testing.T) {}\n",
    test_setup: "package main\n",
    import: "",
  };
  const programs = ["rust", "go"].map((language) => {
    const [set] = setsNamed([`humanevalpack-${language}/single-line`]);
    const solution = set?.content.kind === "solutions" ? set.content.read(row) : null;
    return solution === null ? "" : programOf(solution.tests, solution.prompt + solution.body);
  });
  expect(programs[0]).toMatch(/^\n+use std::cmp;\nfn a/);
  expect(programs[1]).toMatch(/^package main[\s\S]+TestOne\(t\)\n\tTestTwo\(t\)\n/);
});
