import { expect, it } from "vitest";
import { resolveFormat } from "../core/index.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { speedCheck } from "./server-speed.ts";

it.each([
  [900, "ok"],
  [1_600, "failed"],
] as const)("a model whose first token takes %i ms of 1,500 is %s", async (afterMs, state) => {
  const clock = new FakeClock();
  const steps = [{ kind: "text", text: "sum += price;", afterMs }] as const;
  const backend = new FakeBackend({ clock, script: { steps } });
  const id = "qwen2.5-coder-1.5b";
  const format = resolveFormat({ model: id, backendKind: "fake", override: null });
  const { signal } = new AbortController();
  const checking = speedCheck(
    { id, format, backend },
    { clock, timeoutMs: 1_500, mark: "17", signal },
  );
  await clock.advance(5_000);
  const check = await checking;
  expect(check.state).toBe(state);
  expect(check.text).toContain(`first token after ${afterMs} ms`);
  expect(check.text.includes("request.timeoutMs")).toBe(state === "failed");
  const [request] = backend.requests;
  expect(request?.maxTokens).toBe(8);
  expect(request?.prompt.kind === "rendered" && request.prompt.text).toContain("// 17\n");
});
