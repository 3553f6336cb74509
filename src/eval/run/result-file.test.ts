import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../testing/temp-folder.ts";
import { EvaluationUnavailableError } from "./evaluation-unavailable.ts";
import { rowOf } from "./json-lines.ts";
import { ResultFile, readResultFile } from "./result-file.ts";
import { createStamp, type Stamp, stampLines } from "./stamp.ts";

interface Row {
  readonly id: string;
  readonly score: number;
}

const read = rowOf<Row>({ id: "string", score: "number" });

const stamp: Stamp = createStamp({
  benchmark: "infill",
  version: "0.0.0",
  engine: { kind: "llama.cpp", version: "b1" },
  model: "small",
  quantisation: "Q8_0",
  template: "starcoder2 psm",
  stops: ["<|endoftext|>"],
  sampling: { temperature: 0, samples: 1, maxTokens: 64, seed: 1 },
  scoring: "pass@1",
  choices: { way: "plain" },
});

it("continues where a run stopped, without the line that a crash cut off", async () => {
  const path = join(tempFolder(), "deep", "results.jsonl");
  const first = await ResultFile.open<Row>(path, { read, stamp, restarts: false });
  await Promise.all([first.append({ id: "a", score: 1 }), first.append({ id: "b", score: 0 })]);
  await first.close();
  await appendFile(path, '{"id":"c","sco');

  const later = { ...stamp, startedAt: "2030-01-01T00:00:00.000Z" };
  const second = await ResultFile.open<Row>(path, { read, stamp: later, restarts: false });
  expect(second.stamp).toEqual(stamp);
  expect([...second.rows.keys()]).toEqual(["a", "b"]);
  await second.append({ id: "b", score: 1 });
  await second.append({ id: "c", score: 1 });
  await second.close();
  const { rows } = await readResultFile<Row>(path, { read });
  expect([...rows.values()]).toEqual([
    { id: "a", score: 1 },
    { id: "b", score: 1 },
    { id: "c", score: 1 },
  ]);
});

it("refuses to mix results of different stamps and names what differs", async () => {
  const path = join(tempFolder(), "results.jsonl");
  await (await ResultFile.open<Row>(path, { read, stamp, restarts: false })).close();
  const other = { ...stamp, model: "large", choices: { way: "full" } };
  await expect(ResultFile.open<Row>(path, { read, stamp: other, restarts: false })).rejects.toThrow(
    /another model, choices/,
  );
  const anew = await ResultFile.open<Row>(path, { read, stamp: other, restarts: true });
  await anew.close();
  expect((await readResultFile<Row>(path, { read })).stamp.model).toBe("large");
});

it("refuses files that are something else, and broken lines", async () => {
  const path = join(tempFolder(), "notes.txt");
  const head = JSON.stringify({ stamp });
  const rows = [
    '{"id":',
    "null",
    "[]",
    '"a"',
    '{"id":1,"score":1}',
    '{"id":"a"}',
    '{"id":"a","score":"1"}',
  ];
  const heads = [
    "hello",
    "null",
    '{"id":"a"}',
    '{"stamp":null}',
    '{"stamp":{"benchmark":"infill"}}',
  ];
  for (const text of [...heads, ...rows.map((row) => `${head}\n${row}`)].map((all) => `${all}\n`)) {
    await writeFile(path, text);
    await expect(ResultFile.open<Row>(path, { read, stamp, restarts: false })).rejects.toThrow(
      EvaluationUnavailableError,
    );
    expect(await readFile(path, "utf8")).toBe(text);
  }
});

it("prints a stamp as names and texts", () => {
  const lines = new Map(stampLines(stamp));
  expect(lines.get("Engine")).toBe("llama.cpp b1");
  expect(lines.get("Sampling")).toBe("greedy, 1 per task, at most 64 tokens, seed 1");
  expect(lines.get("way")).toBe("plain");
});

it("says where results cannot be kept", async () => {
  const folder = tempFolder({ file: "in the way" });
  for (const path of [folder, join(folder, "file", "results.jsonl")]) {
    const opening = ResultFile.open<Row>(path, { read, stamp, restarts: true });
    await expect(opening).rejects.toThrow(EvaluationUnavailableError);
    await expect(opening).rejects.toThrow("; name another file");
  }
});
