import { expect, it } from "vitest";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";

const signal = new AbortController().signal;

/** Writes a text key by key at `█` and returns the prompts that were sent. */
async function promptsWhileTyping(marked: string, typed: string): Promise<readonly string[]> {
  const clock = new FakeClock();
  const backend = new FakeBackend({ script: "x" });
  const engine = engineOf({ clock, backend });
  for (let length = 1; length <= typed.length; length++) {
    const text = marked.replace("█", `${typed.slice(0, length)}█`);
    const answer = engine.complete(requestAt(text, { trigger: "invoked" }), { signal });
    await clock.advance(1_000);
    await answer;
  }
  return backend.requests.map(({ prompt }) => (prompt.kind === "rendered" ? prompt.text : ""));
}

it("Typing appends to the prompt of a model that has the suffix second.", async () => {
  const typed = "const total = sum(values);\n  return total;";
  const prompts = await promptsWhileTyping("function f(values) {\n  █\n}\n", typed);
  expect(prompts.length).toBe(typed.length);
  const moved = prompts.filter((prompt, i) => !prompt.startsWith(prompts[i - 1] ?? ""));
  expect(moved).toEqual([]);
  expect(prompts.at(-1)).toBe(
    "<|repo_name|>example\n<|file_sep|>src/a.ts\n<|fim_prefix|>function f(values) {\n<|fim_suffix|>" +
      `\n}\n<|fim_middle|>  ${typed}`,
  );
});

it("A closing bracket that an editor adds does not move the prompt.", async () => {
  const above = "function f(values) {\n  const first = values[0];\n";
  const below = `\n${"  use(first, second, third);\n".repeat(5)}}\n`;
  const clock = new FakeClock();
  const backend = new FakeBackend({ script: "x" });
  const engine = engineOf({ clock, backend });
  for (const line of ["  sum█", "  sum(█)", "  sum(v█)"]) {
    const request = requestAt(above + line + below, { trigger: "invoked" });
    const answer = engine.complete(request, { signal });
    await clock.advance(1_000);
    await answer;
  }
  const texts = backend.requests.map(({ prompt }) =>
    prompt.kind === "rendered" ? prompt.text : "",
  );
  expect(texts[2]?.startsWith(texts[1] ?? "-") && texts[1]?.startsWith(texts[0] ?? "-")).toBe(true);
});
