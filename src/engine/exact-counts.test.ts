import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenBlocks } from "../core/index.ts";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";

const never = new AbortController().signal;

/** Cuts words into letters, of which no estimate knows, and joins blanks over line ends. */
function tokensOf(text: string): number {
  return text.match(/ ?[A-Za-z]|\s+|[^\sA-Za-z]/gu)?.length ?? 0;
}

class CountingBackend extends FakeBackend {
  readonly counted: string[] = [];

  constructor() {
    super({ script: "x", capabilities: { tokenize: true } });
  }

  async countTokens(text: string): Promise<number> {
    this.counted.push(text);
    return tokensOf(text);
  }

  /** Tokens of the last prompt, sentinels one each. */
  get promptTokens(): number {
    const prompt = this.requests.at(-1)?.prompt;
    if (prompt?.kind !== "rendered") throw new Error("not rendered");
    return (prompt.pieces ?? []).reduce(
      (sum, { isSentinel, text }) => sum + (isSentinel ? 1 : tokensOf(text)),
      0,
    );
  }
}

const lines = fc
  .array(fc.oneof(fc.string({ maxLength: 60 }), fc.stringMatching(/^[A-Za-z]{20,200}$/)), {
    minLength: 10,
    maxLength: 60,
  })
  .map((list) => list.join("\n"));

describe("counts of the server's tokenizer", () => {
  it("no prompt exceeds its budget once the text was counted, whatever the tokenizer", async () => {
    await fc.assert(
      fc.asyncProperty(lines, lines, lines, async (before, after, text) => {
        const clock = new FakeClock();
        const backend = new CountingBackend();
        const settings = { contextTokens: 400, maxTokensSingleLine: 16, localChance: 1 };
        const engine = engineOf({ clock, backend, settings });
        const snippets = [{ kind: "definition", path: "b.ts", score: 1, text } as const];
        const request = requestAt(`${before.replaceAll("█", "")}█\n${after.replaceAll("█", "")}`, {
          trigger: "invoked",
          multiline: "never",
          snippets,
        });
        // What is shown of a text changes what there is to count, and that settles.
        for (let i = 0; i < 4; i++) {
          await engine.complete(request, { signal: never });
          await clock.advance(1_000);
        }
        await engine.complete(request, { signal: never });
        expect(backend.promptTokens).toBeLessThanOrEqual(400 - 16);
        engine.dispose();
        expect(clock.pendingCount).toBe(0);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it("are not asked for between two keys, but after two seconds of typing", async () => {
    const clock = new FakeClock();
    const backend = new CountingBackend();
    const engine = engineOf({ clock, backend });
    const keys: number[] = [];
    for (let typed = "a"; typed.length <= 12; typed += "a") {
      const request = requestAt(`const a = 1;\n${typed}█\n`, { trigger: "invoked" });
      await engine.complete(request, { signal: never });
      keys.push(backend.counted.length);
      await clock.advance(200);
    }
    expect(keys.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(backend.counted.length).toBeGreaterThan(0);
    engine.dispose();
  });

  it("are asked for after a pause, once for each block", async () => {
    const clock = new FakeClock();
    const backend = new CountingBackend();
    const engine = engineOf({ clock, backend });
    const text = Array.from({ length: 80 }, (_, i) => `const value${i} = ${i};`).join("\n");
    const ask = (typed: string) =>
      engine.complete(requestAt(`${text}\n${typed}█\n`, { trigger: "invoked" }), { signal: never });
    await ask("a");
    expect(backend.counted).toEqual([]);
    await clock.advance(1_000);
    const first = backend.counted.length;
    expect(first).toBeGreaterThan(4);
    for (const typed of ["ab", "abc", "abcd"]) await ask(typed);
    await clock.advance(1_000);
    expect(backend.counted.length).toBe(first + 1);
  });
});

describe("tokenBlocks", () => {
  it("cuts a text into parts that joined are the text, and never inside of a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        expect(tokenBlocks(text).join("")).toBe(text);
      }),
    );
    for (const block of tokenBlocks("🚀".repeat(5_000))) {
      // Half a character cannot be written as UTF-8.
      expect(() => encodeURI(block)).not.toThrow();
    }
  });

  it("an edit changes the blocks around it only", () => {
    const text = Array.from({ length: 200 }, (_, i) => `const value${i} = ${i};\n`);
    const before = new Set(tokenBlocks(text.join("")));
    const after = tokenBlocks(text.with(100, "return 1;\n").join(""));
    expect(after.filter((block) => !before.has(block)).length).toBeLessThanOrEqual(2);
  });
});
