import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Snippet } from "../core/index.ts";
import { type Settled, settle } from "./settle.ts";

const counter = { count: (text: string): number => text.length };
const place = { isInWord: false, isMoved: false, isFar: false, followingTokens: 100, counter };

function snippet(text: string): Snippet {
  return { path: `${text}.ts`, kind: "definition", score: 1, text };
}

describe("settle", () => {
  it("takes the first choice on credit and keeps its objects", () => {
    const a = snippet("a");
    const first = settle(null, [a], place);
    expect(first).toEqual({ snippets: [a], earnedTokens: -1 });
    expect(settle(first, [snippet("a")], place).snippets[0]).toBe(a);
  });

  it("changes nothing within a word, nor where nothing was looked for", () => {
    const rich: Settled = { snippets: [snippet("a")], earnedTokens: 5_000 };
    expect(settle(rich, [snippet("b")], { ...place, isInWord: true }).snippets).toBe(rich.snippets);
    expect(settle(rich, null, place).snippets).toBe(rich.snippets);
  });

  it("makes a change as soon as it is earned, and what stays keeps its place", () => {
    let state: Settled = { snippets: [snippet("a"), snippet("b")], earnedTokens: 0 };
    const wanted = [snippet("c"), snippet("b")];
    let keys = 0;
    while (state.snippets.length === 2 && state.snippets[1]?.text === "b") {
      state = settle(state, wanted, place);
      keys++;
    }
    expect(state.snippets.map(({ text }) => text)).toEqual(["b", "c"]);
    // Two new tokens and a hundred behind them, at four a key.
    expect(keys).toBe(26);
  });

  it("changes on credit where the text moves anyway or the cursor is far, once", () => {
    const state: Settled = { snippets: [snippet("a")], earnedTokens: 0 };
    const moved = settle(state, [snippet("b")], { ...place, isMoved: true });
    expect(moved).toEqual({ snippets: [snippet("b")], earnedTokens: 3 });
    const far = settle(state, [snippet("b")], { ...place, isFar: true });
    expect(far.earnedTokens).toBe(-97);
    expect(settle(far, [snippet("c")], { ...place, isFar: true }).snippets).toEqual(far.snippets);
  });

  it("costs at most five new tokens per key press, whatever is found", () => {
    const found = fc.option(fc.array(fc.constantFrom("a", "bb", "ccc", "dddd"), { maxLength: 4 }));
    const keys = fc.array(
      fc.record({ found, isInWord: fc.boolean(), isFar: fc.boolean(), isMoved: fc.boolean() }),
      { minLength: 1, maxLength: 300 },
    );
    fc.assert(
      fc.property(keys, (presses) => {
        let state: Settled | null = null;
        let cost = 0;
        let lastChange = 0;
        for (const press of presses) {
          const before: Settled | null = state;
          const snippets = press.found?.map(snippet) ?? null;
          state = settle(before, snippets, { ...place, ...press });
          if (before === null || state.snippets === before.snippets) continue;
          lastChange = press.isMoved ? 10 : 110;
          cost += lastChange;
        }
        // What was bought on credit last is still to be earned.
        expect(cost).toBeLessThanOrEqual(4 * presses.length + 2 * 110);
      }),
    );
  });
});
