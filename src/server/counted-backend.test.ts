import { expect, test } from "vitest";
import { type Backend, type BackendEvent, bareCapabilities } from "../core/index.ts";
import { samples } from "../testing/prometheus.ts";
import { countedBackend } from "./counted-backend.ts";
import { Metrics } from "./metrics.ts";

const request = {
  model: "m",
  prompt: { kind: "rendered", text: "p", tokens: 1 },
  maxTokens: 8,
  temperature: 0,
  stop: [],
} as const;
const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 2 };
const events: BackendEvent[] = [
  { kind: "text", text: "a" },
  { kind: "text", text: "b" },
  { kind: "done", finishReason: "stop", usage },
];

function backendOf(stream: (signal: AbortSignal) => AsyncIterable<BackendEvent>): Backend {
  return {
    kind: "openai",
    address: "http://127.0.0.1:1",
    capabilities: { ...bareCapabilities, maxStops: 4 },
    complete: (_request, { signal }) => stream(signal),
    listModels: async () => ["m"],
  };
}

async function* all(): AsyncGenerator<BackendEvent> {
  yield* events;
}

async function* failing(): AsyncGenerator<BackendEvent> {
  yield events[0] as BackendEvent;
  throw new Error("broken");
}

test("Each call is counted once, and the events pass through.", async () => {
  const metrics = new Metrics();
  const { signal } = new AbortController();
  const whole = countedBackend(backendOf(all), metrics);
  const seen: BackendEvent[] = [];
  for await (const event of whole.complete(request, { signal })) seen.push(event);
  expect(seen).toEqual(events);
  for await (const _event of whole.complete(request, { signal })) break;
  for await (const event of whole.complete(request, { signal })) if (event.kind === "done") break;

  const broken = countedBackend(backendOf(failing), metrics);
  const drain = async (over: AbortSignal): Promise<void> => {
    for await (const _event of broken.complete(request, { signal: over }));
  };
  await expect(drain(signal)).rejects.toThrow("broken");
  const controller = new AbortController();
  controller.abort();
  await expect(drain(controller.signal)).rejects.toThrow("broken");

  expect(samples(await metrics.text(), "midspan_backend_requests_total")).toEqual([
    'backend="openai",outcome="done" 2',
    'backend="openai",outcome="aborted" 2',
    'backend="openai",outcome="error" 1',
  ]);
  expect({
    kind: whole.kind,
    address: whole.address,
    models: await whole.listModels({ signal }),
  }).toEqual({ kind: "openai", address: "http://127.0.0.1:1", models: ["m"] });
});
