import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readSourceFiles } from "./source-file.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "midspan-corpus-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

function read(folders: readonly string[]): Promise<readonly { readonly path: string }[]> {
  return readSourceFiles({ root, folders, extensions: [".ts"], languageId: "typescript" });
}

it("reads sources, sorted, without a byte order mark", async () => {
  await write("src/b/two.ts", "\uFEFFtwo();\n");
  await write("src/a.ts", "one();\n");
  await write("src/a.js", "built();\n");
  await write("dist/a.ts", "one(built);\n");
  expect(await read(["src"])).toEqual([
    { path: "src/a.ts", text: "one();\n", languageId: "typescript" },
    { path: "src/b/two.ts", text: "two();\n", languageId: "typescript" },
  ]);
});

it("leaves out declarations, minified files, huge files and second copies", async () => {
  await write("src/a.ts", "one();\n");
  await write("src/copy.ts", "one();\n");
  await write("src/types.d.ts", "declare const a: 1;\n");
  await write("src/types.d.mts", "declare const a: 1;\n");
  await write("src/mini.ts", `${"a();".repeat(200)}\n`);
  await write("src/huge.ts", "some(text);\n".repeat(90_000));
  expect((await read(["src"])).map((file) => file.path)).toEqual(["src/a.ts"]);
});

it("fails for a folder that is missing", async () => {
  await expect(read(["lib"])).rejects.toThrow("ENOENT");
});
