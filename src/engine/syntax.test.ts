import { expect, test } from "vitest";
import { lexicalScopeProbe, type ScopeProbe } from "../core/index.ts";
import { DocumentTrees } from "../syntax/index.ts";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend, type FakeScript } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { testSyntax } from "../testing/syntax-fixture.ts";
import type { EngineResult } from "./index.ts";

await testSyntax.prepare("typescript");

/** What an engine with trees makes of an answer. */
async function answer(
  script: FakeScript,
  marked: string,
  trees: DocumentTrees,
): Promise<EngineResult> {
  const clock = new FakeClock();
  const backend = new FakeBackend({ script, capabilities: { logProbabilities: true } });
  const engine = engineOf({ clock, backend, trees });
  const result = engine.complete(requestAt(marked, { trigger: "invoked" }), {
    signal: new AbortController().signal,
  });
  result.catch(() => {});
  await clock.advance(5_000);
  return result;
}

test("an answer that breaks the file's syntax is none(syntax), and a right one is shown", async () => {
  const trees = new DocumentTrees(testSyntax);
  const place = "const price = 1;\nconst total = █\nconst tax = 2;\n";
  const { outcome } = await answer("price tax price;", place, trees);
  expect(outcome).toEqual({ kind: "none", reason: "syntax" });
  expect((await answer("price * 2;", place, trees)).outcome).toMatchObject({
    kind: "completion",
    edit: { text: "price * 2;" },
  });
  expect(trees.size).toBe(2);
  trees.close();
});

test("quotes in a comment and brackets in a regular expression above the cursor open nothing", async () => {
  const trees = new DocumentTrees(testSyntax);
  const place = "/* it's a `note` */\nconst r = /['\"(]/;\nconst total = f(█\n";
  const result = await answer("r);", place, trees);
  expect(result.outcome).toMatchObject({ kind: "completion", edit: { text: "r);" } });
  trees.close();
});

test("an answer that is not likely enough to be shown is not judged by a parser", async () => {
  const trees = new DocumentTrees(testSyntax);
  const place = "const price = 1;\nconst total = █\nconst tax = 2;\n";
  const text = { kind: "text", text: "price tax price;", logProbability: -12 } as const;
  const { outcome } = await answer({ steps: [text] }, place, trees);
  expect(outcome).toEqual({ kind: "none", reason: "below-threshold" });
  trees.close();
});

test("where the cursor stands is found out while the model works, not before it is asked", async () => {
  const clock = new FakeClock();
  const seen: string[] = [];
  const backend = new FakeBackend({
    clock,
    script: () => {
      seen.push("asked");
      return { steps: [{ kind: "text", text: "total;", afterMs: 10 }] };
    },
  });
  const scopes: ScopeProbe = {
    at: (prefix, languageId) => {
      seen.push(`looked at ${clock.now()} ms`);
      return lexicalScopeProbe.at(prefix, languageId);
    },
  };
  const engine = engineOf({ clock, backend, scopes });
  const request = requestAt("const total = 1;\nreturn █\n", {
    trigger: "invoked",
    multiline: "never",
  });
  const result = engine.complete(request, { signal: new AbortController().signal });
  await clock.advance(5_000);
  expect((await result).outcome).toMatchObject({ kind: "completion", edit: { text: "total;" } });
  expect(seen).toEqual(["asked", "looked at 1 ms"]);
  expect(clock.pendingCount).toBe(0);
});
