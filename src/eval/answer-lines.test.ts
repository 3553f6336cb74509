import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../testing/temp-folder.ts";
import { askInTurns, readAnswerLines } from "./answer-lines.ts";
import { rowOf } from "./run/json-lines.ts";

interface Answer {
  readonly name: string;
}

const read = rowOf<Answer>({ name: "string" });

it("queues take turns, and what is in the file is not asked again", async () => {
  const file = join(tempFolder(), "answers.jsonl");
  await appendFile(file, '{"name":"b1"}\n');
  const asked: string[] = [];
  const progress: string[] = [];
  const options = {
    file,
    read,
    untilMs: Number.POSITIVE_INFINITY,
    onProgress: (done: number, total: number) => progress.push(`${done}/${total}`),
    ask: async (name: string): Promise<Answer> => {
      asked.push(name);
      return { name };
    },
    questionKey: (name: string) => name,
    answerKey: ({ name }: Answer) => name,
  };
  const answers = await askInTurns([["a1", "a2"], ["b1"]], options);
  expect(answers.map(({ name }) => name)).toEqual(["a1", "b1", "a2"]);
  expect({ asked, progress }).toEqual({ asked: ["a1", "a2"], progress: ["1/3", "2/3", "3/3"] });
  expect(await readAnswerLines(file, read)).toEqual([
    { name: "b1" },
    { name: "a1" },
    { name: "a2" },
  ]);

  const late = await askInTurns([["a1", "a3"]], { ...options, untilMs: 0 });
  expect({ late, asked }).toEqual({ late: [{ name: "a1" }], asked: ["a1", "a2"] });
});

it("a file that is not there holds nothing", async () => {
  expect(await readAnswerLines(join(tempFolder(), "none.jsonl"), read)).toEqual([]);
});
