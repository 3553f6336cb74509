import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { afterLocal, afterModel, type Scored } from "./cascade.ts";

const scored = (text: string, chance: number | null): Scored => ({
  edit: { text, replaceBefore: 0, replaceAfter: 0 },
  chance,
});

describe("after the local model", () => {
  test("a sure local answer is the answer and no language model is asked", () => {
    const best = scored("b", 0.5);
    expect(afterLocal([scored("a", 0.2), best])).toEqual(best);
  });

  test("the language model is asked when no local answer is sure, or none is there", () => {
    expect(afterLocal([scored("a", 0.49), scored("b", 0.1)])).toBeNull();
    expect(afterLocal([])).toBeNull();
  });
});

describe("after the language model", () => {
  const choose = (local: Scored[], model: Scored | null, shown: Scored | null = null) =>
    afterModel({ local, model, shown });

  test("the likelier text is the answer; on equal chances the language model's", () => {
    expect(choose([scored("a", 0.45)], scored("b", 0.4))).toEqual(scored("a", 0.45));
    expect(choose([scored("a", 0.4)], scored("b", 0.4))).toEqual(scored("b", 0.4));
    expect(choose([scored("a", 0.1)], null)).toEqual(scored("a", 0.1));
    expect(choose([], null)).toBeNull();
  });

  test("an uncalibrated text counts with the prior", () => {
    expect(choose([scored("a", 0.39)], scored("b", null))).toEqual(scored("b", null));
    expect(choose([scored("a", 0.41)], scored("b", null))).toEqual(scored("a", 0.41));
  });

  test("a text that both models wrote beats one that is likelier than either", () => {
    const answer = choose([scored("a", 0.45), scored("b", 0.3)], scored("b", null));
    expect(answer).toEqual(scored("b", null));
  });

  test("what is shown stays unless the new text is better by the margin", () => {
    const shown = scored("a", 0.35);
    expect(choose([shown], scored("b", null), shown)).toEqual(shown);
    expect(choose([shown], scored("b", 0.44), shown)).toEqual(shown);
    expect(choose([shown], scored("b", 0.46), shown)).toEqual(scored("b", 0.46));
    expect(choose([], null, shown)).toEqual(shown);
  });

  test("the answer is one of those offered, and nothing only when nothing was", () => {
    const one = fc
      .tuple(fc.constantFrom("a", "b", "c"), fc.option(fc.double({ min: 0, max: 1, noNaN: true })))
      .map(([text, chance]) => scored(text, chance));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 3 }), fc.option(one), fc.option(one), (...all) => {
        const [local, model, shown] = all;
        const offered = [...local, model, shown].filter((item) => item !== null);
        const answer = choose(local, model, shown);
        if (answer === null) expect(offered).toEqual([]);
        else expect(offered).toContain(answer);
      }),
    );
  });
});
