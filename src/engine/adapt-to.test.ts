import { expect, test } from "vitest";
import { type AdaptationLabel, adaptationFrom } from "../core/index.ts";
import { engineOf, localModelOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { EngineEvent } from "./engine.ts";

const { signal } = new AbortController();
const line = "const total = items.reduce((sum, item) => sum + item.price, 0);\n";
const local = localModelOf({ "src/b.ts": line.repeat(4) });

function decisions(count: number, isTaken: boolean): readonly AdaptationLabel[] {
  return Array.from({ length: count }, () => {
    return { chance: 0.6, features: { length: 4 }, isTaken, weight: 1 };
  });
}

async function complete(labels: readonly AdaptationLabel[], threshold: number) {
  const adaptation = adaptationFrom(labels);
  const engine = engineOf({ clock: new FakeClock(), local, adaptation, settings: { threshold } });
  const events: EngineEvent[] = [];
  engine.events.on((event) => events.push(event));
  const result = await engine.complete(requestAt("const total = █", { explain: true }), { signal });
  const [event] = events;
  return { result, facts: event?.facts?.judged ?? null };
}

test("A text that one person would get, another who refused such texts does not.", async () => {
  const usual = await complete([], 0);
  const chance = usual.facts?.chance ?? 0;
  expect(usual.facts?.adapted).toBeNull();
  expect(chance).toBeGreaterThan(0.25);

  const threshold = chance - 0.01;
  const few = await complete(decisions(49, false), threshold);
  expect(few.result.outcome.kind).toBe("completion");
  const refusing = await complete(decisions(500, false), threshold);
  expect(refusing.result.outcome).toEqual({ kind: "none", reason: "below-threshold" });
  expect(refusing.facts?.chance).toBe(chance);
  expect(refusing.facts?.adapted).toBeLessThan(threshold);
  const percent = Math.round((refusing.facts?.adapted ?? 0) * 100);
  expect(refusing.result.explanation?.decision).toContain(
    `Going by what you took and refused before, it counts as ${percent} %.`,
  );

  const taking = await complete(decisions(500, true), Math.min(1, chance + 0.005));
  expect(taking.result.outcome.kind).toBe("completion");
  // What is said of the text itself stays what the model thinks of it.
  expect(taking.result.outcome).toMatchObject({ chance });
});

test("What is shown thanks to what was learned stays while it is typed along.", async () => {
  const adaptation = adaptationFrom(decisions(500, true));
  const usual = await complete([], 0);
  const threshold = Math.min(1, (usual.facts?.chance ?? 0) + 0.005);
  const engine = engineOf({ clock: new FakeClock(), local, adaptation, settings: { threshold } });
  const first = await engine.complete(requestAt("const total = █"), { signal });
  const next = await engine.complete(requestAt("const total = it█"), { signal });
  expect([first.source, next.source]).toEqual(["local", "type-through"]);
});
