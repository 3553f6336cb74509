import { expect, it } from "vitest";
import type { BackendEvent, Usage } from "../core/index.ts";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";

const request = requestAt("const a = █;\n", { trigger: "invoked" });

/** Ends its text in pieces, and says what it counted when it is read to its end. */
class CountingBackend extends FakeBackend {
  readonly #pieces: readonly string[];
  readonly #usage: Usage;

  constructor(pieces: readonly string[], usage: Usage) {
    super();
    this.#pieces = pieces;
    this.#usage = usage;
  }

  override async *complete(
    ...[asked]: Parameters<FakeBackend["complete"]>
  ): AsyncGenerator<BackendEvent> {
    this.requests.push(asked);
    for (const text of this.#pieces) yield { kind: "text", text };
    yield { kind: "done", finishReason: "stop", usage: this.#usage };
  }
}

const silent: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
const counted: Usage = { inputTokens: 70, cachedTokens: 60, outputTokens: 9 };

it.each([
  ["is stopped when its text is final", ["on", "e", "\n", "two"], counted, 3],
  ["does not count", ["on", "e"], silent, 2],
] as const)("tokens are counted by us where the backend %s", async (_, pieces, usage, output) => {
  const backend = new CountingBackend(pieces, usage);
  const engine = engineOf({ clock: new FakeClock(), backend, settings: { threshold: 0 } });
  const result = await engine.complete(
    { ...request, multiline: "never" },
    { signal: new AbortController().signal },
  );
  expect(result.usage).toEqual({
    inputTokens: backend.requests[0]?.prompt.tokens,
    cachedTokens: 0,
    outputTokens: output,
  });
  expect(result.usage.inputTokens).toBeGreaterThan(0);
});

it("a backend that counted and was read to its end is believed", async () => {
  const backend = new CountingBackend(["one"], counted);
  const engine = engineOf({ clock: new FakeClock(), backend, settings: { threshold: 0 } });
  const result = await engine.complete(request, { signal: new AbortController().signal });
  expect(result.usage).toEqual(counted);
});
