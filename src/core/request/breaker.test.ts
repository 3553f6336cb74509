import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admit, afterFailure, afterSuccess, type Breaker, closedBreaker } from "./breaker.ts";

function failing(times: number, nowMs: number): Breaker {
  let breaker = closedBreaker;
  for (let i = 0; i < times; i++) breaker = afterFailure(breaker, nowMs);
  return breaker;
}

describe("circuit breaker", () => {
  it("goes on asking through four failures and stops at the fifth", () => {
    expect([4, 5].map((times) => admit(failing(times, 0), 10).isAsked)).toEqual([true, false]);
  });

  it("lets one question through when the pause is over, and the rest only after its answer", () => {
    const first = admit(failing(5, 0), 2_000);
    const second = admit(first.breaker, 2_001);
    expect([first.isAsked, second.isAsked, admit(afterSuccess(), 2_002).isAsked]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("pauses longer after each failed try, but never longer than half a minute", () => {
    let breaker = failing(5, 0);
    const pauses: number[] = [];
    for (let i = 0; i < 7; i++) {
      const nowMs = breaker.openUntilMs ?? 0;
      breaker = afterFailure(admit(breaker, nowMs).breaker, nowMs);
      pauses.push((breaker.openUntilMs ?? 0) - nowMs);
    }
    expect(pauses).toEqual([4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it("always asks again some time, whatever failed", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000), { maxLength: 40 }), (steps) => {
        let nowMs = 0;
        let breaker = closedBreaker;
        for (const step of steps) {
          nowMs += step;
          const { isAsked, breaker: next } = admit(breaker, nowMs);
          breaker = isAsked ? afterFailure(next, nowMs) : next;
        }
        return admit(breaker, nowMs + 30_000).isAsked;
      }),
    );
  });
});
