import { expect, it } from "vitest";
import { resolveFormat } from "../../core/index.ts";
import { engineOf } from "../../testing/engine-fixture.ts";
import { FakeBackend } from "../../testing/fake-backend.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { editorForm } from "./editor-form.ts";
import { filterLosses } from "./filter-losses.ts";
import { type AskingOrder, checkOrder, engineAsker, rawAsker } from "./infill-asker.ts";
import type { InfillTask } from "./infill-task.ts";

const task: InfillTask = {
  id: "1",
  set: "own/single-line",
  languageId: "python",
  prefix: "def one():\n    a = 1\n",
  suffix: "    return b\n",
  target: "    b = a\n",
  isSingleLine: true,
  isWholeLine: false,
  tests: null,
};
const family = "qwen2.5-coder";
const format = resolveFormat({ model: family, backendKind: "llama.cpp", override: family });
const { signal } = new AbortController();
const limits = { temperature: 0, lineTokens: 16, blockTokens: 64 };

async function promptOf(way: "plain" | "prompt", order: AskingOrder | null): Promise<string> {
  const backend = new FakeBackend({ script: "    b = a\nmore" });
  const call = { ...limits, backend, model: "m", format, order };
  const answer = await rawAsker(way, call)(task, { signal });
  expect(answer.text.startsWith("    b = a\nmore")).toBe(true);
  expect(answer.code).toBe(task.prefix + answer.text + task.suffix);
  const prompt = backend.requests[0]?.prompt;
  return prompt?.kind === "rendered" ? prompt.text : "";
}

it("asks plainly with the sentinels, prefix and suffix alone", async () => {
  const { prefix, suffix } = task;
  expect(await promptOf("plain", null)).toBe(
    `<|fim_prefix|>${prefix}<|fim_suffix|>${suffix}<|fim_middle|>`,
  );
  expect(await promptOf("plain", "spm2")).toBe(
    `<|fim_prefix|><|fim_suffix|>${suffix}<|fim_middle|>${prefix}`,
  );
  expect(await promptOf("plain", "efim")).toBe(
    `<|fim_prefix|>def one():\n<|fim_suffix|>${suffix}<|fim_middle|>    a = 1\n`,
  );
});

it("asks with our prompt on the empty line that an editor would show", async () => {
  const prompt = await promptOf("prompt", null);
  expect(prompt).toContain(`a = 1\n<|fim_suffix|>\n${task.suffix}`);
});

it("knows the orders of a family", () => {
  expect(() => checkOrder(format, "spm1")).toThrow(/has no order spm1; it has psm, spm2/);
  expect(checkOrder(format, "efim")).toBe(undefined);
});

it("hands on what the whole engine leaves, and who took the rest away", async () => {
  const ask = (script: string): ReturnType<ReturnType<typeof engineAsker>> => {
    const backend = new FakeBackend({ script });
    const create = () => engineOf({ clock: new FakeClock(), backend, settings: { threshold: 0 } });
    return engineAsker(create, limits)(task, { signal });
  };
  expect(await ask("    b = a\n    c = 2")).toEqual({
    text: "    b = a\n",
    code: task.prefix + task.target + task.suffix,
    refusedBy: null,
  });
  expect(await ask("    return b")).toMatchObject({ text: "", refusedBy: "lines-below" });
});

it("gives the line ends around a line to the text, not to the answer", () => {
  const whole = { ...task, isWholeLine: true, prefix: "a {", target: "b", suffix: "}" };
  expect(editorForm(whole)).toEqual({
    ...{ prefix: "a {\n", target: "b", suffix: "\n}", before: "\n", after: "\n" },
  });
  for (const each of [task, whole]) {
    const { prefix, suffix, target, before, after } = editorForm(each);
    const answer = before + target + after;
    expect(each.prefix + answer + each.suffix).toBe(prefix + target + suffix);
  }
});

it("names the filter that spoils a right answer", () => {
  const repeated = { ...task, id: "2", target: "    return b\n" };
  expect(filterLosses([task, repeated], { format })).toEqual([
    { task: "own/single-line:2", filters: ["lines-below"], left: null },
  ]);
});
