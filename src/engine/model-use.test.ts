import { expect, it } from "vitest";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";

const never = new AbortController().signal;

it("counts key presses, those that asked the model, and answers that came too late", async () => {
  const clock = new FakeClock();
  const steps = [{ kind: "text", text: "items.length;", afterMs: 300 }] as const;
  const backend = new FakeBackend({ clock, script: { steps } });
  const engine = engineOf({ clock, backend });
  const first = engine.complete(requestAt("const a = █\n"), { signal: never });
  await clock.advance(5_000);
  await first;
  expect(engine.modelUse).toEqual({ keys: 1, asked: 1, ended: 1, late: 0, failed: 0 });
  // Typed through: nothing is asked.
  await engine.complete(requestAt("const a = it█\n"), { signal: never });
  expect(engine.modelUse).toMatchObject({ keys: 2, asked: 1 });
  // The next key does not fit to what was asked, which is given up.
  const second = engine.complete(requestAt("const b = █\n"), { signal: never });
  await clock.advance(200);
  const third = engine.complete(requestAt("const b = [█\n", { trigger: "invoked" }), {
    signal: never,
  });
  await clock.advance(5_000);
  await Promise.all([second, third]);
  expect(engine.modelUse).toMatchObject({ keys: 3, asked: 2, late: 1 });
});
