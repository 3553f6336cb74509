import { describe, expect, it } from "vitest";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend, type FakeScript } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { Engine, EngineRequest } from "./index.ts";

const never = new AbortController().signal;
const settings = { isWarmed: true };
const snippet = {
  kind: "definition",
  path: "b.ts",
  score: 1,
  text: "export const b = 1;",
} as const;

function backendOf(script: FakeScript): FakeBackend {
  return new FakeBackend({ script, capabilities: { cachedTokens: true } });
}

function prioritiesOf(backend: FakeBackend): readonly unknown[] {
  return backend.requests.map(({ priority }) => priority);
}

async function answer(clock: FakeClock, engine: Engine, request: EngineRequest): Promise<void> {
  const promise = engine.complete(request, { signal: never });
  await clock.advance(5_000);
  await promise;
}

describe("the prompt of a document is read ahead", () => {
  it("while its first question waits for its turn, and not again for the next one", async () => {
    const clock = new FakeClock();
    const backend = backendOf("x.length;");
    const engine = engineOf({ clock, backend, settings });
    await answer(clock, engine, requestAt("const a = █\n"));
    await answer(clock, engine, requestAt("const a = y.█\n"));
    expect(prioritiesOf(backend)).toEqual(["warm-up", "automatic", "automatic"]);
    const [warm, asked] = backend.requests;
    expect(warm).toMatchObject({ prompt: asked?.prompt, maxTokens: 1, stop: [] });
  });

  it("where the model is not asked, once, and again when the snippets have changed", async () => {
    const clock = new FakeClock();
    const backend = backendOf("x");
    const engine = engineOf({ clock, backend, settings });
    // A finished line: the rules ask no language model here.
    const finished = requestAt("run();█\n");
    await answer(clock, engine, finished);
    await answer(clock, engine, finished);
    expect(prioritiesOf(backend)).toEqual(["warm-up"]);
    await answer(clock, engine, { ...finished, snippets: [snippet] });
    await answer(clock, engine, { ...finished, snippets: [snippet] });
    expect(prioritiesOf(backend)).toEqual(["warm-up", "warm-up"]);
  });

  it("when an editor opens it, as far as it does not depend on the cursor", async () => {
    const backend = backendOf("x");
    const engine = engineOf({ clock: new FakeClock(), backend, settings });
    const document = { path: "a.ts", languageId: "typescript", version: 0 };
    engine.open({ ...document, uri: "a", text: "const a = 1;\n" });
    engine.open({ ...document, uri: "long", text: "const a = 1;\n".repeat(5_000) });
    engine.open({ ...document, uri: "empty", text: "" });
    expect(backend.requests.length).toBe(1);
    expect(backend.requests[0]?.prompt).toMatchObject({
      text: expect.stringContaining("const a = 1;\n"),
    });
  });

  it("never of a file that is never read, nor without the setting or a cache", async () => {
    const clock = new FakeClock();
    const document = { uri: "a", path: ".env", languageId: "plaintext", version: 0, text: "KEY=1" };
    const secret = backendOf("x");
    engineOf({ clock, backend: secret, settings, isExcluded: () => true }).open(document);
    const off = backendOf("x");
    engineOf({ clock, backend: off }).open(document);
    const cacheless = new FakeBackend({ script: "x" });
    engineOf({ clock, backend: cacheless, settings }).open(document);
    expect([secret, off, cacheless].map(({ requests }) => requests.length)).toEqual([0, 0, 0]);
  });

  it("is given up as soon as somebody asks, and never runs beside a question", async () => {
    const clock = new FakeClock();
    const backend = backendOf(({ priority }) =>
      priority === "warm-up" ? { steps: [{ kind: "hang" }] } : "x.length;",
    );
    const engine = engineOf({ clock, backend, settings });
    await answer(clock, engine, requestAt("run();█\n"));
    expect(backend.openCount).toBe(0);
    await engine.complete(requestAt("const b = █\n", { trigger: "invoked" }), { signal: never });
    expect(prioritiesOf(backend)).toEqual(["warm-up", "invoked"]);
    engine.dispose();
    await clock.advance(5_000);
    expect([backend.openCount, clock.pendingCount]).toEqual([0, 0]);
  });

  it("keeps a failure to itself", async () => {
    const clock = new FakeClock();
    const error = new Error("broken");
    const backend = backendOf(({ priority }) =>
      priority === "warm-up" ? { steps: [{ kind: "fail", error }] } : "x.length;",
    );
    const engine = engineOf({ clock, backend, settings });
    await answer(clock, engine, requestAt("const a = █\n"));
    expect([engine.modelHealth, backend.requests.length]).toEqual(["ready", 2]);
  });
});
