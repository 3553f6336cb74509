import { describe, expect, it } from "vitest";
import { createRandom } from "../stats/random.ts";
import type { SourceFile } from "./source-file.ts";
import { makeSplits, nearCopies } from "./split.ts";

function file(path: string, lines: readonly string[]): SourceFile {
  return { path, text: lines.join("\n"), languageId: "typescript" };
}

function unlike(path: string, count = 30): SourceFile {
  const lines = Array.from({ length: count }, (_, i) => `const ${path}${i} = ${i};`);
  return file(path, lines);
}

describe("near copies", () => {
  const original = file("original", ["a();", "b();", "c();", "d();"]);

  it("are files that share over half of their lines with one original", () => {
    const half = file("half", ["a();", "b();", "x();", "y();"]);
    const more = file("more", ["  a();", "b();", "c();", "x();", "y();"]);
    expect(nearCopies([half, more], [original])).toEqual([more]);
  });

  it("count each line once, and no line without a letter or digit", () => {
    const brackets = file("brackets", ["a();", "a();", "a();", "}", "}", "}", "", "x();"]);
    expect(nearCopies([brackets], [original])).toEqual([]);
  });

  it("are not made of pieces of two originals", () => {
    const other = file("other", ["e();", "f();"]);
    const mixed = file("mixed", ["a();", "b();", "e();", "f();"]);
    expect(nearCopies([mixed], [original, other])).toEqual([]);
  });
});

describe("splits", () => {
  it("hold out the wanted number of files at once when they are few among many", () => {
    const files = Array.from({ length: 20 }, (_, i) => unlike(`f${i}x`));
    const splits = makeSplits(files, { heldOutFiles: 5, random: createRandom(1) });
    expect(splits.map((split) => [split.heldOut.length, split.indexed.length])).toEqual([[5, 15]]);
  });

  it("take turns in a small package, each file held out once", () => {
    const files = Array.from({ length: 8 }, (_, i) => unlike(`f${i}x`));
    const splits = makeSplits(files, { heldOutFiles: 40, random: createRandom(1) });
    expect(splits.map((split) => split.heldOut.length)).toEqual([2, 2, 2, 2]);
    const heldOut = splits.flatMap((split) => split.heldOut.map((held) => held.path));
    expect(heldOut.sort()).toEqual(files.map((held) => held.path));
  });

  it("never index a held-out file or its near copy, and never hold out a short file", () => {
    const long = unlike("long", 40);
    const copy = file("copy", [...long.text.split("\n").slice(0, 12), "const own = 1;"]);
    const files = [long, copy, unlike("short", 10), unlike("tiny", 5)];
    const splits = makeSplits(files, { heldOutFiles: 1, random: createRandom(1) });
    expect(splits).toEqual([{ heldOut: [long], indexed: [files[2], files[3]], leftOut: [copy] }]);
  });
});
