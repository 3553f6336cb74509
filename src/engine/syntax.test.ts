import { expect, test } from "vitest";
import { DocumentTrees } from "../syntax/index.ts";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { testSyntax } from "../testing/syntax-fixture.ts";
import type { EngineResult } from "./index.ts";

await testSyntax.prepare("typescript");

/** What an engine with trees makes of an answer. */
async function answer(script: string, marked: string, trees: DocumentTrees): Promise<EngineResult> {
  const clock = new FakeClock();
  const engine = engineOf({ clock, backend: new FakeBackend({ script }), trees });
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
