import { describe, expect, test } from "vitest";
import type { Scope, ScopeProbe } from "../ports.ts";
import { type AskPosition, decideAsk, type PolicyRuleName, policyRules } from "./policy.ts";
import { countRefusals } from "./policy-shares.ts";

/** A probe for the few lines below: `//` begins a comment, brackets are code. */
const scopes: ScopeProbe = {
  at(prefix): Scope {
    const line = prefix.slice(prefix.lastIndexOf("\n") + 1);
    const isComment = line.includes("//");
    const open: { readonly bracket: string; readonly offset: number }[] = [];
    for (let offset = 0; offset < prefix.length; offset++) {
      const bracket = prefix.charAt(offset);
      if ("([{".includes(bracket)) open.push({ bracket, offset });
      if (")]}".includes(bracket)) open.pop();
    }
    return {
      region: isComment ? "comment" : "code",
      delimiter: isComment ? "//" : null,
      openBrackets: open.map(({ bracket, offset }) => ({
        open: bracket,
        close: "",
        indentWidth: 0,
        opensBlock: prefix.slice(offset).includes("\n"),
        offset,
        within: null,
      })),
    };
  },
};

function position(marked: string, changes: Partial<AskPosition> = {}): AskPosition {
  const [prefix = "", suffix = ""] = marked.split("█");
  return {
    trigger: "automatic",
    forModel: true,
    hasSelection: false,
    isLanguageEnabled: true,
    prefix,
    suffix,
    languageId: "typescript",
    documentLength: 1_000,
    scopes,
    ...changes,
  };
}

/** The rule that refuses; `null` when the request asks. */
function ruleAt(marked: string, changes: Partial<AskPosition> = {}): PolicyRuleName | null {
  const decision = decideAsk(position(marked, changes));
  return decision.ask ? null : decision.rule;
}

const refusals: readonly [PolicyRuleName, string, Partial<AskPosition>][] = [
  ["language-disabled", "const a = █", { isLanguageEnabled: false }],
  ["selection", "const a = █", { hasSelection: true }],
  ["tiny-document", "const a█", { documentLength: 7 }],
  ["text-after-cursor", "const █ = 1;", {}],
  ["word-of-comment", "// compu█", {}],
  ["finished-line", "run(); █", {}],
];

describe("policy", () => {
  test.each(refusals)("%s refuses %j", (rule, marked, changes) => {
    expect(ruleAt(marked, changes)).toBe(rule);
    const { reason } = policyRules.find(({ name }) => name === rule) ?? {};
    expect(decideAsk(position(marked, changes))).toEqual({ ask: false, reason, rule });
  });

  test("every rule has an example", () => {
    expect(refusals.map(([rule]) => rule)).toEqual(policyRules.map(({ name }) => name));
  });

  test("invoked always asks", () => {
    for (const [, marked, changes] of refusals) {
      expect(ruleAt(marked, { ...changes, trigger: "invoked" })).toBeNull();
    }
  });

  test("the model without weights is asked wherever somebody types", () => {
    const refused = refusals.filter(([, marked, changes]) =>
      ruleAt(marked, { ...changes, forModel: false }),
    );
    expect(refused.map(([rule]) => rule)).toEqual(["language-disabled", "selection"]);
  });

  test.each([
    "const a = █",
    "foo(█)",
    "foo(█);\nnext();",
    'foo(["█"]) {',
    "const map: Map<█>",
    "if (a) {█}",
    "for (let i = 0; █)",
    "// compute the █",
    "} else █",
    "import { a } █",
    "█",
    "  █",
    "return█",
    "a = b█ \r\nnext",
    "}█",
    "run(first,█)",
    "passed█",
  ])("%j asks", (marked) => expect(ruleAt(marked)).toBeNull());

  test.each(["run();█", "  });█", "  })█", "list = [\n  one,█\n]", "    pass█", "break█"])(
    "after %j comes a line end",
    (marked) => expect(ruleAt(marked)).toBe("finished-line"),
  );

  test("in prose a semicolon or a bracket ends nothing", () => {
    for (const languageId of ["markdown", "plaintext"]) {
      expect(ruleAt("first this; █", { languageId })).toBeNull();
      expect(ruleAt("))█", { languageId })).toBeNull();
    }
  });

  test.each(["foo(█))x", "a█b", "█.then()", "█ // why", "█;;", "█ {,"])(
    "%j asks nothing",
    (marked) => expect(ruleAt(marked)).toBe("text-after-cursor"),
  );

  test("half a megabyte of blanks right of the cursor is read once", () => {
    expect(ruleAt(`a = █${" ".repeat(500_000)}x`)).toBe("text-after-cursor");
  });
});

describe("counting refusals", () => {
  test("each key press counts for the first rule that refuses it", () => {
    const observations = [
      { position: position("const a = █"), isRight: true },
      { position: position("run();█"), isRight: false },
      { position: position("run(); █"), isRight: true },
      { position: position("// wo█ after"), isRight: true },
    ];
    const shares = countRefusals(observations);
    expect({ ...shares, rules: shares.rules.filter(({ skipped }) => skipped > 0) }).toEqual({
      positions: 4,
      right: 3,
      skipped: 3,
      lost: 2,
      rules: [
        { rule: "text-after-cursor", skipped: 1, lost: 1 },
        { rule: "finished-line", skipped: 2, lost: 1 },
      ],
    });
    expect(shares.rules).toHaveLength(policyRules.length);
  });
});
