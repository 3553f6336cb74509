import { expect, it } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import { DocumentRing } from "./document-ring.ts";

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `line ${i}\n`).join("");

function seen(ring: DocumentRing, path: string, buffer: TextBuffer): TextBuffer {
  ring.see({ path, languageId: "typescript", buffer });
  return buffer;
}

it("Typing on is one edit, elsewhere another, and lines that come above move what is below.", () => {
  const ring = new DocumentRing();
  let buffer = seen(ring, "a.ts", TextBuffer.from(lines(300)));
  const at = (line: number): number => buffer.lineStart(line);
  buffer = seen(ring, "a.ts", buffer.edit(at(100), at(100), "x"));
  buffer = seen(ring, "a.ts", buffer.edit(at(101), at(101), "y"));
  expect(ring.edits).toEqual([{ path: "a.ts", line: 100, endLine: 102 }]);
  buffer = seen(ring, "a.ts", buffer.edit(at(10), at(10), "new\nlines\n"));
  expect(ring.edits.map(({ line, endLine }) => [line, endLine])).toEqual([
    [102, 104],
    [10, 12],
  ]);
});

it("A document that was only looked at has no edits, and the ring has an end.", () => {
  const ring = new DocumentRing();
  for (let i = 0; i < 30; i++) seen(ring, `f${i}.ts`, TextBuffer.from("a\n"));
  expect(ring.edits).toEqual([]);
  expect(ring.documents).toHaveLength(20);
  expect(ring.documents.at(-1)?.path).toBe("f29.ts");
});
