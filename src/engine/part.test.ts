import { expect, it } from "vitest";
import { Calibrator, featureNames, partFeatureNames } from "../local/index.ts";
import { engineOf, localModelOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { Engine } from "./engine.ts";
import type { EngineRequest, EngineResult } from "./types.ts";

const table = { raw: [0, 1], calibrated: [0, 1], trainedOn: [] };
/** Sure of a rest from the fourth letter of a word on: chances of 0.12 and 0.95. */
const surer = new Calibrator({
  ...{ version: 1, features: featureNames, bias: 0, ...table },
  trees: [{ features: [featureNames.indexOf("wordUnits")], thresholds: [0.45], leaves: [-2, 3] }],
});
const never = new Calibrator({ ...surer.data, bias: -9 });
/** Every part is right with a chance of 0.88. */
const sure = new Calibrator({
  ...{ version: 1, features: partFeatureNames, bias: 2, trees: [], ...table },
});

const line = "  context.measure(shape);\n";
const files = { "src/b.ts": line.repeat(3), "src/c.ts": line };
const growing = localModelOf(files, { calibrator: surer, partCalibrator: sure });
const unsure = localModelOf(files, { calibrator: never, partCalibrator: sure });

function marked(text: string): string {
  return `const shape = square();\n  ${text}█\n`;
}

async function typed(engine: Engine, text: string): Promise<EngineResult> {
  return engine.complete(requestAt(marked(text)), { signal: new AbortController().signal });
}

async function ended(clock: FakeClock, engine: Engine, request: EngineRequest) {
  const answer = engine.complete(request, { signal: new AbortController().signal });
  await clock.advance(5_000);
  return await answer;
}

function textOf({ outcome }: EngineResult): string | null {
  return outcome.kind === "completion" ? outcome.edit.text : null;
}

it("the part that saves the most is shown where no rest of the line is likely enough", async () => {
  const engine = engineOf({ clock: new FakeClock(), local: unsure });
  const result = await typed(engine, "con");
  const edit = { text: "text.measure(shape)", replaceBefore: 0, replaceAfter: 0 };
  expect(result.outcome).toEqual({ kind: "completion", edit, chance: expect.closeTo(0.88, 2) });
});

it("a part that is typed along stays, without being another suggestion", async () => {
  const engine = engineOf({ clock: new FakeClock(), local: unsure });
  await typed(engine, "con");
  const next = await typed(engine, "cont");
  expect([textOf(next), next.source]).toEqual(["ext.measure(shape)", "type-through"]);
});

it("a part that is typed along gives way to a rest of the line that becomes certain", async () => {
  const engine = engineOf({ clock: new FakeClock(), local: growing });
  expect(textOf(await typed(engine, "con"))).toBe("text.measure(shape)");
  const whole = await typed(engine, "cont");
  expect([textOf(whole), whole.source]).toEqual(["ext.measure(shape);", "local"]);
  const along = await typed(engine, "conte");
  expect([textOf(along), along.source]).toEqual(["xt.measure(shape);", "type-through"]);
});

it("a part keeps nobody from asking the language model, whose text comes before it", async () => {
  const clock = new FakeClock();
  const backend = new FakeBackend({ script: "text.draw();" });
  const engine = engineOf({ clock, local: unsure, backend });
  const result = await ended(clock, engine, requestAt(marked("con")));
  expect([textOf(result), backend.requests.length]).toEqual(["text.draw();", 1]);
});

it("a part is shown when the language model has nothing", async () => {
  const clock = new FakeClock();
  const backend = new FakeBackend({ script: "" });
  const engine = engineOf({ clock, local: unsure, backend });
  const result = await ended(clock, engine, requestAt(marked("con")));
  expect([textOf(result), result.source]).toEqual(["text.measure(shape)", "local"]);
});

it("alternatives are whole rests of lines", async () => {
  const engine = engineOf({ clock: new FakeClock(), local: unsure });
  const request = requestAt(marked("con"), { count: 3 });
  const { alternatives } = await engine.complete(request, { signal: new AbortController().signal });
  expect(alternatives.map(({ text }) => text)).toEqual(["text.measure(shape);"]);
});
