import { expect, test } from "vitest";
import { monotoneTable } from "./monotone-table.ts";

function samples(rate: (chance: number) => number): { chance: number; isRight: boolean }[] {
  return Array.from({ length: 4000 }, (_, i) => {
    const chance = (i + 0.5) / 4000;
    return { chance, isRight: (i * 0.618034) % 1 < rate(chance) };
  });
}

test("The table leads from predicted chances to frequencies, and ascends.", () => {
  const { raw, calibrated } = monotoneTable(samples((chance) => chance / 2));
  expect(raw[0]).toBe(0);
  expect(raw.at(-1)).toBe(1);
  for (let i = 1; i < raw.length - 1; i++) {
    expect(Math.abs((calibrated[i] as number) - (raw[i] as number) / 2)).toBeLessThan(0.06);
    expect(calibrated[i] as number).toBeGreaterThanOrEqual(calibrated[i - 1] as number);
  }
});

test("Frequencies that fall are pooled into one.", () => {
  const { calibrated } = monotoneTable(samples((chance) => 1 - chance));
  expect(calibrated.length).toBe(3);
  expect(calibrated[1]).toBeCloseTo(0.5, 1);
});

test("A few samples say nothing.", () => {
  expect(monotoneTable(samples(() => 1).slice(0, 100))).toEqual({
    raw: [0, 1],
    calibrated: [0, 1],
  });
});
