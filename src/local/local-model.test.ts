import fc from "fast-check";
import { expect, test } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import { IndexBuilder } from "./index-builder.ts";
import type { LocalIndex } from "./local-index.ts";
import { LocalModel } from "./local-model.ts";
import type { LocalCandidate } from "./types.ts";

const shapes = ["circle", "square", "triangle", "hexagon", "ellipse"].map((name) => ({
  path: `src/${name}.ts`,
  text: [
    'import { measure } from "./measure";',
    "",
    `export function ${name}Area(shape: Shape): number {`,
    "  if (shape.sides === undefined) {",
    "    throw new MissingSidesError(shape);",
    "  }",
    "  const result = measure(shape.sides);",
    `  report("${name}", result);`,
    "  return result;",
    "}",
    "",
  ].join("\n"),
}));

type File = { readonly path: string; readonly text: string };

function indexOf(files: readonly File[], previous?: LocalIndex): LocalIndex {
  const builder = new IndexBuilder(previous);
  for (const { path, text } of files) {
    builder.add({ path, hash: text, sizeBytes: text.length, modifiedMs: 0 }, text);
  }
  return builder.build();
}

function modelOf(files: readonly File[]): LocalModel {
  const model = new LocalModel();
  model.adopt(indexOf(files));
  return model;
}

/** Candidates at `█` in a new file. */
function at(model: LocalModel, marked: string, maxLines = 1): readonly LocalCandidate[] {
  const offset = marked.indexOf("█");
  const document = TextBuffer.from(marked.replace("█", ""));
  const path = "src/new.ts";
  return model.complete({
    document,
    offset,
    path,
    languageId: "typescript",
    maxLines,
    maxCandidates: 8,
  });
}

function texts(candidates: readonly LocalCandidate[]): string[] {
  return candidates.map(({ text }) => text);
}

test("A line goes on as it did elsewhere.", () => {
  const model = modelOf(shapes);
  expect(texts(at(model, "f() {\n  if (shape.sides === █\n}\n"))[0]).toBe("undefined) {");
  expect(texts(at(model, "f() {\n  if (shape.sides === undefined) {\n    █\n"))[0]).toBe(
    "throw new MissingSidesError(shape);",
  );
});

test("The start of a word is kept and completed, with or without a space before it.", () => {
  const model = modelOf(shapes);
  const head = "  if (shape.sides === undefined) {\n    ";
  expect(texts(at(model, `${head}thr█\n`))[0]).toBe("ow new MissingSidesError(shape);");
  expect(texts(at(model, `${head}throw new Missing█\n`))[0]).toBe("SidesError(shape);");
  expect(texts(at(model, `${head}throw █\n`))[0]).toBe("new MissingSidesError(shape);");
});

test("A finished word is gone on behind.", () => {
  const model = modelOf(shapes);
  expect(texts(at(model, "  const result█\n"))[0]).toBe(" = measure(shape.sides);");
  expect(texts(at(model, "  return result█\n"))).toContain(";");
});

test("An answer stops where the rest of the line begins.", () => {
  const model = modelOf(shapes);
  expect(texts(at(model, "  const result = measure(█);\n"))[0]).toBe("shape.sides");
});

test("A line equal to the one below is not proposed.", () => {
  const model = modelOf(shapes);
  const found = texts(
    at(
      model,
      "  if (shape.sides === undefined) {\n    █\n    throw new MissingSidesError(shape);\n",
    ),
  );
  expect(found).not.toContain("throw new MissingSidesError(shape);");
});

test("Blocks grow line by line and end with the line that closes them, CRLF or not.", () => {
  const model = modelOf([
    ...shapes,
    ...shapes.map((file) => ({ ...file, path: `copy/${file.path}` })),
  ]);
  const marked = "export function boxArea(shape: Shape): number {\n  if (shape.█\n}\n";
  for (const source of [marked, marked.replaceAll("\n", "\r\n")]) {
    const [first, second] = at(model, source, 4);
    expect(first?.lines).toBeGreaterThan(1);
    expect(first?.text.replaceAll("\r\n", "\n")).toMatch(
      /^sides === undefined\) {\n {4}throw new MissingSidesError\(shape\);(\n {2}})?$/,
    );
    expect(first?.text.includes("\r\n")).toBe(source.includes("\r\n"));
    expect(second?.text).toBe("sides === undefined) {");
    expect(first?.chance).toBeLessThanOrEqual(second?.chance ?? 0);
    expect(first?.chance).toBeGreaterThanOrEqual(0.6);
  }
});

test("Text with CRLF gets the answers of text with LF.", () => {
  const model = modelOf(shapes);
  const marked = "f() {\n  if (shape.sides === undefined) {\n    █\n  }\n}\n";
  expect(at(model, marked.replaceAll("\n", "\r\n"))).toEqual(at(model, marked));
});

test("The same state gives the same answer.", () => {
  const query = "f() {\n  const result = █\n  return result;\n}\n";
  const model = modelOf(shapes);
  const first = at(model, query);
  at(model, "something {\n  else█\n");
  expect(at(model, query)).toEqual(first);
  expect(at(modelOf(shapes), query)).toEqual(first);
});

test("The stored version of the open file is left out.", () => {
  const [own] = shapes;
  const model = modelOf([own as File]);
  const document = TextBuffer.from("  const result = ");
  const query = { document, offset: 17, languageId: "typescript", maxLines: 1, maxCandidates: 5 };
  expect(model.complete({ ...query, path: "src/circle.ts" })).toEqual([]);
  expect(model.complete({ ...query, path: "src/other.ts" })).not.toEqual([]);
  model.updateFile("src/circle.ts", `${own?.text}// saved`);
  expect(model.complete({ ...query, path: "src/circle.ts" })).toEqual([]);
  expect(model.complete({ ...query, path: "src/other.ts" })).not.toEqual([]);
});

test("A saved file counts at once, its old text no more.", () => {
  const model = modelOf(shapes);
  for (const { path, text } of shapes) {
    model.updateFile(path, text.replaceAll("measure(shape.sides)", "weigh(shape, scale)"));
  }
  expect(model.deltaFiles).toBe(5);
  const found = texts(at(model, "  const result = █\n"));
  expect(found[0]).toBe("weigh(shape, scale);");
  expect(found.some((text) => text.includes("measure"))).toBe(false);
});

test("A removed file counts no more.", () => {
  const model = modelOf(shapes);
  for (const { path } of shapes) model.removeFile(path);
  expect(model.deltaFiles).toBe(5);
  expect(at(model, "  const result = █\n")).toEqual([]);
});

test("A new index takes over the updates that it holds, and keeps the others.", () => {
  const model = modelOf(shapes);
  const changed = shapes.map(({ path, text }) => ({
    path,
    text: text.replaceAll("measure(shape.sides)", "weigh(shape, scale)"),
  }));
  for (const { path, text } of changed) model.updateFile(path, text);
  model.updateFile("src/late.ts", "const late = 1;\nlate.arrival(2);\n");
  model.removeFile("src/ellipse.ts");
  model.adopt(indexOf(changed));
  expect(model.deltaFiles).toBe(2);
  expect(texts(at(model, "  const result = █\n"))[0]).toBe("weigh(shape, scale);");
  expect(texts(at(model, "const late = 1;\nlate█\n"))).toContain(".arrival(2);");
});

test("A file saved as it was indexed is no update.", () => {
  const model = modelOf(shapes);
  for (const { path, text } of shapes) model.updateFile(path, text);
  expect(model.deltaFiles).toBe(0);
});

test("An index made of reused files is the index made of their text.", () => {
  const first = indexOf(shapes);
  const builder = new IndexBuilder(first);
  for (const { path, text } of shapes.toReversed()) {
    const file = { path, hash: text, sizeBytes: text.length, modifiedMs: 0 };
    expect(builder.reuse({ ...file, hash: "another" })).toBe(false);
    expect(builder.reuse(file)).toBe(true);
  }
  expect([builder.lexedFiles, builder.reusedFiles]).toEqual([0, 5]);
  expect(builder.build()).toEqual(indexOf(shapes.toReversed()));
});

test("Edits step by step give the answers of a model that sees the last version only.", () => {
  const source = shapes
    .map(({ text }) => text)
    .join("\n")
    .repeat(4);
  const edits = fc.array(
    fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 40 }),
      insert: fc.constantFrom("", "\n", "x", "  shape.sides\n", "\r\n", "return result", "}"),
    }),
    { minLength: 1, maxLength: 8 },
  );
  const index = indexOf(shapes);
  fc.assert(
    fc.property(edits, (steps) => {
      const model = new LocalModel();
      model.adopt(index);
      let document = TextBuffer.from(source);
      const ask = (
        asked: LocalModel,
        text: TextBuffer,
        offset: number,
      ): readonly LocalCandidate[] =>
        asked.complete({
          document: text,
          offset,
          path: null,
          languageId: "typescript",
          maxLines: 3,
          maxCandidates: 4,
        });
      for (const step of steps) {
        const start = step.at % (document.length + 1);
        const end = Math.min(document.length, start + step.remove);
        document = document.edit(start, end, step.insert);
        const offset = start + step.insert.length;
        const fresh = new LocalModel();
        fresh.adopt(index);
        expect(ask(model, document, offset)).toEqual(
          ask(fresh, TextBuffer.from(document.toString()), offset),
        );
      }
    }),
    { numRuns: 30 },
  );
});

test("A key press lexes about one block, however long the document is.", () => {
  const model = modelOf(shapes);
  const lexedByOneKey = (lines: number): number => {
    let document = TextBuffer.from("  const result = measure(shape.sides);\n".repeat(lines));
    let offset = document.length >> 1;
    const query = { path: null, languageId: "typescript", maxLines: 1, maxCandidates: 3 };
    model.complete({ ...query, document, offset });
    document = document.edit(offset, offset, "x");
    offset++;
    const before = model.lexedUnits;
    model.complete({ ...query, document, offset });
    return model.lexedUnits - before;
  };
  expect(lexedByOneKey(1000)).toBeLessThan(128 * 40 + 100);
  expect(lexedByOneKey(100_000)).toBeLessThan(128 * 40 + 100);
});

test("The first look at a long document lexes a bounded part of it.", () => {
  const model = modelOf(shapes);
  const line = "  const result = measure(shape.sides);\n";
  const document = TextBuffer.from(line.repeat(100_000));
  const offset = document.length >> 1;
  model.complete({
    document,
    offset,
    path: null,
    languageId: "typescript",
    maxLines: 1,
    maxCandidates: 3,
  });
  expect(model.lexedUnits).toBeLessThan(document.length / 5);
});

test("One line of 500 kB is no trouble.", () => {
  const model = modelOf(shapes);
  const text = "call(value);".repeat(42_000);
  const document = TextBuffer.from(text);
  const before = model.lexedUnits;
  for (const offset of [0, 5, text.length >> 1, text.length]) {
    model.complete({
      document,
      offset,
      path: null,
      languageId: "javascript",
      maxLines: 1,
      maxCandidates: 3,
    });
  }
  expect(model.lexedUnits - before).toBeLessThan(20_000);
});

test("No text makes it throw, at any place.", () => {
  const model = modelOf(shapes);
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\n", "\r\n", "\r", "  ", "\t\t", "\ud800", "\udc00", "(", ")", "shape", "\0"),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.nat(), fc.nat({ max: 4 }), (pieces, place, maxLines) => {
      const text = pieces.join("");
      const document = TextBuffer.from(text);
      const offset = place % (text.length + 1);
      model.updateFile("src/any.ts", text);
      const found = model.complete({
        document,
        offset,
        path: null,
        languageId: "x",
        maxLines,
        maxCandidates: 5,
      });
      for (const { chance } of found) expect(chance >= 0 && chance <= 1).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("A model that has read nothing proposes nothing.", () => {
  expect(at(new LocalModel(), "const a = █")).toEqual([]);
  expect(new LocalModel().stats()).toMatchObject({ files: 0 });
});
