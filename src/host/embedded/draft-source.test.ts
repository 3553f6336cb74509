import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DraftSource, type DraftTexts } from "./draft-source.ts";

/** One token a character. */
const tokens = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));
const text = (list: readonly number[]): string => String.fromCharCode(...list);

function drafter(
  before: string,
  rest: { readonly others?: readonly string[]; readonly candidates?: readonly string[] } = {},
): DraftSource {
  const others = (rest.others ?? []).map(tokens);
  const candidates = (rest.candidates ?? []).map(tokens);
  return new DraftSource({ before: tokens(before), others, candidates });
}

describe("what is likely comes from what is there", () => {
  it("copies what followed the same text before, as long as the match", () => {
    expect(text(drafter("set(alpha); set(").propose(99))).toBe("alph");
  });

  it("prefers the longest match to the nearest one", () => {
    expect(text(drafter("abcdX..cdY..abcd").propose(99))).toBe("X..c");
  });

  it("prefers the nearest of equal matches", () => {
    expect(text(drafter("1cdX2cdY3cd").propose(99))).toBe("Y3");
  });

  it("looks into the rest of the prompt", () => {
    expect(text(drafter("zz.foo", { others: ["a.foo(bar)"] }).propose(99))).toBe("(bar");
  });

  it("learns from what was generated", () => {
    const drafts = drafter("");
    drafts.push(tokens("one, two, one, "));
    expect(text(drafts.propose(99))).toBe("two, ");
  });

  it("guesses one token after one equal token, and nothing after none", () => {
    expect(text(drafter("a1 b2 a").propose(99))).toBe("1");
    expect(drafter("abc").propose(99)).toEqual([]);
  });

  it("is never longer than asked for, nor than 16", () => {
    const line = "0123456789abcdefghijklmnopqrstuv";
    expect(text(drafter(`${line}WXYZ0123456789!?.,;:-_+*${line}`).propose(99))).toBe(
      "WXYZ0123456789!?",
    );
    expect(text(drafter(`${line}WXYZ${line}`).propose(3))).toBe("WXY");
  });
});

describe("an answer that somebody proposes", () => {
  it("goes first, eight tokens of it and more once some came", () => {
    const drafts = drafter("x = ", { candidates: ["items.map((item) => item.id)"] });
    expect(text(drafts.propose(99))).toBe("items.ma");
    drafts.push(tokens("items.ma"));
    expect(text(drafts.propose(99))).toBe("p((item) => item");
  });

  it("gives way to the next one as soon as a token differs", () => {
    const drafts = drafter("", { candidates: ["foobar", "foo(x)"] });
    drafts.push(tokens("foo("));
    expect(text(drafts.propose(99))).toBe("x)");
  });

  it("still serves for looking up once it went wrong", () => {
    const drafts = drafter("", { candidates: ["a.first, a.second"] });
    drafts.push(tokens("b.first,"));
    expect(text(drafts.propose(99))).toBe(" a.seco");
  });

  it("proposes nothing past its end", () => {
    const drafts = drafter("", { candidates: ["ab"] });
    drafts.push(tokens("ab"));
    expect(drafts.propose(99)).toEqual([]);
  });
});

describe("laws of drafts", () => {
  const list = fc.array(fc.nat(4), { maxLength: 40 });
  const texts: fc.Arbitrary<DraftTexts> = fc.record({
    before: list,
    others: fc.array(list, { maxLength: 3 }),
    candidates: fc.array(list, { maxLength: 3 }),
  });

  it("a draft stands somewhere in the texts, and within the limit", () => {
    fc.assert(
      fc.property(texts, list, fc.nat(20), (known, came, max) => {
        const drafts = new DraftSource(known);
        drafts.push(came);
        const draft = drafts.propose(max);
        const all = [[...known.before, ...came], ...known.others, ...known.candidates];
        expect(draft.length).toBeLessThanOrEqual(max);
        expect(
          all.some((each) => `,${each.join()},`.includes(`,${draft.join()},`)) ||
            draft.length === 0,
        ).toBe(true);
      }),
    );
  });

  it("how the tokens came in pieces makes no difference", () => {
    fc.assert(
      fc.property(texts, list, fc.nat(40), (known, came, cut) => {
        const [whole, pieces] = [new DraftSource(known), new DraftSource(known)];
        whole.push(came);
        pieces.push(came.slice(0, cut));
        pieces.push(came.slice(cut));
        expect(pieces.propose(16)).toEqual(whole.propose(16));
      }),
    );
  });
});
