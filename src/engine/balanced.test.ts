import { describe, expect, it } from "vitest";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";

const invoked = { trigger: "invoked" } as const;
const text = "f({\n  a: g(b█\n});\n";

async function grammarsOf(
  document: string,
  parts: { readonly isBalanced: boolean; readonly canObey: boolean },
): Promise<readonly (string | undefined)[]> {
  const clock = new FakeClock();
  const { isBalanced, canObey } = parts;
  const backend = new FakeBackend({ script: "x)", capabilities: { grammar: canObey } });
  const engine = engineOf({ clock, backend, settings: { isBalanced } });
  const signal = new AbortController().signal;
  const promise = engine.complete(requestAt(document, invoked), { signal });
  await clock.advance(5_000);
  await promise;
  return backend.requests.map(({ grammar }) => grammar);
}

describe("brackets that match", () => {
  it("are demanded by a grammar of what is open at the cursor", async () => {
    const [grammar] = await grammarsOf(text, { isBalanced: true, canObey: true });
    expect(grammar?.split("\n")[0]).toContain('items (")" items ("}" items (")" items )?)?)?');
  });

  it("are not demanded unless somebody wants them, and of no backend that cannot obey", async () => {
    expect([
      await grammarsOf(text, { isBalanced: false, canObey: true }),
      await grammarsOf(text, { isBalanced: true, canObey: false }),
    ]).toEqual([[undefined], [undefined]]);
  });

  it("are not demanded inside a string or a comment", async () => {
    const both = { isBalanced: true, canObey: true };
    expect([await grammarsOf('a = "(█\n', both), await grammarsOf("// (█\n", both)]).toEqual([
      [undefined],
      [undefined],
    ]);
  });
});
