import { expect, test } from "vitest";
import { type BackendRequest, CompletionError } from "../../core/index.ts";
import { engineOf } from "../../testing/engine-fixture.ts";
import { FakeBackend, type FakeScript } from "../../testing/fake-backend.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { stampOf } from "../../testing/stamp-fixture.ts";
import { silentReporter } from "../bench-report.ts";
import { meterBackend } from "../replay/metered-backend.ts";
import { type AskedQuestions, askQuestions } from "./ask-questions.ts";
import { asSet, type LineAnswer } from "./line-answer.ts";
import type { LineQuestion, QuestionSource } from "./line-question.ts";
import { lineScores } from "./line-scores.ts";
import { engineWay } from "./line-way.ts";
import { repoReport } from "./repo-report.ts";

/** Thirty lines of one file, each asked where the lines above it stand. */
const lines = Array.from({ length: 30 }, (_, i) => `const value${i} = compute(${i});`);
const questions = lines.map((line, i): LineQuestion => {
  const above = lines.slice(0, i).map((text) => `${text}\n`);
  const place = { path: "a.ts", languageId: "typescript", place: "middle" } as const;
  const prefix = `${above.join("")}const `;
  return { id: `q${i}`, ...place, prefix, target: line.slice(6), suffix: "\nend();\n" };
});
const source: QuestionSource = {
  description: "thirty lines",
  kind: "files",
  state: "first",
  batches: [{ questions, prepare: async () => {} }],
};

/** The answer that is right at the end of the prompt. */
function right(request: BackendRequest): string {
  const { prompt } = request;
  const text = prompt.kind === "rendered" ? prompt.text : prompt.prefix;
  const numbers = [...text.matchAll(/value(\d+) =/g)].map(([, number]) => Number(number));
  const next = numbers.length === 0 ? 0 : Math.max(...numbers) + 1;
  return `value${next} = compute(${next});`;
}

async function run(
  script: FakeScript,
  options: { readonly known?: ReadonlyMap<string, LineAnswer>; readonly stopAfter?: number } = {},
): Promise<AskedQuestions & { readonly requests: number; readonly kept: readonly LineAnswer[] }> {
  const backend = new FakeBackend({ script });
  const clock = new FakeClock();
  const metered = meterBackend(backend, { clock });
  const kept: LineAnswer[] = [];
  const controller = new AbortController();
  const asked = await askQuestions({
    ways: [
      engineWay(asSet, {
        engine: engineOf({ clock, backend: metered.backend }),
        calls: metered.calls,
        source: null,
      }),
    ],
    known: { local: null, onFiles: null },
    source,
    earlier: options.known ?? new Map(),
    keep: (answer) => {
      kept.push(answer);
      if (kept.length === options.stopAfter) controller.abort(new Error("interrupted"));
    },
    reporter: silentReporter,
    signal: controller.signal,
  });
  return { ...asked, requests: backend.requests.length, kept };
}

function everyTenthFails(): FakeScript {
  let count = 0;
  return (request) => {
    count++;
    if (count % 10 !== 0) return right(request);
    return { steps: [{ kind: "fail", error: new CompletionError("BACKEND_TIMEOUT", "late") }] };
  };
}

test("a perfect backend is always right, an empty one never", async () => {
  const perfect = lineScores((await run(right)).answers, { threshold: 0.25 });
  expect(perfect).toMatchObject({ questions: 60, failed: 0, exactMatch: 1, editSimilarity: 1 });
  const empty = lineScores((await run("")).answers, { threshold: 0.25 });
  expect(empty).toMatchObject({ questions: 60, failed: 0, exactMatch: 0, answered: 0 });
});

test("each line is asked with and without the text below it", async () => {
  const { answers } = await run((request) => {
    const { prompt } = request;
    const text = prompt.kind === "rendered" ? prompt.text : prompt.suffix;
    return text.includes("end();") ? right(request) : "other();";
  });
  const modes = answers.map(({ mode, outcome, target }) => [
    mode,
    outcome.kind === "text" && outcome.text === target,
  ]);
  expect(modes.filter(([mode]) => mode === "with suffix").every(([, isRight]) => isRight)).toBe(
    true,
  );
  expect(modes.filter(([mode]) => mode !== "with suffix").some(([, isRight]) => isRight)).toBe(
    false,
  );
});

test("a backend that fails at every tenth request is counted apart and asked again", async () => {
  const first = await run(everyTenthFails());
  expect(first.stopped).toBeNull();
  expect(lineScores(first.answers, { threshold: 0.25 })).toMatchObject({
    questions: 54,
    failed: 6,
    exactMatch: 1,
  });
  const known = new Map(first.answers.map((answer) => [answer.id, answer]));
  const second = await run(right, { known });
  expect(second.requests).toBe(6);
  expect(second.answers).toHaveLength(60);
  expect(lineScores(second.answers, { threshold: 0.25 })).toMatchObject({
    failed: 0,
    exactMatch: 1,
  });
});

test("a backend that only fails is given up", async () => {
  const error = new CompletionError("BACKEND_UNREACHABLE", "nobody there");
  const { answers, stopped } = await run({ steps: [{ kind: "fail", error }] });
  expect({ stopped, count: answers.length }).toEqual({
    stopped: "backend keeps failing",
    count: 20,
  });
});

test("an interrupted run goes on where it stopped and ends as one that was not", async () => {
  const first = await run(right, { stopAfter: 23 });
  expect({ stopped: first.stopped, kept: first.kept.length }).toEqual({
    stopped: "interrupted",
    kept: 23,
  });
  const known = new Map(first.kept.map((answer) => [answer.id, answer]));
  const second = await run(right, { known });
  expect(second.requests).toBe(60 - 23);
  expect(second.answers).toEqual((await run(right)).answers);
});

test("the report says what failed and counts it in no figure", async () => {
  const { answers } = await run(everyTenthFails());
  const report = repoReport({
    answers,
    description: source.description,
    stamp: { ...stamp },
    threshold: 0.25,
    seed: 1,
    stopped: null,
    worth: null,
  });
  expect(report.lead).toContain("100.0 % of 54 lines are right");
  const failures = report.sections.find(({ title }) => title === "Failures");
  expect(failures?.blocks[1]).toMatchObject({ rows: [["BACKEND_TIMEOUT", 6, "a.ts"]] });
});

const stamp = stampOf({});
