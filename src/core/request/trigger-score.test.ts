import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type TriggerPosition,
  triggerFeatures,
  triggerScore,
  triggerWeights,
} from "./trigger-score.ts";

function position(marked: string, changes: Partial<TriggerPosition> = {}): TriggerPosition {
  const [prefix = "", suffix = ""] = marked.split("█");
  return {
    prefix,
    suffix,
    languageId: "typescript",
    documentLength: 5_000,
    offset: 2_500,
    lastOutcome: null,
    ...changes,
  };
}

describe("trigger score", () => {
  test("is a chance for any text, known language or not", () => {
    const outcome = fc.option(
      fc.record({ wasAccepted: fc.boolean(), secondsAgo: fc.double({ noNaN: true }) }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary" }),
        fc.constantFrom("typescript", "cobol", ""),
        outcome,
        fc.nat(),
        (prefix, suffix, languageId, lastOutcome, length) => {
          const documentLength = prefix.length + suffix.length + length;
          const score = triggerScore({
            prefix,
            suffix,
            languageId,
            lastOutcome,
            documentLength,
            offset: prefix.length,
          });
          expect(0 <= score && score <= 1).toBe(true);
        },
      ),
    );
  });

  test("sees the cursor's line, what stands after it and the last outcome, and nothing above", () => {
    const lastOutcome = { wasAccepted: true, secondsAgo: Math.E - 1 };
    const features = triggerFeatures(position("above;\n  run( █ )\nbelow", { lastOutcome }));
    const rounded = features.map(([name, value]) => [name, Math.round(value * 1_000) / 1_000]);
    expect(Object.fromEntries(rounded)).toEqual({
      bias: 1,
      accepted: 1,
      secondsAgo: 1,
      blankAfter: 0,
      lineLength: 2.079,
      writtenLength: 1.946,
      documentLength: 8.517,
      place: 0.5,
      "language:typescript": 1,
      "before:(": 1,
    });
  });

  test.each([
    ["█", "above:start"],
    ["a\n█", "above:lower"],
    ["a;\r\n\t█", "above:;"],
    ["Ab9█", "at:digit"],
    ["x = B█", "at:upper"],
    ["x = █", "before:="],
    ["größe█", "at:lower"],
    ["寸█", "at:other"],
    ["f(█", "at:("],
  ])("%j ends in %s", (marked, name) => {
    expect(triggerFeatures(position(marked)).map(([feature]) => feature)).toContain(name);
  });

  test("a feature without a weight counts nothing", () => {
    expect(triggerScore(position("a█"), {})).toBe(0.5);
    expect(triggerScore(position("a█"), { bias: 2 })).toBeCloseTo(0.881, 3);
  });

  test("the fitted weights know the obvious", () => {
    expect(Object.keys(triggerWeights).length).toBeGreaterThan(30);
    const fresh = triggerScore(position("  run();\n  █"));
    expect(fresh).toBeGreaterThan(2 * triggerScore(position("  const total = 12█")));
    expect(fresh).toBeGreaterThan(10 * triggerScore(position("  run();█")));
    expect(triggerScore(position("import { a } █"))).toBeGreaterThan(fresh);
  });
});
