import { expect, it } from "vitest";
import { engineOf } from "../../testing/engine-fixture.ts";
import { FakeBackend, type FakeScript } from "../../testing/fake-backend.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { silentReporter } from "../bench-report.ts";
import type { OpenTarget } from "../latency/latency-bench.ts";
import { renderMarkdown } from "../report/render-markdown.ts";
import { runCapacityBench } from "./capacity-bench.ts";
import { capacityReport } from "./capacity-report.ts";
import { defaultTyping } from "./developer-schedule.ts";

const text = Array.from({ length: 60 }, (_, i) => `const value${i} = compute(${i});\n`).join("");

/** Runs on a clock that only moves while the bench sleeps. */
async function capacityOf(script: FakeScript, maxDevelopers: number) {
  let time = 0;
  const backends: FakeBackend[] = [];
  const open: OpenTarget = {
    ...{ backend: "fake", model: "fake", template: null, languageModel: null },
    createEngine: ({ observe }) => {
      const backend = new FakeBackend({ script });
      backends.push(backend);
      return engineOf({ clock: new FakeClock(), backend: observe(backend) });
    },
    memoryBytes: async () => null,
    close: async () => {},
  };
  const result = await runCapacityBench({
    open,
    files: [{ path: "a.ts", languageId: "typescript", text }],
    typing: defaultTyping,
    goal: { limitMs: 300, maxDevelopers, precision: 0 },
    ...{ requests: 20, leastMs: 1_000, seed: 1, reporter: silentReporter },
    now: () => time,
    sleep: async (ms, signal) => {
      // Whatever was asked has its turn before time goes on.
      for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
      if (!signal.aborted) time += ms;
    },
  });
  return { result, backends };
}

it("carries everybody with a server that answers at once", async () => {
  const { result, backends } = await capacityOf("1;", 4);
  expect([result.developers, result.tooMany]).toEqual([4, null]);
  expect(result.steps.map(({ developers }) => developers)).toEqual([1, 2, 4]);
  expect(result.steps.map(({ failed, superseded }) => [failed, superseded])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(backends.length).toBe(4);
  const machine = { processor: "p", cores: 1, memoryGb: 1, system: "s", node: "n", load: 0 };
  const server = { kind: "measured", name: "fake", model: "m", backend: "b", result } as const;
  const report = capacityReport([server], {
    ...{ machine, typing: defaultTyping, limitMs: 300, seed: 1, version: "0" },
  });
  const markdown = renderMarkdown(report, { pictureOf: () => null });
  expect(markdown).toContain("fake carries 4 developers or more.");
  expect(markdown).toContain("midspan cost --developers-per-server 4");
});

it("carries nobody with a server that never answers: who typed on counts as they waited", async () => {
  let asked = 0;
  const { result } = await capacityOf(() => {
    // The file is read once, so that the bench comes to its first step.
    asked++;
    return asked === 1 ? "1;" : { steps: [{ kind: "hang" }] };
  }, 4);
  const [step] = result.steps;
  expect([result.developers, result.tooMany]).toEqual([0, 1]);
  expect(step?.superseded).toBe(step?.requests);
  expect(step?.firstTokenMs.p95).toBeGreaterThan(300);
});

it("does not carry those whose requests fail", async () => {
  const fails: FakeScript = () => ({ steps: [{ kind: "fail", error: new Error("gone") }] });
  const { result } = await capacityOf(fails, 4);
  expect(result.developers).toBe(0);
  expect(result.steps[0]?.failed).toBe(result.steps[0]?.requests);
});
