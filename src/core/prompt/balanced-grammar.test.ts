import { describe, expect, it } from "vitest";
import { balancedGrammar } from "./balanced-grammar.ts";

const bracket = (close: string) => ({ close });

describe("a grammar of matching brackets", () => {
  const rootOf = (grammar: string) => grammar.split("\n")[0];

  it("lets nothing be closed that is not open", () => {
    expect(rootOf(balancedGrammar("", []))).toBe("root ::= items");
  });

  it("lets what is open be closed from the inside outwards", () => {
    const open = ["}", ")", "]"].map(bracket);
    expect(rootOf(balancedGrammar("", open))).toBe(
      'root ::= items ("]" items (")" items ("}" items )?)?)?',
    );
  });

  it("begins with what was cut from the prompt", () => {
    expect(rootOf(balancedGrammar('say("a\\', [bracket(")")]))).toBe(
      'root ::= "say(\\"a\\\\" items (")" items )?',
    );
  });

  it("goes on after cut blanks with something else", () => {
    expect(rootOf(balancedGrammar("\t  ", []))).toBe('root ::= "\\t  " (solid items )?');
  });

  it("stays small however deep the cursor is", () => {
    const deep = balancedGrammar(
      "",
      Array.from({ length: 5_000 }, () => bracket(")")),
    );
    expect(deep.length).toBeLessThan(1_000);
  });
});
