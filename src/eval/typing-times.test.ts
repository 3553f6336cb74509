import { describe, expect, it } from "vitest";
import { createRandom } from "../stats/random.ts";
import { engineOf, localModelOf } from "../testing/engine-fixture.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { sampleCursors } from "./cursor-sample.ts";
import { InstantBackend } from "./instant-backend.ts";
import { timeKeys, timeTypeThrough } from "./typing-times.ts";

describe("typing in a file", () => {
  it("counts every key once, asked anew or answered by the shown text", async () => {
    const line = (name: string): string => `const ${name} = createItem({ owner, name });\n`;
    const local = localModelOf({ "a.ts": ["a", "b", "c", "d"].map(line).join("") });
    const engine = engineOf({ clock: new FakeClock(), local });
    const text = ["e", "f", "g"].map(line).join("");
    const file = { path: "b.ts", languageId: "typescript", text };
    const cursors = sampleCursors([file], { count: 6, random: createRandom(1) });
    const typed = cursors.reduce((sum, { target }) => sum + Math.min(4, target.length), 0);
    const times = await timeKeys(engine, { text, languageId: "typescript", cursors, start: 0 });
    expect(times.keys + times.reusedKeys).toBe(typed);
    expect(times.lines).toBe(4);
  });
});

describe("typing along a shown text", () => {
  const shown = "firstAmount + secondAmount + thirdAmount + fourthAmount";

  it("asks the backend nothing", async () => {
    const backend = new InstantBackend(shown);
    const engine = engineOf({ clock: new FakeClock(), backend });
    const typing = { engine, backend, before: "const total = ", shown, rounds: 2 };
    expect(await timeTypeThrough(typing)).toMatchObject({
      characters: shown.length - 1,
      requests: 0,
    });
    engine.dispose();
  });

  it("is not measured where something else is shown", async () => {
    const backend = new InstantBackend("another");
    const engine = engineOf({ clock: new FakeClock(), backend });
    const typing = { engine, backend, before: "const total = ", shown, rounds: 1 };
    await expect(timeTypeThrough(typing)).rejects.toThrow("the engine showed another");
    engine.dispose();
  });
});
