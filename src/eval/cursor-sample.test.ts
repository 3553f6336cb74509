import { describe, expect, it } from "vitest";
import { createRandom } from "../stats/random.ts";
import { sampleCursors } from "./cursor-sample.ts";
import type { SourceFile } from "./source-file.ts";

const script: SourceFile = {
  path: "a.ts",
  languageId: "typescript",
  text: [
    "/**",
    " * Nothing here is code.",
    " */",
    "export function total(items: readonly number[]): number {",
    "  // neither is this",
    "  const sum = items.reduce((left, right) => left + right, 0); // nor this",
    "",
    "  return sum;",
    "}",
    "const page = `",
    "  text over lines`;",
  ].join("\r\n"),
};

const python: SourceFile = {
  path: "b.py",
  languageId: "python",
  text: 'def total(items):\n    """Adds up."""\n    # Not code.\n    return sum(items)\n',
};

const cursors = sampleCursors([script, python], { count: 90, random: createRandom(1) });

describe("sampled cursors", () => {
  it("ask for the rest of their line, without its end", () => {
    for (const { file, offset, target } of cursors) {
      expect(file.text.slice(offset, offset + target.length)).toBe(target);
      expect(file.text.slice(offset + target.length)).toMatch(/^(\r?\n|$)/);
      expect(target).not.toMatch(/[\r\n]/);
      expect(target.trim().length).toBeGreaterThanOrEqual(2);
    }
  });

  it("stand in code only", () => {
    const lines = cursors.map(({ file, offset }) => {
      const start = file.text.lastIndexOf("\n", offset - 1) + 1;
      return file.text.slice(start).split(/\r?\n/)[0]?.trim();
    });
    expect([...new Set(lines)].sort()).toEqual([
      "const page = `",
      "const sum = items.reduce((left, right) => left + right, 0); // nor this",
      "def total(items):",
      "export function total(items: readonly number[]): number {",
      "return sum(items)",
      "return sum;",
    ]);
    expect(cursors.some(({ target }) => target.startsWith("//"))).toBe(false);
  });

  it("stand where their place says", () => {
    for (const { file, place, offset } of cursors) {
      const lineStart = file.text.lastIndexOf("\n", offset - 1) + 1;
      const typed = file.text.slice(lineStart, offset);
      const next = file.text.slice(offset);
      if (place === "start") expect(typed).toMatch(/^\s*$/);
      if (place === "middle") {
        expect(typed).toMatch(/\S$/);
        expect(/\w$/.test(typed) && /^\w/.test(next)).toBe(false);
      }
      if (place === "word") {
        expect(next).toMatch(/^\w/);
        expect((/\w+$/.exec(typed) ?? [""])[0].length).toSatisfy(
          (length: number) => 1 <= length && length <= 3,
        );
      }
    }
  });

  it("are all different, and the same for the same seed", () => {
    expect(new Set(cursors.map(({ file, offset }) => file.path + offset)).size).toBe(
      cursors.length,
    );
    expect(sampleCursors([script, python], { count: 90, random: createRandom(1) })).toEqual(
      cursors,
    );
  });

  it("are a third each while the files have enough places", () => {
    const files = Array.from({ length: 4 }, (_, i) => ({
      path: `${i}.ts`,
      languageId: "typescript",
      text: Array.from({ length: 40 }, (_, n) => `const name${n} = ${i};`).join("\n"),
    }));
    const sample = sampleCursors(files, { count: 60, random: createRandom(1) });
    const count = (place: string): number => sample.filter((one) => one.place === place).length;
    expect(["start", "middle", "word"].map(count)).toEqual([20, 20, 20]);
  });
});
