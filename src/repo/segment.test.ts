import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repoIndexOf, segmentOf } from "../testing/repo-fixture.ts";
import { RepoIndex } from "./repo-index.ts";
import type { SegmentData } from "./segment.ts";
import { SegmentBuilder } from "./segment-builder.ts";
import { decodeSegment, encodeSegment } from "./segment-codec.ts";
import { indexSegment } from "./segment-index.ts";

const files = {
  "src/cart.ts": `/** A cart. */
export class Cart {
  readonly items: Item[] = [];
  addItem(item: Item): void {
    this.items.push(item);
  }
}
export const größe = "ä€😀";
`,
  "src/use.ts": `import { Cart } from "./cart.ts";
export function fillCart(cart: Cart): void {
  cart.addItem({ id: 1 });
}
`,
  "notes.txt": "a file that no grammar reads, about carts",
};

const bytesOf = (segment: SegmentData): Uint8Array =>
  Uint8Array.from(Buffer.concat(encodeSegment(segment)));

describe("segments", () => {
  it("knows definitions with signature, kind and parent, and who mentions a name", async () => {
    const index = await repoIndexOf(files);
    const [cart] = index.definitions("Cart");
    expect(cart).toMatchObject({ kind: "class", parent: null, isExported: true, line: 1 });
    expect(cart?.signature).toBe("export class Cart");
    const [add] = index.definitions("addItem");
    expect(add).toMatchObject({ kind: "method", parent: "Cart", line: 3 });
    expect(add?.signature).toBe("addItem(item: Item): void");
    expect(index.fileCount("addItem")).toBe(2);
    expect(index.fileCount("nothing")).toBe(0);
    expect(index.definitions("größe")[0]?.signature).toContain("ä€😀");
  });

  it("finds chunks by the words of their names, telling words first", async () => {
    const index = await repoIndexOf(files);
    const found = index.search(new Map([["fill", 1]]), { count: 3, isWanted: () => true });
    expect(found.map(({ file }) => file.path)).toEqual(["src/use.ts"]);
    expect(index.search(new Map([["fill", 1]]), { count: 3, isWanted: () => false })).toEqual([]);
  });

  it("is the same after it was stored, and after its files were taken over one by one", async () => {
    const segment = await segmentOf(files);
    expect(decodeSegment(bytesOf(segment))).toEqual(segment);
    const builder = new SegmentBuilder();
    for (const [number, file] of segment.files.entries()) builder.reuse(segment, number, file);
    const copy = builder.build();
    const parts = [segment, copy].map(
      (data) => new RepoIndex([{ index: indexSegment(data), hidden: new Set() }]),
    );
    for (const name of ["Cart", "addItem", "größe", "items"]) {
      expect(parts[1]?.definitions(name)).toEqual(parts[0]?.definitions(name));
      expect(parts[1]?.fileCount(name)).toBe(parts[0]?.fileCount(name));
    }
  });

  it("hides what a later part replaces", async () => {
    const old = indexSegment(await segmentOf(files));
    const next = indexSegment(
      await segmentOf({ "src/use.ts": "export function emptyCart() {}\n" }),
    );
    const number = old.data.files.findIndex(({ path }) => path === "src/use.ts");
    const index = new RepoIndex([
      { index: old, hidden: new Set([number]) },
      { index: next, hidden: new Set() },
    ]);
    expect(index.definitions("fillCart")).toEqual([]);
    expect(index.definitions("emptyCart")).toHaveLength(1);
    expect(index.size).toBe(3);
  });

  it("refuses bytes that are damaged anywhere, whatever the damage", async () => {
    const bytes = bytesOf(await segmentOf(files));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Uint8Array.from(bytes);
        damaged[at] = (damaged[at] as number) ^ change;
        expect(() => decodeSegment(damaged)).toThrow();
      }),
      { numRuns: 60 },
    );
    expect(() => decodeSegment(bytes.subarray(0, bytes.length - 16))).toThrow();
    expect(() => decodeSegment(new Uint8Array(0))).toThrow();
  });

  it("takes any text in, with or without a tree", async () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const builder = new SegmentBuilder();
        const about = { path: "a", hash: "", sizeBytes: 0, modifiedMs: 0, languageId: "x" };
        builder.add({ ...about, isNamesOnly: false }, text, null);
        expect(decodeSegment(bytesOf(builder.build())).files).toHaveLength(1);
      }),
    );
  });
});
