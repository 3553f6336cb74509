import { describe, expect, it } from "vitest";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { Engine, EngineRequest, EngineResult } from "./index.ts";

const never = new AbortController().signal;
const settings = { isPrefetched: true };

async function answer(
  clock: FakeClock,
  engine: Engine,
  request: EngineRequest,
): Promise<EngineResult> {
  const promise = engine.complete(request, { signal: never });
  await clock.advance(5_000);
  return promise;
}

describe("asking ahead", () => {
  const script =
    (first: string, second: string) => (request: { prompt: { kind: string; text?: string } }) =>
      request.prompt.text?.includes(`${first}<|fim_suffix|>`) === true ? second : first;

  it("has the next text ready when the shown one is accepted", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: script("items.map((", "item) => item.id)") });
    const engine = engineOf({ clock, backend, settings });
    await answer(clock, engine, requestAt("const ids = █\n"));
    expect(backend.requests.map(({ priority }) => priority)).toEqual(["automatic", "prefetch"]);
    const next = await answer(clock, engine, requestAt("const ids = items.map((█\n"));
    expect([next.source, backend.requests.length > 2 && backend.requests[2]?.priority]).toEqual([
      "prefetch",
      "prefetch",
    ]);
  });

  it("asks nothing where several lines leave no room for a prompt, and shows the text", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: "() => {" });
    const engine = engineOf({ clock, backend, settings: { ...settings, contextTokens: 256 } });
    const { outcome } = await answer(clock, engine, requestAt("const run = █\n"));
    expect([outcome.kind, backend.requests.length]).toEqual(["completion", 1]);
  });

  it("gives up as soon as something else is asked", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({
      script: (request) =>
        request.priority === "prefetch" ? { steps: [{ kind: "hang" }] } : "run((",
    });
    const engine = engineOf({ clock, backend, settings });
    await engine.complete(requestAt("const a = █\n", { trigger: "invoked" }), { signal: never });
    expect(backend.openCount).toBe(1);
    await answer(clock, engine, requestAt("const other = █\n"));
    expect(backend.abortCount).toBeGreaterThan(0);
    engine.dispose();
    await clock.advance(5_000);
    expect([backend.openCount, clock.pendingCount]).toEqual([0, 0]);
  });

  it("keeps nothing of a failure", async () => {
    const clock = new FakeClock();
    const error = new Error("broken");
    const backend = new FakeBackend({
      script: ({ priority }) =>
        priority === "prefetch" ? { steps: [{ kind: "fail", error }] } : "run((",
    });
    const engine = engineOf({ clock, backend, settings });
    await answer(clock, engine, requestAt("const a = █\n"));
    expect((await answer(clock, engine, requestAt("const a = run((█\n"))).source).toBe("model");
  });
});
