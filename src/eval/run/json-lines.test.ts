import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../testing/temp-folder.ts";
import { readAnswerLines } from "../answer-lines.ts";
import { readAnswer } from "../inference-answers.ts";
import { EvaluationUnavailableError } from "./evaluation-unavailable.ts";
import { parseJsonLines, readJsonLines, rowOf } from "./json-lines.ts";

interface Row {
  readonly name: string;
  readonly note?: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly parts: readonly { readonly text: string }[];
}

const read = rowOf<Row>({
  name: "string",
  note: "string?",
  counts: "numbers",
  parts: [{ text: "string" }],
});
const right = '{"name":"a","counts":{"x":1},"parts":[{"text":"t"}],"more":true}';

test("Lines of the shape are taken as they are, blank lines are left out.", () => {
  expect(parseJsonLines(`${right}\n\n  \r\n${right}`, { file: "x.jsonl", read })).toEqual([
    JSON.parse(right),
    JSON.parse(right),
  ]);
});

test.each([
  ["{", ":2: this is no JSON"],
  ['{"name": undefined}', ":10: this is no JSON"],
  ["null", ": the line must be an object, got null"],
  ["[]", ": the line must be an object, got an array"],
  ['{"a":1}', ": name must be a string, got nothing"],
  [right.replace('"a"', "7"), ": name must be a string, got a number"],
  [right.replace("true", 'true,"note":1'), ": note must be a string, got a number"],
  [right.replace('{"x":1}', '{"x":"1"}'), ": counts must hold numbers only"],
  [right.replace('[{"text":"t"}]', "{}"), ": parts must be an array, got an object"],
  [right.replace('{"text":"t"}', "null"), ": parts[0] must be an object, got null"],
  [right.replace('"t"', "null"), ": parts[0].text must be a string, got null"],
])("The line %s is refused with its place.", (line, says) => {
  const lines = (): unknown => parseJsonLines(`\n${right}\n${line}\n`, { file: "x.jsonl", read });
  expect(lines).toThrow(EvaluationUnavailableError);
  expect(lines).toThrow(`x.jsonl:3${says}; mend or remove the line`);
});

test("A file that is not there has no rows; a folder in its place is named.", async () => {
  const folder = tempFolder({ "answers.jsonl": "null\n" });
  expect(await readJsonLines({ file: join(folder, "none"), read })).toBeNull();
  await expect(readJsonLines({ file: folder, read })).rejects.toThrow(
    `${folder} cannot be read: it is a folder; name another file`,
  );
  for (const endless of ["/dev/zero", "/dev/null"]) {
    await expect(readJsonLines({ file: endless, read })).rejects.toThrow("it is no plain file");
  }
  await expect(readAnswerLines(join(folder, "answers.jsonl"), readAnswer)).rejects.toThrow(
    "answers.jsonl:1: the line must be an object, got null",
  );
});
