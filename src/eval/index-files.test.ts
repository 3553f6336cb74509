import { expect, it } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import { LocalModel } from "../local/index.ts";
import { documentAt, indexFiles, openFiles } from "./index-files.ts";

const file = {
  path: "a.ts",
  languageId: "typescript",
  text: "first();\r\nconst name = value;\r\nlast();\r\n",
};

it("hides the rest of the cursor's line and nothing else", () => {
  const offset = file.text.indexOf("value;");
  const cursor = { file, place: "middle", offset, target: "value;" } as const;
  const document = documentAt(cursor, TextBuffer.from(file.text));
  expect(document.toString()).toBe("first();\r\nconst name = \r\nlast();\r\n");
});

it("indexes and opens files without changing what the model knows", () => {
  const other = { path: "b.ts", languageId: "typescript", text: "const name = other;\n" };
  const index = indexFiles([other]);
  expect(index.files).toEqual([expect.objectContaining({ path: "b.ts", sizeBytes: 20 })]);
  const model = new LocalModel();
  model.adopt(index);
  const before = model.stats().files;
  expect([...openFiles(model, [file]).keys()]).toEqual([file]);
  expect(model.stats().files).toBe(before);
});
