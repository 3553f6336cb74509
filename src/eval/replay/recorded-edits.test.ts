import { expect, test } from "vitest";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import { parseRecordings, RecordedScript } from "./recorded-edits.ts";

const recorded = [
  '{"open":"src/a.ts","text":"let a;\\n"}',
  '{"at":100,"start":7,"end":7,"text":"a"}',
  '{"at":250,"start":8,"end":8,"text":"()","cursor":9}',
  '{"at":400,"start":9,"end":9,"text":"b"}',
  '{"at":2400,"start":0,"end":3,"text":"const"}',
  "",
].join("\n");

test("edits are read with their document, and replayed with their pauses", () => {
  const [recording, ...others] = parseRecordings(recorded, "edits.jsonl");
  if (recording === undefined) throw new Error("there is one");
  expect(others).toEqual([]);
  expect(recording).toMatchObject({ path: "src/a.ts", languageId: "typescript" });
  const script = new RecordedScript(recording);
  const seen = [];
  for (let key = script.next(); key !== null; key = script.next()) seen.push(key);
  expect(seen).toEqual([
    { edit: { start: 7, end: 7, text: "a" }, cursor: 8, gapMs: 0 },
    { edit: { start: 8, end: 8, text: "()" }, cursor: 9, gapMs: 150 },
    { edit: { start: 9, end: 9, text: "b" }, cursor: 10, gapMs: 150 },
    { edit: { start: 0, end: 3, text: "const" }, cursor: 5, gapMs: 2000 },
  ]);
});

test("what the next insertions write is right, and accepting it skips them", () => {
  const [recording] = parseRecordings(
    [
      '{"open":"a.ts","text":""}',
      '{"at":0,"start":0,"end":0,"text":"re"}',
      '{"at":1,"start":2,"end":2,"text":"turn"}',
      '{"at":2,"start":6,"end":6,"text":";"}',
      '{"at":3,"start":0,"end":1,"text":"R"}',
    ].join("\n"),
    "edits.jsonl",
  );
  if (recording === undefined) throw new Error("there is one");
  const script = new RecordedScript(recording);
  expect(script.upcoming).toBe("return;");
  script.next();
  expect(script.upcoming).toBe("turn;");
  script.accept({ units: 3, closers: 0 });
  expect([script.upcoming, script.cursor]).toEqual(["n;", 5]);
  expect(script.next()?.edit).toEqual({ start: 5, end: 5, text: "n" });
  script.accept({ units: 1, closers: 0 });
  expect([script.upcoming, script.next()?.edit]).toEqual(["", { start: 0, end: 1, text: "R" }]);
  expect([script.next(), script.written]).toEqual([null, 8]);
});

test.each([
  ["no JSON", "{", /^edits.jsonl:2:2: this is no JSON/],
  [
    "an edit outside",
    '{"at":0,"start":5,"end":9,"text":""}',
    /^edits.jsonl:2: end must be within 0\.\.3/,
  ],
  [
    "a cursor outside",
    '{"at":0,"start":0,"end":0,"text":"","cursor":4}',
    /^edits.jsonl:2: .*cursor/,
  ],
  ["no text", '{"at":0,"start":0,"end":0}', /^edits.jsonl:2: .*text/],
  ["no number", '{"at":"soon","start":0,"end":0,"text":""}', /^edits.jsonl:2: .*at must/],
])("a recording with %s is refused with its line", (_, line, message) => {
  const content = `{"open":"a.ts","text":"abc"}\n${line}\n`;
  expect(() => parseRecordings(content, "edits.jsonl")).toThrow(EvaluationUnavailableError);
  expect(() => parseRecordings(content, "edits.jsonl")).toThrow(message);
});

test("an edit without a document is refused", () => {
  expect(() => parseRecordings('{"at":0,"start":0,"end":0,"text":""}', "edits.jsonl")).toThrow(
    /open above/,
  );
});
