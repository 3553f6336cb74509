import { describe, expect, it } from "vitest";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { EngineRequest, EngineResult } from "./index.ts";

const never = new AbortController().signal;
const settings = { isHealed: true };
const invoked = { trigger: "invoked" } as const;

async function answer(backend: FakeBackend, request: EngineRequest): Promise<EngineResult> {
  const clock = new FakeClock();
  const promise = engineOf({ clock, backend, settings }).complete(request, { signal: never });
  promise.catch(() => {});
  await clock.advance(5_000);
  return promise;
}

function textOf(result: EngineResult): string | null {
  return result.outcome.kind === "completion" ? result.outcome.edit.text : null;
}

describe("token healing", () => {
  it("ends the prompt before the word and shows what follows the typed part", async () => {
    const backend = new FakeBackend({ script: " return x;" });
    const result = await answer(backend, requestAt("function f(x) {\n  y(); retu█\n}\n", invoked));
    expect(textOf(result)).toBe("rn x;");
    const { prompt } = backend.requests[0] ?? { prompt: null };
    expect(prompt).toMatchObject({ text: expect.stringMatching(/y\(\);$/) });
  });

  it("asks again with the whole text when the answer begins with something else", async () => {
    const backend = new FakeBackend({
      script: ({ prompt }) =>
        prompt.kind === "rendered" && prompt.text.endsWith("retu") ? "rn 1;" : " 42;",
    });
    const result = await answer(backend, requestAt("const a = 0;\nb(); retu█\n", invoked));
    expect([textOf(result), backend.requests.length]).toEqual(["rn 1;", 2]);
  });

  it("demands the cut text of a backend that can force it", async () => {
    const capabilities = { forcedPrefix: true };
    const backend = new FakeBackend({ script: " return 1;", capabilities });
    await answer(backend, requestAt("b(); retu█\n", invoked));
    expect(backend.requests[0]?.forcedPrefix).toBe(" retu");
  });

  it("finds the cut text over any chunks, and an answer that ends inside it is a miss", async () => {
    const steps = [" ", "re", "t", "urn 2;"].map((text) => ({ kind: "text", text }) as const);
    const result = await answer(
      new FakeBackend({ script: { steps } }),
      requestAt("b(); retu█\n", invoked),
    );
    expect(textOf(result)).toBe("rn 2;");
    const short = new FakeBackend({ script: " re" });
    await answer(short, requestAt("b(); retu█\n", invoked));
    expect(short.requests.length).toBe(2);
  });

  it("takes an answer without the blank that was cut, but not one without the indentation", async () => {
    const inLine = new FakeBackend({ script: "42;" });
    const line = await answer(inLine, requestAt("const a = █\n", invoked));
    expect([textOf(line), inLine.requests.length]).toEqual(["42;", 1]);
    const atStart = new FakeBackend({ script: "return 1;" });
    await answer(atStart, requestAt("def f():\n    █\n", invoked));
    expect(atStart.requests.length).toBe(2);
  });

  it("asks again when the answer makes the indentation deeper, or ends the line", async () => {
    for (const start of ["        return 1;", "    \n    x()"]) {
      const backend = new FakeBackend({ script: start });
      await answer(backend, requestAt("def f():\n    █\n", invoked));
      expect(backend.requests.length).toBe(2);
    }
    const steps = ["  ", "  ", "return 2;"].map((text) => ({ kind: "text", text }) as const);
    const backend = new FakeBackend({ script: { steps } });
    const result = await answer(backend, requestAt("def f():\n    █\n", invoked));
    expect([textOf(result), backend.requests.length]).toEqual(["return 2;", 1]);
  });

  it("is left out where the model's own text is asked for", async () => {
    const backend = new FakeBackend({ script: "rn 3;" });
    const result = await answer(backend, requestAt("b(); retu█\n", { ...invoked, threshold: 0 }));
    expect([textOf(result), backend.requests.length]).toEqual(["rn 3;", 1]);
  });
});
