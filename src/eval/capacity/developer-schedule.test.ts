import fc from "fast-check";
import { expect, it } from "vitest";
import { createRandom } from "../../stats/random.ts";
import { askingTimes, crowdTimes, defaultTyping, requestRate } from "./developer-schedule.ts";

const hour = 3_600_000;

it("asks as often as it was told, in the busiest minutes", () => {
  expect(requestRate(defaultTyping)).toBeCloseTo(0.125, 6);
  const times = askingTimes(defaultTyping, { durationMs: 400 * hour, random: createRandom(1) });
  expect(times.length / (400 * 3_600) / 0.125).toBeCloseTo(1, 1);
});

it("asks in bursts", () => {
  const times = askingTimes(defaultTyping, { durationMs: 100 * hour, random: createRandom(2) });
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const short = gaps.filter((gap) => gap < 5_000).length;
  // Four of five gaps are within a burst, and few of those, or of the pauses, lie beyond.
  expect(short / gaps.length).toBeCloseTo(0.8, 1);
});

it("keeps the rate of a person who never pauses", () => {
  const busy = { ...defaultTyping, requestsPerDay: 30_000 };
  const times = askingTimes(busy, { durationMs: 10 * hour, random: createRandom(3) });
  expect(times.length / (10 * 3_600) / requestRate(busy)).toBeCloseTo(1, 1);
});

it("is in order, within the time, and the same for the same seed", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 600_000 }), (seed, durationMs) => {
      const draw = () => askingTimes(defaultTyping, { durationMs, random: createRandom(seed) });
      const times = draw();
      expect(draw()).toEqual(times);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(times.every((time) => 0 <= time && time < durationMs)).toBe(true);
    }),
  );
});

it("cuts the time in which nobody asks, and nothing else", () => {
  const options = { developers: 1, requests: 200, leastMs: 0 };
  const times = crowdTimes(defaultTyping, { ...options, random: createRandom(4) });
  const durationMs = 800_000 / requestRate(defaultTyping);
  const own = askingTimes(defaultTyping, { durationMs, random: createRandom(4) });
  expect(times.length).toBe(200);
  for (const [i, { atMs }] of times.entries()) {
    const gap = (own[i] ?? 0) - (own[i - 1] ?? 0);
    expect(atMs - (times[i - 1]?.atMs ?? 0)).toBeCloseTo(Math.min(gap, 3_000), 3);
  }
});

it("asks of each developer in a crowd", () => {
  const options = { developers: 40, requests: 10, leastMs: 600_000, random: createRandom(5) };
  const times = crowdTimes(defaultTyping, options);
  expect(new Set(times.map(({ developer }) => developer)).size).toBe(40);
  expect(times.length / (40 * 600 * requestRate(defaultTyping))).toBeCloseTo(1, 0);
});
