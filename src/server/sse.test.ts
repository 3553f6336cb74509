import { expect, onTestFinished, test } from "vitest";
import { CompletionError } from "../core/index.ts";
import { postJson } from "../testing/http-call.ts";
import { samples } from "../testing/prometheus.ts";
import { engineResult } from "../testing/scripted-engine.ts";
import { type Served, startServed } from "../testing/served.ts";

const streamed = { prefix: "", suffix: "", stream: true };

async function serve(): Promise<Served> {
  const served = await startServed();
  onTestFinished(() => served.server.close());
  return served;
}

/** Name and data of each event. */
function eventsOf(body: string): [string, Record<string, unknown>][] {
  expect(body.endsWith("\n\n")).toBe(true);
  return body
    .slice(0, -2)
    .split("\n\n")
    .map((block) => {
      const match = /^event: (\w+)\ndata: (.*)$/.exec(block);
      return [match?.[1] ?? block, JSON.parse(match?.[2] ?? "{}")];
    });
}

test("Without deltas from the engine the text is one delta, then comes the whole object.", async () => {
  const { port, engine } = await serve();
  engine.script = () => engineResult("a\r\nb\n\nc");
  const whole = JSON.parse(
    (await postJson(port, "/v1/autocomplete", { ...streamed, stream: false })).body,
  );
  const answer = await postJson(port, "/v1/autocomplete", streamed);
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("no-cache, no-transform");
  expect(answer.headers["x-request-id"]).toMatch(/-2$/);
  const events = eventsOf(answer.body);
  expect(events.map(([name]) => name)).toEqual(["delta", "done"]);
  expect(events[0]?.[1]).toEqual({ text: "a\r\nb\n\nc" });
  expect({ ...events[1]?.[1], latency_ms: 0, timings: 0 }).toEqual({
    ...whole,
    latency_ms: 0,
    timings: 0,
  });
});

test("Deltas of the engine are sent as they come and add up to the completion.", async () => {
  const { port, engine } = await serve();
  engine.script = (_request, { onDelta }) => {
    for (const text of ["fo", "", "o(\ud83d", "\ude80"]) onDelta?.(text);
    return engineResult("foo(\ud83d\ude80);");
  };
  const events = eventsOf((await postJson(port, "/v1/autocomplete", streamed)).body);
  expect(events.map(([name]) => name)).toEqual(["delta", "delta", "delta", "delta", "done"]);
  const text = events
    .slice(0, -1)
    .map(([, data]) => data.text)
    .join("");
  expect(text).toBe("foo(\ud83d\ude80);");
  expect(events.at(-1)?.[1].completion).toBe(text);
});

test("None is one done event.", async () => {
  const { port, engine } = await serve();
  engine.script = () =>
    engineResult("", { outcome: { kind: "none", reason: "empty" }, source: null, model: null });
  const events = eventsOf((await postJson(port, "/v1/autocomplete", streamed)).body);
  expect(events.map(([name, data]) => [name, data.reason])).toEqual([["done", "empty"]]);
});

test("A failure before the first byte has its HTTP status.", async () => {
  const { port, engine } = await serve();
  engine.script = () => {
    throw new CompletionError("BACKEND_TIMEOUT", "no answer within 1500 ms");
  };
  const answer = await postJson(port, "/v1/autocomplete", streamed);
  expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([504, "BACKEND_TIMEOUT"]);
});

test("A failure after the first byte is the event error and nothing after it.", async () => {
  const { port, engine, metrics } = await serve();
  engine.script = (_request, { onDelta }) => {
    onDelta?.("foo");
    throw new CompletionError("BACKEND_UNREACHABLE", "the connection broke");
  };
  const answer = await postJson(port, "/v1/autocomplete", streamed);
  expect(answer.status).toBe(200);
  expect(eventsOf(answer.body)).toEqual([
    ["delta", { text: "foo" }],
    [
      "error",
      { error: { code: "BACKEND_UNREACHABLE", message: "the connection broke", retryable: true } },
    ],
  ]);
  const text = await metrics.text();
  expect(samples(text, "midspan_errors_total")).toEqual(['code="BACKEND_UNREACHABLE" 1']);
  expect(samples(text, "midspan_requests_total")).toEqual([
    'trigger="automatic",outcome="error",source="none" 1',
  ]);
});

test("A delta that the completion takes back is a fault of ours, said in the stream.", async () => {
  const { port, engine, lines } = await serve();
  engine.script = (_request, { onDelta }) => {
    onDelta?.("foo");
    return engineResult("bar");
  };
  const events = eventsOf((await postJson(port, "/v1/autocomplete", streamed)).body);
  expect(events.map(([name]) => name)).toEqual(["delta", "error"]);
  expect(lines.at(-1)).toMatchObject({ level: "error", fields: { code: "INTERNAL" } });
});
