import { expect, test } from "vitest";
import type { ContextSource, SnippetKind } from "../../core/index.ts";
import { engineOf } from "../../testing/engine-fixture.ts";
import { FakeBackend } from "../../testing/fake-backend.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { stampOf } from "../../testing/stamp-fixture.ts";
import { silentReporter } from "../bench-report.ts";
import { askQuestions } from "./ask-questions.ts";
import { askedOnce } from "./asked-once.ts";
import { asSet, type LineAnswer } from "./line-answer.ts";
import type { LineQuestion } from "./line-question.ts";
import { engineWay, type LineWay, readerWay } from "./line-way.ts";
import { repoReport } from "./repo-report.ts";

const passage = "const half = secondHalf(text);";
const questions = ["a.ts", "b.ts"].map((path): LineQuestion => {
  const about = { path, languageId: "typescript", place: "middle" } as const;
  const prefix = "const text = read();\nconst half = second";
  return { id: path, ...about, prefix, target: "Half(text);", suffix: "\nend();\n" };
});

/** Finds the passage, or nothing. */
function sourceOf(kind: SnippetKind | null): ContextSource {
  const snippets =
    kind === null ? [] : [{ path: "halves.ts", text: `${passage}\n`, kind, score: 1 }];
  return {
    see() {},
    forget() {},
    find: () => ({ snippets, late: null }),
    mayShow: () => true,
  };
}

async function answersOf(ways: readonly LineWay[]): Promise<readonly LineAnswer[]> {
  const source = { description: "two lines", kind: "files", state: "first" } as const;
  const { answers } = await askQuestions({
    ways,
    known: { local: null, onFiles: null },
    source: { ...source, batches: [{ questions, prepare: async () => {} }] },
    earlier: new Map(),
    keep: () => {},
    reporter: silentReporter,
    signal: new AbortController().signal,
  });
  return answers;
}

const names = ["no sources", asSet, "search alone"];
const kinds: readonly (SnippetKind | null)[] = [null, "search", "search"];

function rowsOf(answers: readonly LineAnswer[], section: string): readonly unknown[] {
  const report = repoReport({
    ...{ answers, description: "two lines", threshold: 0.25, seed: 1, stopped: null },
    stamp,
    worth: { ways: names, writer: "a fake" },
  });
  const blocks = report.sections.find(({ title }) => title.startsWith(section))?.blocks ?? [];
  const table = blocks.find((block) => block.kind === "table");
  return table?.kind === "table" ? table.rows : [];
}

test("a model that sees the passage is right, and equal prompts are asked once", async () => {
  const backend = new FakeBackend({
    script: ({ prompt }) => (JSON.stringify(prompt).includes(passage) ? "Half(text);" : "Part();"),
  });
  const once = askedOnce(backend);
  const ways = names.map((name, i) => {
    const context = sourceOf(kinds[i] ?? null);
    const engine = engineOf({ clock: new FakeClock(), backend: once, context });
    return engineWay(name, { engine, calls: [], source: context });
  });
  const answers = await answersOf(ways);
  expect(answers.slice(0, 3).map(({ id, context }) => [id, context])).toEqual([
    ["a.ts:with suffix:no sources", []],
    ["a.ts:with suffix", ["search"]],
    ["a.ts:with suffix:search alone", ["search"]],
  ]);
  // Two prompts for each of two lines with and without suffix.
  expect(backend.requests.length).toBe(8);
  expect(rowsOf(answers, "What each source")).toEqual([
    ["no sources", 4, 0, 0, "0.0 / 0.0 / 0.0", expect.any(Number), "0.0 / 0.0 / 0.0"],
    [asSet, 4, 1, 1, "100.0 / 100.0 / 100.0", 1, expect.any(String)],
    ["search alone", 4, 1, 1, "100.0 / 100.0 / 100.0", 1, expect.any(String)],
  ]);
  const lines = rowsOf(answers, "Lines").map((row) => (row as readonly unknown[]).slice(0, 2));
  expect(lines).toContainEqual(["prompt with search", 4]);
  expect(lines).not.toContainEqual(["prompt without passages", 4]);
});

test("a reader that has the passage writes its name, one without it does not", async () => {
  const ways = names.map((name, i) => readerWay(name, sourceOf(kinds[i] ?? null)));
  const answers = await answersOf(ways);
  const texts = (way: string): readonly unknown[] =>
    answers
      .filter((answer) => answer.way === way && answer.mode === "with suffix")
      .map(({ outcome, context }) => [
        outcome.kind === "text" && outcome.text.startsWith("Half("),
        context,
      ]);
  expect(texts("no sources")).toEqual([
    [false, []],
    [false, []],
  ]);
  expect(texts("search alone")).toEqual([
    [true, ["search"]],
    [true, ["search"]],
  ]);
});

const stamp = stampOf({});
