import { expect, it } from "vitest";
import { CompletionError } from "../core/index.ts";
import { engineOf, localModelOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";

const local = localModelOf({ "src/a.ts": "export const a = 1;\n" });
const question = requestAt("zzz.yyy(█\n", { trigger: "invoked" });
const busy = new CompletionError("BACKEND_OVERLOADED", "busy");

it.each([
  ["is late", { steps: [{ kind: "hang" }] }, "deadline"],
  ["fails", { steps: [{ kind: "fail", error: busy }] }, "no-model"],
] as const)("a model that %s is a reason, not an error, beside the local one", async (...row) => {
  const [, script, reason] = row;
  const clock = new FakeClock();
  const engine = engineOf({ clock, local, backend: new FakeBackend({ script }) });
  const answer = engine.complete(question, { signal: new AbortController().signal });
  await clock.advance(5_000);
  expect((await answer).outcome).toEqual({ kind: "none", reason });
});
