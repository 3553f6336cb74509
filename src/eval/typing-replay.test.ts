import { describe, expect, test } from "vitest";
import { createRandom } from "../stats/random.ts";
import { type ReplayedModel, replayTyping, type TypedKey } from "./typing-replay.ts";

const text = "function main() {\n  const list = [first(1), second(2)];\n  return list;\n}\n";
const file = { path: "a.ts", text, languageId: "typescript" };

function replay(model: ReplayedModel, seed = 1): TypedKey[] {
  return [...replayTyping(file, { model, sessions: 9, random: createRandom(seed) })];
}

/** Keys of every kind of session. */
function manyKeys(model: ReplayedModel): TypedKey[] {
  return Array.from({ length: 20 }, (_, seed) => replay(model, seed)).flat();
}

const silent: ReplayedModel = () => null;

describe("replayed typing", () => {
  test("each key shows the file as an editor has it: without what is still to be typed", () => {
    for (const key of manyKeys(silent)) {
      const line = key.prefix.slice(key.prefix.lastIndexOf("\n") + 1);
      expect(text.split("\n").some((whole) => whole.startsWith(line))).toBe(true);
      expect(key.documentLength).toBeLessThanOrEqual(text.length + 3);
      expect(key.offset).toBe(key.prefix.length);
      expect(key.isRight).toBe(false);
      expect(key.lastOutcome).toBeNull();
    }
  });

  test("brackets close by themselves and are typed over", () => {
    const keys = manyKeys(silent).filter(({ prefix }) => prefix.endsWith("[first("));
    expect(new Set(keys.map(({ suffix }) => suffix))).toContain(")]\n");
    const after = manyKeys(silent).filter(({ prefix }) => prefix.endsWith("[first(1)"));
    expect(new Set(after.map(({ suffix }) => suffix))).toContain("]\n");
  });

  test("an answer is right when it is all that is still to be typed, and is taken now and then", () => {
    const oracle: ReplayedModel = (document, offset) => {
      const { line } = document.positionAt(offset);
      const whole = text.split("\n")[line] ?? "";
      return { text: whole.slice(document.positionAt(offset).column), chance: 1 };
    };
    const keys = manyKeys(oracle).filter(({ suffix }) => suffix.trim() === "");
    expect(keys.length).toBeLessThan(manyKeys(silent).length);
    const long = keys.filter(({ prefix }) => /return$/.test(prefix));
    expect(long.every(({ isRight }) => isRight)).toBe(true);
    expect(keys.some(({ lastOutcome }) => lastOutcome?.wasAccepted === true)).toBe(true);
  });

  test("a shown text that is typed over was rejected, one with little chance was never seen", () => {
    const wrong =
      (chance: number): ReplayedModel =>
      () => ({ text: "###", chance });
    expect(manyKeys(wrong(0.9)).some(({ lastOutcome }) => lastOutcome?.wasAccepted === false)).toBe(
      true,
    );
    expect(manyKeys(wrong(0.1)).every(({ lastOutcome }) => lastOutcome === null)).toBe(true);
  });

  test("the same seed gives the same keys", () => {
    expect(replay(silent, 3)).toEqual(replay(silent, 3));
    expect(replay(silent, 3)).not.toEqual(replay(silent, 4));
  });
});
