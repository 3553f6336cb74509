import { expect, it } from "vitest";
import { CompletionError, type Log } from "../core/index.ts";
import { engineOf, localModelOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend, type FakeReply } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { Engine } from "./engine.ts";
import type { EngineRequest, EngineResult } from "./types.ts";

const local = localModelOf({ "src/a.ts": "export const a = 1;\n" });
const question = requestAt("zzz.yyy(█\n", { trigger: "invoked" });
/** The local model has a text here. */
const line = "const options = createOptions({ strict: true });\n";
const knowing = localModelOf({ "src/b.ts": line.repeat(3), "src/c.ts": line });
const known = requestAt("const options = createOptions({ st█\n", { trigger: "invoked" });
const busy = new CompletionError("BACKEND_OVERLOADED", "busy");
const unreachable = new CompletionError("BACKEND_UNREACHABLE", "no connection");
const hang: FakeReply = { steps: [{ kind: "hang" }] };
const cut: FakeReply = { steps: [{ kind: "text", text: "strange" }, { kind: "hang" }] };

async function ended(
  clock: FakeClock,
  engine: Engine,
  request: EngineRequest,
): Promise<EngineResult> {
  const answer = engine.complete(request, { signal: new AbortController().signal });
  await clock.advance(5_000);
  return await answer;
}

it.each([
  ["is late", hang, "deadline", "timeout"],
  ["fails", { steps: [{ kind: "fail", error: busy }] }, "no-model", "stop"],
] as const)("a model that %s is a reason, not an error, beside the local one", async (...row) => {
  const [, script, reason, finishReason] = row;
  const clock = new FakeClock();
  const engine = engineOf({ clock, local, backend: new FakeBackend({ script }) });
  const result = await ended(clock, engine, question);
  expect(result).toMatchObject({ outcome: { kind: "none", reason }, finishReason });
  expect(engine.modelUse).toMatchObject({ ended: 1, late: 0, failed: 1 });
});

it("a local text that is not worth showing does not hide that the model was late", async () => {
  const clock = new FakeClock();
  const backend = new FakeBackend({ script: hang });
  const engine = engineOf({ clock, local: knowing, backend, settings: { localChance: 1 } });
  const result = await ended(clock, engine, { ...known, threshold: 1, explain: true });
  expect(result.outcome).toEqual({ kind: "none", reason: "deadline" });
  expect(result.explanation?.candidates).toMatchObject([{ rejectedBy: "below-threshold" }]);
  expect(result.timings.ttftMs).toBe(1_500);
});

it.each([
  ["nothing", hang],
  ["half a text", cut],
])("a local text shown in place of a model that wrote %s in time says so", async (_, script) => {
  const clock = new FakeClock();
  const backend = new FakeBackend({ script });
  const engine = engineOf({ clock, local: knowing, backend, settings: { localChance: 1 } });
  const result = await ended(clock, engine, known);
  expect(result).toMatchObject({ source: "local", finishReason: "timeout" });
  expect(engine.modelUse).toMatchObject({ ended: 1, late: 0, failed: 1 });
});

it("the log says once that a failing model is left alone, and once that it is back", async () => {
  const clock = new FakeClock();
  const backend = new FakeBackend({
    script: { steps: [{ kind: "fail", error: unreachable }] },
  });
  const lines: unknown[] = [];
  const note: Log["warn"] = (_, fields) => lines.push(fields);
  const log = { debug: note, info: note, warn: note, error: note };
  const engine = engineOf({ clock, local, backend, log });
  for (let i = 0; i < 8; i++) await ended(clock, engine, requestAt(`const v${i} = █\n`));
  const paused = { address: "fake:", reason: "BACKEND_UNREACHABLE", failures: 5 };
  expect(lines).toEqual([paused]);
  backend.script = "1);";
  await clock.advance(60_000);
  await ended(clock, engine, requestAt("const last = █\n"));
  expect(lines).toEqual([paused, { address: "fake:" }]);
});
