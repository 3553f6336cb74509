import { expect, it } from "vitest";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend, type FakeReply } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";

/** What a model of which little is known wrote unsurely: not worth showing. */
const unsure: FakeReply = {
  steps: [{ kind: "text", text: "value.length;", logProbability: -9 }],
};

it("a text that was not worth showing is not asked for again while it is typed", async () => {
  const clock = new FakeClock();
  const engine = engineOf({ clock, backend: new FakeBackend({ script: unsure }) });
  const uri = "file:///a.ts";
  engine.open({ uri, path: "a.ts", languageId: "typescript", version: 0, text: "const n = \n" });
  let version = 0;
  const type = async (typed: string, offset: number): Promise<number> => {
    version++;
    engine.edit(uri, version, [{ start: offset, end: offset, text: typed }]);
    const document = { kind: "open", uri, version, offset: offset + typed.length } as const;
    const request = { ...requestAt("█"), document, trigger: "automatic", threshold: 1 } as const;
    const answer = engine.complete(request, { signal: new AbortController().signal });
    await clock.advance(1_000);
    await answer;
    return engine.modelUse?.asked ?? 0;
  };
  expect(await type(" ", 10)).toBe(1);
  expect(await type("v", 11)).toBe(1);
  expect(await type("al", 12)).toBe(1);
  expect(await type("id", 14)).toBe(2);
});
