import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LruMap } from "./lru.ts";

describe("least recently used map", () => {
  test("holds what a list of recent keys would hold, after any operations", () => {
    const operation = fc.tuple(
      fc.constantFrom("get", "set", "delete"),
      fc.constantFrom("a", "b", "c", "d", "e"),
      fc.integer({ min: 1, max: 5 }),
    );
    fc.assert(
      fc.property(
        fc.array(operation),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 5, max: 12 }),
        (operations, maxEntries, maxWeight) => {
          const map = new LruMap<string, number>(maxEntries, { max: maxWeight, of: (n) => n });
          let model: [string, number][] = [];
          for (const [kind, key, value] of operations) {
            const held = model.find(([k]) => k === key);
            const others = model.filter(([k]) => k !== key);
            if (kind === "get") {
              expect(map.get(key)).toBe(held?.[1]);
              if (held !== undefined) model = [...others, held];
            } else if (kind === "delete") {
              expect(map.delete(key)).toBe(held !== undefined);
              model = others;
            } else {
              map.set(key, value);
              model = [...others, [key, value]];
              const weight = () => model.reduce((sum, [, n]) => sum + n, 0);
              while (model.length > maxEntries || weight() > maxWeight) model.shift();
            }
            expect([...map.values()]).toEqual(model.map(([, n]) => n));
            expect(map.size).toBe(model.length);
            expect(map.weight).toBe(model.reduce((sum, [, n]) => sum + n, 0));
          }
          map.clear();
          expect([map.size, map.weight]).toEqual([0, 0]);
        },
      ),
    );
  });

  test("a value that is heavier than the whole map is not kept, and its old value is gone", () => {
    const map = new LruMap<string, string>(9, { max: 3, of: (text) => text.length });
    map.set("a", "ok");
    map.set("a", "too long");
    expect([map.get("a"), map.size, map.weight]).toEqual([undefined, 0, 0]);
  });

  test("a limit below one entry is refused", () => {
    for (const bad of [0, -1, Number.NaN]) expect(() => new LruMap(bad)).toThrow(RangeError);
  });
});
