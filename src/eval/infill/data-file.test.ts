import { createHash } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../testing/temp-folder.ts";
import { type DataFile, type DataSource, readRows } from "./data-file.ts";
import { readSantaCoder } from "./santacoder-set.ts";

const content = gzipSync('{"a":1}\n\n{"a":2}\n');
const file: DataFile = {
  path: "small.jsonl.gz",
  url: "https://example.org/small.jsonl.gz",
  sha256: createHash("sha256").update(content).digest("hex"),
  bytes: content.length,
};

function folderSource(folder: string): DataSource {
  const fetch = (): Promise<void> => Promise.reject(new Error("nothing is fetched"));
  return { folder, cacheFolder: "", fetch };
}

describe("data of a benchmark", () => {
  it("is read from a folder", async () => {
    const folder = tempFolder({ "small.jsonl.gz": content });
    expect(await readRows(file, folderSource(folder))).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("is said to be missing, with the address where it can be had", async () => {
    const folder = tempFolder();
    await expect(readRows(file, folderSource(folder))).rejects.toThrow(
      `${join(folder, file.path)} is missing; copy it there from ${file.url}`,
    );
  });

  it("is refused with another checksum", async () => {
    const folder = tempFolder({ "small.jsonl.gz": gzipSync('{"a":3}\n') });
    await expect(readRows(file, folderSource(folder))).rejects.toThrow(/instead of [0-9a-f]{64}/);
  });
});

describe("SantaCoder-FIM", () => {
  const row = {
    name: "HumanEval_0_has_close_elements",
    language: "js",
    prompt: "function f() {",
    suffix: "}",
    canonical_solution: "return 1;",
  };

  it("is read from JSON lines, and rows that are missing are said", async () => {
    const folder = tempFolder({ "rows.jsonl": `${JSON.stringify(row)}\n` });
    const { tasks, remarks } = await readSantaCoder(join(folder, "rows.jsonl"));
    expect(tasks).toMatchObject([
      { set: "santacoder-fim/javascript", target: "return 1;", tests: null, isWholeLine: true },
    ]);
    expect(remarks).toContain("javascript has 1 rows instead of the published 1969");
  });

  it("is refused when it is something else", async () => {
    const folder = tempFolder({ "rows.jsonl": "PAR1", "odd.jsonl": '{"language":"go"}\n' });
    for (const name of ["rows.jsonl", "odd.jsonl", "none.jsonl"]) {
      await expect(readSantaCoder(join(folder, name))).rejects.toThrow(
        /convert the Parquet file first/,
      );
    }
  });
});
