import fc from "fast-check";
import { expect, test } from "vitest";
import { BodyBudget, type HeldBody } from "./body-budget.ts";

test("The largest body gives way, the oldest of equal ones, and what is released counts no more.", () => {
  const budget = new BodyBudget(100);
  const refused: string[] = [];
  const hold = (name: string): HeldBody =>
    budget.hold((error) => refused.push(`${name} ${error.code}`));
  const first = hold("first");
  const second = hold("second");
  first.add(50);
  second.add(50);
  const third = hold("third");
  third.add(1);
  expect([refused, budget.heldBytes]).toEqual([["first OVERLOADED"], 51]);
  second.release();
  second.add(1_000);
  first.add(1_000);
  third.add(99);
  expect([refused, budget.heldBytes]).toEqual([["first OVERLOADED"], 100]);
  third.add(1);
  expect([refused, budget.heldBytes]).toEqual([["first OVERLOADED", "third OVERLOADED"], 0]);
});

test("Whatever arrives in whatever order, no more than the limit is held.", () => {
  const step = fc.record({ body: fc.nat(9), bytes: fc.nat(80) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const budget = new BodyBudget(100);
      let refusals = 0;
      const bodies = Array.from({ length: 10 }, () => budget.hold(() => refusals++));
      for (const { body, bytes } of steps) {
        bodies[body]?.add(bytes);
        expect(budget.heldBytes).toBeLessThanOrEqual(100);
      }
      for (const body of bodies) body.release();
      expect(budget.heldBytes).toBe(0);
      expect(refusals).toBeLessThanOrEqual(10);
    }),
  );
});
