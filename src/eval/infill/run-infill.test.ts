/** A small benchmark of our own, asked and tried for real: in the sandbox, with Node. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { CompletionError } from "../../core/index.ts";
import { engineOf } from "../../testing/engine-fixture.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { tempFolder } from "../../testing/temp-folder.ts";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import { ResultFile } from "../run/result-file.ts";
import { createStamp } from "../run/stamp.ts";
import { openSandbox } from "../sandbox/sandbox.ts";
import { findToolchain } from "./find-toolchain.ts";
import { type AskInfill, engineAsker } from "./infill-asker.ts";
import { figuresOf } from "./infill-figures.ts";
import type { InfillTask } from "./infill-task.ts";
import { javascriptHead } from "./javascript-parts.ts";
import { type AnsweredRow, type InfillRow, readInfillRow, runInfill } from "./run-infill.ts";
import { scriptChecks } from "./script-checks.ts";
import { type Script, ScriptedBackend, scriptedText } from "./scripted-answers.ts";
import { tasksOf } from "./solution.ts";

const sandbox = await openSandbox({ allowsUnsafe: true });
const found = await findToolchain("javascript", { cacheFolder: "" });
if (found.kind === "missing") throw new Error(found.reason);
// Short, so that what hangs is found out soon.
const toolchain = { ...found.toolchain, limits: { wallMs: 6_000 } };

/** Two functions with two lines each that say something, and their tests. */
const tasks = tasksOf(
  ["add", "multiply"].map((name) => ({
    id: name,
    prompt: `// Returns what ${name} says of a and b.\nconst ${name} = (a, b) => {\n`,
    body: `  const result = a ${name === "add" ? "+" : "*"} b;\n  return result;\n}\n`,
    tests: {
      toolchain: "javascript",
      head: javascriptHead,
      tail: `\nconsole.assert(${name}(3, 4) === ${name === "add" ? 7 : 12});\n`,
      without: null,
    },
  })),
  { set: "own/single-line", languageId: "javascript", spans: "single-line" },
);

async function resultFile(folder = tempFolder()): Promise<ResultFile<InfillRow>> {
  const stamp = createStamp({
    benchmark: "infill",
    version: "0",
    engine: { kind: "scripted", version: null },
    model: "own",
    quantisation: null,
    template: null,
    stops: [],
    sampling: { temperature: 0, samples: 1, maxTokens: 1, seed: 1 },
    scoring: "",
    choices: {},
  });
  return ResultFile.open(join(folder, "results.jsonl"), {
    read: readInfillRow,
    stamp,
    restarts: false,
  });
}

async function run(
  ask: AskInfill,
  options: {
    readonly results?: ResultFile<InfillRow>;
    readonly samples?: number;
    readonly signal?: AbortSignal;
    readonly tasks?: readonly InfillTask[];
  } = {},
): Promise<ReturnType<typeof figuresOf>> {
  const { samples = 1, signal = new AbortController().signal } = options;
  const results = options.results ?? (await resultFile());
  const asked = options.tasks ?? tasks;
  const about = { ask, samples, parallel: 2, sandbox, results, onProgress: () => {}, signal };
  try {
    await runInfill([{ tasks: asked, toolchain }], about);
    return figuresOf("own/single-line", asked, { rows: results.rows, samples });
  } finally {
    if (options.results === undefined) await results.close();
  }
}

/** Answers by the task's id; without one, rightly. */
function saying(texts: Readonly<Record<string, string>>): AskInfill {
  return async (task) => {
    const text = texts[task.id] ?? task.target;
    return { text, code: task.prefix + text + task.suffix, refusedBy: null };
  };
}

it("has four tasks", () => {
  expect(tasks.map(({ id, target }) => [id, target])).toEqual([
    ["add/L0", "const result = a + b;"],
    ["add/L1", "return result;"],
    ["multiply/L0", "const result = a * b;"],
    ["multiply/L1", "return result;"],
  ]);
});

it("scores as one does by hand", async () => {
  const results = await resultFile();
  const figures = await run(
    saying({
      // Passes though it is another text: 2 of 21 units differ.
      "add/L0": "const result = b + a;",
      // Hangs.
      "add/L1": "for (;;) {}",
      // Wrong, though its first line is right.
      "multiply/L1": "return result;\n  oops(",
    }),
    { results },
  );
  const similarities = [...results.rows.values()].map((row) => [
    row.task,
    row.kind === "answered" ? row.similarity : null,
  ]);
  expect(Object.fromEntries(similarities)).toMatchObject({
    "add/L0": expect.closeTo(19 / 21, 12),
    "multiply/L0": 1,
    "multiply/L1": expect.closeTo(14 / 22, 12),
  });
  await results.close();
  expect(figures).toMatchObject({
    ...{ tasks: 4, answered: 4, answers: 4, passed: 2, wrong: 1, hung: 1, overLimit: 0 },
    ...{ failed: 0, missing: 0, exact: 0.25, exactFirstLine: 0.5 },
    passAt: [{ k: 1, share: 0.5 }],
  });
});

it.each(["perfect", "empty"] satisfies Script[])(
  "scores a %s backend behind the whole engine as it must",
  async (script) => {
    const clock = new FakeClock();
    const ask: AskInfill = (task, options) => {
      const backend = new ScriptedBackend(scriptedText(task, script, "full"));
      const settings = { isHealed: true, threshold: 0 };
      const limits = { temperature: 0, lineTokens: 64, blockTokens: 64 };
      return engineAsker(() => engineOf({ clock, backend, settings }), limits)(task, options);
    };
    const figures = await run(ask);
    expect(figures.passed).toBe(script === "perfect" ? 4 : 0);
    const checks = scriptChecks([figures], { script, way: "full" });
    expect(checks).toMatchObject([{ value: script === "perfect" ? 100 : 0 }]);
  },
);

it("estimates pass@k from several answers", async () => {
  let asked = 0;
  const ask: AskInfill = async (task) => {
    // Of five answers to each task the first two are right.
    const text = asked++ % 5 < 2 ? task.target : "throw 1;";
    return { text, code: task.prefix + text + task.suffix, refusedBy: null };
  };
  const { passAt } = await run(ask, { samples: 5, tasks: tasks.slice(0, 1) });
  expect(passAt).toEqual([
    { k: 1, share: expect.closeTo(0.4, 12) },
    { k: 5, share: 1 },
  ]);
});

it("counts failures of the backend apart and asks again for those only", async () => {
  const results = await resultFile();
  const refused = new CompletionError("BACKEND_OVERLOADED", "the server is full");
  let calls = 0;
  const failing: AskInfill = async (task, options) => {
    if (task.id === "add/L1") throw refused;
    return saying({})(task, options);
  };
  expect(await run(failing, { results })).toMatchObject({ failed: 1, answered: 3, passed: 3 });
  const counting: AskInfill = (task, options) => {
    calls++;
    return saying({})(task, options);
  };
  expect(await run(counting, { results })).toMatchObject({ failed: 0, answered: 4, passed: 4 });
  expect(calls).toBe(1);
  await results.close();
});

it("goes on past a backend that fails at every tenth request", async () => {
  let calls = 0;
  const ask: AskInfill = async (task, options) => {
    if (++calls % 10 === 0) throw new CompletionError("BACKEND_TIMEOUT", "too late");
    const { target } = task;
    return saying({ [task.id]: calls % 2 === 0 ? "" : target })(task, options);
  };
  const results = await resultFile();
  const figures = await run(ask, { results, samples: 5 });
  const rows = [...results.rows.values()];
  expect(rows.filter(({ kind }) => kind === "failed")).toHaveLength(2);
  // Tasks with a failed answer wait for the next run; nothing of them counts as wrong.
  expect(figures).toMatchObject({ failed: 2, missing: 0, answers: 5 * figures.answered });
  await results.close();
});

it("goes on where it was interrupted", async () => {
  const folder = tempFolder();
  const results = await resultFile(folder);
  const controller = new AbortController();
  const interrupting: AskInfill = async (task, options) => {
    if (task.id === "multiply/L0") controller.abort(new Error("interrupted"));
    return saying({})(task, options);
  };
  const { signal } = controller;
  await expect(run(interrupting, { results, signal })).rejects.toThrow("interrupted");
  await results.close();
  const again = await resultFile(folder);
  const before = again.rows.size;
  expect(before).toBeLessThan(4);
  let calls = 0;
  const counting: AskInfill = (task, options) => {
    calls++;
    return saying({})(task, options);
  };
  expect(await run(counting, { results: again })).toMatchObject({ answered: 4, passed: 4 });
  expect(calls).toBe(4 - before);
  await again.close();
});

it("gives up a backend that only fails", async () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ ...tasks[0], id: `t${index}` }));
  const gone: AskInfill = async () => {
    throw new CompletionError("BACKEND_UNREACHABLE", "no connection");
  };
  const results = await resultFile();
  await expect(
    run(gone, { results, tasks: many.filter((task) => "prefix" in task) as InfillTask[] }),
  ).rejects.toThrow(EvaluationUnavailableError);
  expect(results.rows.size).toBeLessThan(25);
  await results.close();
});

it("lets faults of ours through", async () => {
  const broken: AskInfill = async () => {
    throw new TypeError("ours");
  };
  await expect(run(broken)).rejects.toThrow(TypeError);
});

it("never passes a reply of blanks, even where the program does without the line", async () => {
  const [first] = tasks;
  if (first?.tests === null || first === undefined) throw new Error("no task");
  const needless = { ...first, tests: { ...first.tests, tail: "" } };
  const results = await resultFile();
  const figures = await run(saying({ "add/L0": " \n" }), { results, tasks: [needless] });
  expect(figures).toMatchObject({ passed: 0, wrong: 1 });
  const [row] = results.rows.values();
  expect((row as AnsweredRow).says).toBe("nothing was written");
  await results.close();
});

it("says how much there is to answer before the first answer comes", async () => {
  const results = await resultFile();
  const seen: (readonly [number, number])[] = [];
  const ask: AskInfill = () => {
    expect(seen).toEqual([[0, tasks.length]]);
    throw new CompletionError("BACKEND_TIMEOUT", "late");
  };
  await runInfill([{ tasks, toolchain: null }], {
    ...{ ask, samples: 1, parallel: tasks.length, sandbox: null, results },
    onProgress: (done, total) => void seen.push([done, total]),
    signal: new AbortController().signal,
  });
  await results.close();
  expect(seen.at(-1)).toEqual([tasks.length, tasks.length]);
});
