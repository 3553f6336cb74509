import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CompletionError } from "../core/index.ts";
import { engineOf, localModelOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { Engine, EngineRequest, EngineResult } from "./index.ts";

const never = new AbortController().signal;
const invoked = { trigger: "invoked" } as const;

const repeated = Array.from({ length: 6 }, (_, i) => `import { thing${i} } from "../things.ts";\n`);
const local = localModelOf({
  "src/b.ts": `${repeated.join("")}export const registry = createRegistry({ strict: true });\n`,
  "src/c.ts": `${repeated.join("")}const other = createRegistry({ strict: true });\n`,
  "src/d.ts": `${repeated.join("")}const third = createRegistry({ strict: true });\n`,
});
/** Everybody in the workspace goes on from here in the same way. */
const certain = `${repeated.slice(0, 3).join("")}const mine = createRegistry({ st█\n`;

/** Runs the clock until the request has ended. */
async function ended(
  clock: FakeClock,
  engine: Engine,
  request: EngineRequest,
  signal: AbortSignal = never,
): Promise<EngineResult> {
  const promise = engine.complete(request, { signal });
  promise.catch(() => {});
  await clock.advance(5_000);
  return promise;
}

function textOf(result: EngineResult): string | null {
  return result.outcome.kind === "completion" ? result.outcome.edit.text : null;
}

function reasonOf(result: EngineResult): string | null {
  return result.outcome.kind === "none" ? result.outcome.reason : null;
}

describe("with the language model alone", () => {
  it("gives the model's text after post-processing, and nothing else, when invoked without rules", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: "a + b;\n}<|endoftext|>junk" });
    const engine = engineOf({ clock, backend, settings: { threshold: 0 } });
    const request = requestAt("function add(a, b) {\n  return █\n}\n", invoked);
    // No wait: the answer is there although the clock stands still.
    const result = await engine.complete(request, { signal: never });
    expect([textOf(result), result.source, backend.requests.length, clock.now()]).toEqual([
      "a + b;",
      "model",
      1,
      0,
    ]);
    await engine.complete(request, { signal: never });
    expect(backend.requests.length).toBe(2);
  });

  it("adds the caller's stops to those of the model", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: "one two three" });
    const engine = engineOf({ clock, backend });
    const result = await ended(clock, engine, requestAt("x = █\n", { ...invoked, stop: ["two"] }));
    expect(textOf(result)).toBe("one");
    expect(backend.requests[0]?.stop).toContain("two");
    expect(backend.requests[0]?.stop.length).toBeGreaterThan(1);
  });

  it("waits before it asks while somebody types, and asks once for a burst of keys", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: (request) => `${request.prompt.tokens}` });
    const engine = engineOf({ clock, backend });
    const promises = [];
    for (const typed of ["g", "ge", "get"]) {
      promises.push(engine.complete(requestAt(`const value = ${typed}█\n`), { signal: never }));
      await clock.advance(10);
    }
    await clock.advance(5_000);
    const results = await Promise.all(promises);
    expect(results.map(reasonOf)).toEqual(["superseded", "superseded", null]);
    expect(backend.requests.length).toBe(1);
  });

  it("keeps a request that still matches what is typed, and the newer request joins it", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({
      clock,
      script: { steps: [{ kind: "text", text: "getValue();", afterMs: 300 }] },
    });
    const engine = engineOf({ clock, backend });
    const first = engine.complete(requestAt("const value = █\n"), { signal: never });
    await clock.advance(280);
    const second = engine.complete(requestAt("const value = ge█\n"), { signal: never });
    await clock.advance(5_000);
    expect([reasonOf(await first), textOf(await second)]).toEqual(["superseded", "tValue();"]);
    expect([backend.requests.length, backend.abortCount]).toEqual([1, 0]);
  });

  it("stops the model as soon as the text is final", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({
      clock,
      script: {
        steps: [
          { kind: "text", text: "done();\nmore();\n" },
          { kind: "text", text: "even more", afterMs: 100 },
        ],
      },
    });
    const engine = engineOf({ clock, backend });
    const result = await ended(clock, engine, requestAt("const a = 1;\nconst b = █\n"));
    expect([textOf(result), backend.abortCount, backend.openCount]).toEqual(["done();", 1, 0]);
  });

  it("asks nothing when a character is deleted and typed again", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: "alue();" });
    const engine = engineOf({ clock, backend });
    await ended(clock, engine, requestAt("const value = getV█\n"));
    backend.script = "Value();";
    await ended(clock, engine, requestAt("const value = get█\n"));
    const before = backend.requests.length;
    const again = await ended(clock, engine, requestAt("const value = getV█\n"));
    expect([textOf(again), backend.requests.length]).toEqual(["alue();", before]);
  });

  it("is an error when the model fails, and the failure is not kept", async () => {
    const clock = new FakeClock();
    const error = new CompletionError("BACKEND_UNREACHABLE", "no connection");
    const backend = new FakeBackend({ script: { steps: [{ kind: "fail", error }] } });
    const engine = engineOf({ clock, backend });
    await expect(ended(clock, engine, requestAt("const a = █\n"))).rejects.toBe(error);
    backend.script = "1;";
    expect(textOf(await ended(clock, engine, requestAt("const a = █\n")))).toBe("1;");
  });

  it("is an error when the model is late with everything", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: { steps: [{ kind: "hang" }] } });
    const engine = engineOf({ clock, backend });
    const late = ended(clock, engine, requestAt("const a = █\n"));
    await expect(late).rejects.toMatchObject({ code: "BACKEND_TIMEOUT" });
    expect([backend.abortCount, clock.pendingCount]).toEqual([1, 0]);
  });

  it("cuts at a whole line when the model is late with the rest", async () => {
    const clock = new FakeClock();
    const steps = [
      { kind: "text", text: "first();\n  second(arg" } as const,
      { kind: "hang" } as const,
    ];
    const backend = new FakeBackend({ script: { steps } });
    const engine = engineOf({ clock, backend });
    const result = await ended(clock, engine, requestAt("function f() {\n  █\n}\n", invoked));
    expect([textOf(result), result.finishReason]).toEqual(["first();", "timeout"]);
  });

  it("ends as cancelled when the caller goes away, and aborts the model soon after", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: { steps: [{ kind: "hang" }] } });
    const engine = engineOf({ clock, backend });
    const caller = new AbortController();
    const promise = engine.complete(requestAt("const a = █\n", invoked), { signal: caller.signal });
    await clock.advance(10);
    caller.abort(new Error("gone"));
    expect(reasonOf(await promise)).toBe("cancelled");
    await clock.advance(300);
    expect([backend.abortCount, backend.openCount, clock.pendingCount]).toEqual([1, 0, 0]);
  });
});

describe("with the local model", () => {
  it("answers alone where it is sure, without asking the language model", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: "never" });
    const engine = engineOf({ clock, local, backend });
    const result = await ended(clock, engine, requestAt(certain));
    expect([textOf(result), result.source, backend.requests.length]).toEqual([
      "rict: true });",
      "local",
      0,
    ]);
  });

  it("asks nobody while somebody types along, character by character", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: "never" });
    const engine = engineOf({ clock, local, backend });
    const text = textOf(await ended(clock, engine, requestAt(certain))) ?? "";
    for (let typed = 1; typed < text.length; typed++) {
      const marked = certain.replace("█", `${text.slice(0, typed)}█`);
      const result = await engine.complete(requestAt(marked), { signal: never });
      expect([textOf(result), result.source]).toEqual([text.slice(typed), "type-through"]);
    }
    expect(backend.requests.length).toBe(0);
  });

  it("hands its candidates to the language model as drafts", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: "rict: false });" });
    const engine = engineOf({ clock, local, backend, settings: { localChance: 1 } });
    await ended(clock, engine, requestAt(certain));
    expect(backend.requests[0]?.drafts).toContain("rict: true });");
  });

  it("takes a text away that a raised threshold forbids", async () => {
    const clock = new FakeClock();
    const engine = engineOf({ clock, local });
    await ended(clock, engine, requestAt(certain));
    const typed = certain.replace("█", "r█");
    const raised = await ended(clock, engine, requestAt(typed, { threshold: 1 }));
    expect(reasonOf(raised)).toBe("below-threshold");
    expect((await ended(clock, engine, requestAt(typed))).source).toBe("type-through");
  });

  it("answers by itself when the language model fails", async () => {
    const clock = new FakeClock();
    const error = new CompletionError("BACKEND_UNREACHABLE", "no connection");
    const backend = new FakeBackend({ script: { steps: [{ kind: "fail", error }] } });
    const engine = engineOf({ clock, local, backend, settings: { localChance: 1 } });
    expect(textOf(await ended(clock, engine, requestAt(certain)))).toBe("rict: true });");
    const unknown = await ended(clock, engine, requestAt("zyx = █\n", { threshold: 1 }));
    expect(unknown.outcome.kind).toBe("none");
  });

  it("answers by itself where the model's context has no room for a prompt", async () => {
    const clock = new FakeClock();
    const settings = { localChance: 1, contextTokens: 64 };
    const small = engineOf({ clock, local, backend: new FakeBackend({ script: "x" }), settings });
    expect(textOf(await ended(clock, small, requestAt(certain)))).toBe("rict: true });");
    const alone = engineOf({ clock, backend: new FakeBackend({ script: "x" }), settings });
    await expect(ended(clock, alone, requestAt(certain))).rejects.toMatchObject({
      code: "CONTEXT_TOO_SMALL",
    });
  });

  it("hides what is not likely enough, and says so", async () => {
    const clock = new FakeClock();
    const engine = engineOf({ clock, local, settings: { threshold: 1 } });
    const result = await ended(clock, engine, requestAt(certain, { explain: true }));
    expect(reasonOf(result)).toBe("below-threshold");
    expect(result.explanation?.decision).toMatch(/needs 100 %/);
    expect(result.explanation?.candidates[0]?.rejectedBy).toBe("below-threshold");
  });
});

describe("outcomes without a text", () => {
  const cases: readonly [string, Partial<EngineRequest>, string][] = [
    ["an older version", { document: doc({ version: 1 }) }, "stale"],
    ["a file of secrets", { document: doc({ path: ".env" }) }, "excluded"],
    ["a language that is switched off", { document: doc({ languageId: "markdown" }) }, "disabled"],
    ["a selection", { hasSelection: true }, "policy"],
    ["no model at all", { document: doc({ path: "src/none.ts" }) }, "no-model"],
  ];
  for (const [title, options, reason] of cases) {
    it(`${title} is none(${reason})`, async () => {
      const clock = new FakeClock();
      const engine = engineOf({
        clock,
        settings: { disabledLanguages: new Set(["markdown"]) },
        isExcluded: (path) => path === ".env",
      });
      await ended(clock, engine, requestAt("", { document: doc({ version: 2 }) }));
      expect(reasonOf(await ended(clock, engine, requestAt("", options)))).toBe(reason);
    });
  }

  it("asks by command also where nothing is asked while typing", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: "value" });
    const settings = { disabledLanguages: new Set(["typescript"]) };
    const engine = engineOf({ clock, backend, settings });
    expect(textOf(await ended(clock, engine, requestAt("const a = █\n", invoked)))).toBe("value");
  });
});

describe("documents that are followed", () => {
  it("completes at an offset of the edited text and refuses a version that is not current", async () => {
    const clock = new FakeClock();
    const backend = new FakeBackend({ script: "value" });
    const engine = engineOf({ clock, backend });
    const text = "const a = \n";
    engine.open({ uri: "u", path: "a.ts", languageId: "typescript", version: 1, text });
    expect(engine.edit("u", 2, [{ start: 6, end: 7, text: "b" }])).toBe(true);
    expect(engine.edit("u", 2, [{ start: 0, end: 1, text: "" }])).toBe(false);
    const at = (version: number): Partial<EngineRequest> => ({
      ...invoked,
      document: { kind: "open", uri: "u", version, offset: 10 },
    });
    expect(reasonOf(await ended(clock, engine, requestAt("", at(1))))).toBe("stale");
    expect(textOf(await ended(clock, engine, requestAt("", at(2))))).toBe("value");
    expect(backend.requests[0]?.prompt).toMatchObject({
      text: expect.stringContaining("const b = "),
    });
    const outside = requestAt("", { document: { kind: "open", uri: "u", version: 2, offset: 99 } });
    await expect(ended(clock, engine, outside)).rejects.toBeInstanceOf(RangeError);
  });
});

it("ends every request in exactly one event, whatever the text", async () => {
  const clock = new FakeClock();
  const backend = new FakeBackend({ script: "x\ud83d" });
  const engine = engineOf({ clock, local, backend });
  let events = 0;
  engine.events.on(() => events++);
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom("\r\n", "\ufeff", "\t\t", "a(\n"),
  );
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      fc.constantFrom("invoked", "automatic"),
      async (before, after, trigger) => {
        const started = events;
        const result = await ended(clock, engine, requestAt(`${before}█${after}`, { trigger }));
        const isSound = result.outcome.kind === "none" || result.outcome.edit.text !== "";
        return isSound && events === started + 1;
      },
    ),
    { numRuns: 60 },
  );
});

function doc(part: {
  readonly version?: number;
  readonly path?: string;
  readonly languageId?: string;
}): EngineRequest["document"] {
  return {
    kind: "text",
    prefix: "abc ",
    suffix: "\n",
    session: "s",
    path: part.path ?? "src/v.ts",
    languageId: part.languageId ?? "typescript",
    version: part.version ?? null,
  };
}
