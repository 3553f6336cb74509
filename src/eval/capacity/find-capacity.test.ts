import fc from "fast-check";
import { expect, it } from "vitest";
import { type CapacityStep, findCapacity } from "./find-capacity.ts";

const goal = { limitMs: 300, maxDevelopers: 1_000, precision: 0 };

/** A server that carries `limit` developers and not one more. */
function serverFor(limit: number, asked: number[] = []) {
  return async (developers: number): Promise<CapacityStep> => {
    asked.push(developers);
    const p95 = developers <= limit ? 100 : 301;
    return {
      ...{ developers, requests: 100, failed: 0, superseded: 0, requestsPerSecond: 1 },
      ...{ firstTokenMs: { p50: 50, p95 }, tokensPerSecond: 10, memoryBytes: null },
    };
  };
}

it("doubles, then halves the interval", async () => {
  const asked: number[] = [];
  const { developers, tooMany } = await findCapacity(serverFor(11, asked), goal);
  expect(asked).toEqual([1, 2, 4, 8, 16, 12, 10, 11]);
  expect([developers, tooMany]).toEqual([11, 12]);
});

it("finds every capacity", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 1_200 }), async (limit) => {
      const found = await findCapacity(serverFor(limit), goal);
      expect(found.developers).toBe(Math.min(limit, 1_000));
      expect(found.tooMany).toBe(limit >= 1_000 ? null : limit + 1);
    }),
  );
});

it("stops early where a rough number will do", async () => {
  const asked: number[] = [];
  await findCapacity(serverFor(70, asked), { ...goal, precision: 0.25 });
  expect(asked).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 96, 80]);
});

it("does not carry those whose requests fail", async () => {
  const failing = async (developers: number): Promise<CapacityStep> => ({
    ...(await serverFor(1_000)(developers)),
    failed: developers > 4 ? 2 : 1,
  });
  expect((await findCapacity(failing, goal)).developers).toBe(4);
});
