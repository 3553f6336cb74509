import { expect, it } from "vitest";
import { CompletionError } from "../core/index.ts";
import { engineOf, localModelOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";

it("leaves a backend alone that keeps failing, tries it again later, and always asks by command", async () => {
  const clock = new FakeClock();
  const error = new CompletionError("BACKEND_UNREACHABLE", "no connection");
  const backend = new FakeBackend({ script: { steps: [{ kind: "fail", error }] } });
  const local = localModelOf({ "src/b.ts": "const unrelated = 1;\n" });
  const engine = engineOf({ clock, backend, local, settings: { localChance: 1 } });
  const ask = async (i: number, trigger: "automatic" | "invoked"): Promise<void> => {
    const { signal } = new AbortController();
    const promise = engine.complete(requestAt(`const v${i} = █\n`, { trigger }), { signal });
    await clock.advance(400);
    await promise;
  };
  for (let i = 0; i < 5; i++) await ask(i, "automatic");
  expect([backend.requests.length, engine.modelHealth]).toEqual([5, "paused"]);
  await ask(5, "automatic");
  expect(backend.requests.length).toBe(5);
  await ask(6, "invoked");
  expect(backend.requests.length).toBe(6);
  backend.script = "1;";
  await clock.advance(30_000);
  await ask(7, "automatic");
  expect([backend.requests.length, engine.modelHealth]).toEqual([7, "ready"]);
});

it("leaves a backend alone for as long as it asks for, from the first refusal on", async () => {
  const clock = new FakeClock();
  const error = new CompletionError("BACKEND_RATE_LIMITED", "slow down", { retryAfterMs: 60_000 });
  const backend = new FakeBackend({ script: { steps: [{ kind: "fail", error }] } });
  const local = localModelOf({ "src/b.ts": "const unrelated = 1;\n" });
  const engine = engineOf({ clock, backend, local, settings: { localChance: 1 } });
  const ask = async (i: number): Promise<void> => {
    const { signal } = new AbortController();
    const promise = engine.complete(requestAt(`const v${i} = █\n`), { signal });
    await clock.advance(400);
    await promise;
  };
  for (let i = 0; i < 3; i++) await ask(i);
  expect([backend.requests.length, engine.modelHealth]).toEqual([1, "paused"]);
  backend.script = "1;";
  await clock.advance(60_000);
  await ask(3);
  expect([backend.requests.length, engine.modelHealth]).toEqual([2, "ready"]);
});

it("says that a model fails and why, also where it is not left alone", async () => {
  const clock = new FakeClock();
  const error = new CompletionError("BACKEND_REFUSED", "status 500");
  const backend = new FakeBackend({ script: { steps: [{ kind: "fail", error }] } });
  const local = localModelOf({ "src/b.ts": "const unrelated = 1;\n" });
  const engine = engineOf({ clock, backend, local, settings: { localChance: 1 } });
  const ask = async (i: number): Promise<void> => {
    const { signal } = new AbortController();
    const promise = engine.complete(requestAt(`const v${i} = █\n`), { signal });
    await clock.advance(400);
    await promise;
  };
  expect([engine.modelHealth, engine.modelFailure]).toEqual(["ready", null]);
  for (let i = 0; i < 9; i++) await ask(i);
  expect([engine.modelHealth, engine.modelFailure]).toEqual(["failing", error]);
  expect(backend.requests.length).toBe(9);
  backend.script = "1;";
  await ask(9);
  expect([engine.modelHealth, engine.modelFailure]).toEqual(["ready", null]);
});
