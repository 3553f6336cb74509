import { expect, it } from "vitest";
import { CompletionError } from "../../core/index.ts";
import { engineOf } from "../../testing/engine-fixture.ts";
import { FakeBackend, type FakeScript } from "../../testing/fake-backend.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { silentReporter } from "../bench-report.ts";
import { judgedPackages } from "../corpus.ts";
import { renderMarkdown } from "../report/render-markdown.ts";
import type { SourceFile } from "../source-file.ts";
import { drawLatencyQuestions, type LatencyTarget, runLatencyBench } from "./latency-bench.ts";
import { latencyReport } from "./latency-report.ts";

const files: readonly SourceFile[] = Array.from({ length: 8 }, (_, file) => ({
  path: `src/${file}.ts`,
  languageId: "typescript",
  text: Array.from(
    { length: 12 },
    (_, i) =>
      `export function f${file}x${i}(a: number) {\n  const sum${i} = a + ${i};\n  return sum${i} * ${file};\n}\n`,
  ).join(""),
}));
const [first] = judgedPackages;
if (first === undefined) throw new Error("there is no corpus");
const sample = {
  corpora: [{ package: first, files }],
  ...{ lines: 6, blocks: 2, parallel: [1, 3], seed: 1 },
};

/** A model that is asked through an engine whose filters are those of the product. */
function target(name: string, script: FakeScript): LatencyTarget {
  return {
    name,
    open: async () => ({
      ...{ backend: "fake", model: name, template: null, languageModel: null },
      createEngine: ({ observe }) =>
        engineOf({
          clock: new FakeClock(),
          backend: observe(new FakeBackend({ script })),
          settings: { threshold: 0 },
        }),
      memoryBytes: async () => 5e6,
      close: async () => {},
    }),
  };
}

/** Goes on by a millisecond each time it is looked at. */
function ticking(): () => number {
  let time = 0;
  return () => time++;
}

const run = (targets: readonly LatencyTarget[]) =>
  runLatencyBench({ ...sample, targets, now: ticking(), reporter: silentReporter });

it("asks each place once, another one at each number of requests at a time", () => {
  const { questions, indexed } = drawLatencyQuestions(sample);
  expect(questions.map((level) => level.length)).toEqual([8, 6]);
  const places = questions.flat().map(({ file, offset }) => `${file.path}:${offset}`);
  expect(new Set(places).size).toBe(places.length);
  const asked = new Set(questions.flat().map(({ file }) => file.path));
  expect(indexed.filter(({ path }) => asked.has(path))).toEqual([]);
});

it("gives a perfect model every line and block, and an empty one none", async () => {
  const { questions } = drawLatencyQuestions(sample);
  const answers = questions.flat();
  // The text before the cursor ends where the sentinel of the suffix begins.
  const perfect: FakeScript = ({ prompt }) => {
    const text = prompt.kind === "rendered" ? prompt.text : "";
    const found = answers.find(({ file, offset }) =>
      text.includes(`${file.text.slice(offset - 40, offset)}<|fim_suffix|>`),
    );
    return found?.target ?? "";
  };
  const [good, empty] = await run([target("perfect", perfect), target("empty", "")]);
  if (good?.kind !== "measured" || empty?.kind !== "measured") throw new Error("not measured");
  expect([good.line, good.block]).toEqual([new Array(12).fill(true), [true, true]]);
  expect([empty.line, empty.block]).toEqual([new Array(12).fill(false), [false, false]]);
  expect(good.rows.map(({ parallel, requests, failed }) => [parallel, requests, failed])).toEqual([
    [1, 8, 0],
    [3, 6, 0],
  ]);
  expect(good.rows[0]?.firstTokenMs.p50).toBeGreaterThan(0);
});

it("counts failures apart from wrong answers, and goes on without a target that is missing", async () => {
  let asked = 0;
  const error = new CompletionError("BACKEND_OVERLOADED", "busy");
  const third: FakeScript = () => (++asked % 2 === 0 ? { steps: [{ kind: "fail", error }] } : "x");
  const missing: LatencyTarget = {
    name: "nowhere",
    open: async () => Promise.reject(new Error("nothing answers there")),
  };
  const results = await run([missing, target("shaky", third)]);
  const shaky = results[1];
  if (shaky?.kind !== "measured") throw new Error("not measured");
  const failed = shaky.rows.reduce((sum, row) => sum + row.failed, 0);
  expect(failed).toBeGreaterThan(0);
  expect(shaky.line.length + shaky.block.length + failed).toBe(14);
  const machine = { processor: "p", cores: 1, memoryGb: 1, system: "s", node: "n", load: 0 };
  const report = latencyReport(results, { machine, corpora: "c", seed: 1, version: "0" });
  const text = renderMarkdown(report, { pictureOf: () => null });
  expect(text).toMatch(/\| nowhere +\| not run +\|/);
  expect(text).toContain("nowhere was not run: nothing answers there.");
});
