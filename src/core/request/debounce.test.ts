import fc from "fast-check";
import { expect, test } from "vitest";
import { afterAnswer, afterKey, initialRhythm, waitMs } from "./debounce.ts";
import { usualScore } from "./trigger-score.ts";

const anyNumber = fc.double();

test("the wait is 25 to 400 ms after any history, from the first key on", () => {
  const event = fc.tuple(fc.constantFrom(afterKey, afterAnswer), anyNumber);
  fc.assert(
    fc.property(anyNumber, fc.array(event), (score, events) => {
      let rhythm = initialRhythm;
      for (const [apply, value] of [...events, [afterKey, 0] as const]) {
        const wait = waitMs(score, rhythm);
        expect(25 <= wait && wait <= 400).toBe(true);
        rhythm = apply(rhythm, value);
      }
    }),
  );
});

test("without a history the curve decides: likely positions are asked at once", () => {
  const times = [0, 0.5, 1, 2, 4, Number.NaN];
  const waits = times.map((many) => Math.round(waitMs(usualScore * many, initialRhythm)));
  expect(waits).toEqual([275, 271, 150, 29, 25, 275]);
});

test("the likelier a suggestion, the shorter the wait", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(100), (score, step) => {
      const likelier = Math.min(1, score + step / 100);
      expect(waitMs(likelier, initialRhythm)).toBeLessThanOrEqual(waitMs(score, initialRhythm));
    }),
  );
});

test("slow typing lengthens the wait, a fast model shortens it, a pause changes nothing", () => {
  const typed = (intervalMs: number) =>
    [1, 2, 3, 4, 5].reduce((rhythm, key) => afterKey(rhythm, key * intervalMs), initialRhythm);
  expect(waitMs(usualScore, typed(300))).toBe(225);
  expect(waitMs(usualScore, typed(50))).toBe(75);
  expect(waitMs(usualScore, typed(5_000))).toBe(150);
  expect(waitMs(usualScore, afterAnswer(initialRhythm, 30))).toBe(60);
  expect(waitMs(usualScore, afterAnswer(initialRhythm, 800))).toBe(150);
});

test("the means follow a change within a few measurements", () => {
  let rhythm = afterAnswer(initialRhythm, 1_000);
  for (let i = 0; i < 20; i++) rhythm = afterAnswer(rhythm, 50);
  expect(rhythm.answerMs).toBeLessThan(65);
});
