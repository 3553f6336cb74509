import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { BugError } from "../base/assert.ts";
import { CompletionError, errorTable } from "../core/index.ts";
import { httpCall, postJson } from "../testing/http-call.ts";
import { samples } from "../testing/prometheus.ts";
import { engineResult } from "../testing/scripted-engine.ts";
import { health, type Served, startServed } from "../testing/served.ts";

const plain = { prefix: "const a = ", suffix: "\n" };

async function serve(changes: Parameters<typeof startServed>[0] = {}): Promise<Served> {
  const served = await startServed(changes);
  onTestFinished(() => served.server.close());
  return served;
}

test("The plain body is answered with the whole object.", async () => {
  const { port, engine } = await serve();
  const answer = await postJson(port, "/v1/autocomplete", plain);
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f]{8}-1$/);
  const reply = JSON.parse(answer.body);
  expect(reply).toEqual({
    id: "completion-1",
    completion: "answer",
    replace_before: 0,
    replace_after: 0,
    model: "local",
    source: "local",
    confidence: 0.5,
    finish_reason: "stop",
    latency_ms: expect.any(Number),
    timings: {
      queue_ms: expect.any(Number),
      context_ms: 0.12,
      prompt_ms: 0,
      local_ms: 2.35,
      ttft_ms: 0,
      decode_ms: 0,
      post_ms: 0.5,
    },
    usage: { input_tokens: 0, cached_tokens: 0, output_tokens: 0 },
    reason: null,
  });
  expect(Math.round(reply.latency_ms * 100) / 100).toBe(reply.latency_ms);
  expect(engine.requests).toEqual([
    {
      document: {
        kind: "text",
        prefix: "const a = ",
        suffix: "\n",
        path: null,
        languageId: null,
        session: null,
        version: null,
      },
      trigger: "automatic",
      multiline: "auto",
      maxTokens: null,
      temperature: 0,
      stop: [],
      count: 1,
      threshold: null,
      snippets: [],
      hasSelection: false,
      explain: false,
      isNoted: true,
    },
  ]);
});

test("Byte order mark, line ends, tabs and lone surrogates reach the engine and come back.", async () => {
  const { port, engine } = await serve();
  const text = "\uFEFFa\r\n\tb\rc\uD83D d \uDE80\u2028é🚀\u0000";
  engine.script = () => engineResult(text);
  const answer = await postJson(port, "/v1/autocomplete", { ...plain, prefix: text, stop: text });
  expect(engine.requests[0]?.document).toMatchObject({ prefix: text });
  expect(engine.requests[0]?.stop).toEqual([text]);
  expect(JSON.parse(answer.body).completion).toBe(text);
});

test("A body that starts with a byte order mark is JSON all the same.", async () => {
  const { port } = await serve();
  const answer = await postJson(port, "/v1/autocomplete", `\uFEFF${JSON.stringify(plain)}`);
  expect(answer.status).toBe(200);
});

test("None has an empty completion, its reason and no confidence.", async () => {
  const { port, engine } = await serve();
  engine.script = () =>
    engineResult("", {
      outcome: { kind: "none", reason: "below-threshold" },
      source: null,
      model: null,
    });
  const reply = JSON.parse((await postJson(port, "/v1/autocomplete", plain)).body);
  expect(reply).toMatchObject({
    completion: "",
    reason: "below-threshold",
    source: null,
    model: null,
    confidence: null,
    replace_before: 0,
  });
});

test("A lasting failure of the engine has its code, its status and, if it passes, Retry-After.", async () => {
  const { port, engine, lines } = await serve();
  for (const [code, { status, retryable }] of Object.entries(errorTable)) {
    engine.script = () => {
      throw new CompletionError(code as keyof typeof errorTable, "no luck with http://127.0.0.1:1");
    };
    const answer = await postJson(port, "/v1/autocomplete", plain);
    expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({
      status,
      body: { error: { code, message: "no luck with http://127.0.0.1:1", retryable } },
    });
    expect(answer.headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
  }
  expect(lines.filter((line) => "stack" in line.fields).map((line) => line.fields.code)).toEqual([
    "INTERNAL",
  ]);
});

test("A fault of ours is INTERNAL; its words and its stack stay in the log, under the request.", async () => {
  const { port, engine, lines } = await serve();
  engine.script = () => {
    throw new BugError("the ring is not round");
  };
  const answer = await postJson(port, "/v1/autocomplete", plain);
  const id = String(answer.headers["x-request-id"]);
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.body)).toEqual({
    error: {
      code: "INTERNAL",
      message: `a fault of ours; the log has it under request ${id}`,
      retryable: false,
    },
  });
  expect(lines.at(-1)).toMatchObject({
    level: "error",
    fields: { request: id, stack: expect.stringContaining("the ring is not round") },
  });
  engine.script = () => engineResult("");
  expect((await postJson(port, "/v1/autocomplete", plain)).status).toBe(500);
  engine.script = () => engineResult("x");
  expect((await postJson(port, "/v1/autocomplete", plain)).status).toBe(200);
});

test("Source text is in no log line, not even of a failure.", async () => {
  const { port, engine, lines } = await serve();
  const secret = "hunter2";
  await postJson(port, "/v1/autocomplete", { prefix: secret, suffix: secret });
  engine.script = () => engineResult(secret);
  await postJson(port, "/v1/autocomplete", plain);
  await postJson(port, "/v1/autocomplete", `{"prefix": "${secret}`);
  await postJson(port, "/v1/autocomplete", { prefix: secret });
  expect(lines).toHaveLength(4);
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test("A client that leaves aborts its request; that is cancelled, not an error.", async () => {
  const { port, engine, lines } = await serve();
  const controller = new AbortController();
  const aborted = new Promise<unknown>((resolve) => {
    engine.script = (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(signal.reason);
          resolve(signal.reason);
        });
        controller.abort();
      });
  });
  const call = httpCall(port, {
    method: "POST",
    path: "/v1/autocomplete",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(plain),
    signal: controller.signal,
  });
  await expect(call).rejects.toThrow();
  expect(await aborted).toMatchObject({ name: "AbortError" });
  const text = (await httpCall(port, { path: "/metrics" })).body;
  expect(samples(text, "midspan_requests_total")).toEqual([
    'trigger="automatic",outcome="cancelled",source="none" 1',
  ]);
  expect(samples(text, "midspan_inflight")).toEqual(["0"]);
  expect(samples(text, "midspan_errors_total")).toEqual([]);
  expect(lines).toEqual([]);
});

test("A full server refuses with OVERLOADED and Retry-After, and serves again afterwards.", async () => {
  const { port, engine } = await serve({ limits: { maxInFlight: 1, maxQueued: 0 } });
  const finish: (() => void)[] = [];
  const started = new Promise<void>((resolve) => {
    engine.script = () =>
      new Promise((done) => {
        finish.push(() => done(engineResult("late")));
        resolve();
      });
  });
  const first = postJson(port, "/v1/autocomplete", plain);
  await started;
  const second = await postJson(port, "/v1/autocomplete", plain);
  expect(second.status).toBe(503);
  expect(second.headers["retry-after"]).toBe("1");
  expect(JSON.parse(second.body).error).toMatchObject({ code: "OVERLOADED", retryable: true });
  for (const one of finish) one();
  expect((await first).status).toBe(200);
  engine.script = () => engineResult("again");
  expect((await postJson(port, "/v1/autocomplete", plain)).status).toBe(200);
});

test("Health, models and the workspace are read; without a workspace there is none.", async () => {
  const { port } = await serve();
  const answer = await httpCall(port, { path: "/v1/health" });
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, health]);
  expect(JSON.parse((await httpCall(port, { path: "/v1/models" })).body)).toEqual({
    object: "list",
    data: [],
  });
  const files = await httpCall(port, { path: "/v1/workspace/files" });
  expect([files.status, JSON.parse(files.body).error.code]).toEqual([404, "NOT_FOUND"]);
});

test("A workspace file is asked for by its path; what the port refuses keeps its code.", async () => {
  const asked: string[] = [];
  const { port } = await serve({
    workspace: {
      list: async () => ({ root: "/w", files: ["a b.ts"], truncated: false }),
      read: async (path) => {
        asked.push(path);
        if (path === "a b.ts") return { path, language: "typescript", text: "\uFEFFx\r\n" };
        throw new CompletionError("FORBIDDEN", `${path} is not shown`);
      },
    },
  });
  const list = await httpCall(port, { path: "/v1/workspace/files" });
  expect(JSON.parse(list.body)).toEqual({ root: "/w", files: ["a b.ts"], truncated: false });
  const file = await httpCall(port, { path: "/v1/workspace/file?path=a%20b.ts" });
  expect(JSON.parse(file.body)).toEqual({
    path: "a b.ts",
    language: "typescript",
    text: "\uFEFFx\r\n",
  });
  const refused = await httpCall(port, { path: "/v1/workspace/file?path=..%2F.env" });
  expect([refused.status, JSON.parse(refused.body).error.code]).toEqual([403, "FORBIDDEN"]);
  for (const query of ["", "?path=", "?path=a&path=b"]) {
    const answer = await httpCall(port, { path: `/v1/workspace/file${query}` });
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, "BAD_REQUEST"]);
  }
  expect(asked).toEqual(["a b.ts", "../.env"]);
});

test.each([
  ["GET", "/v1/autocomplete", 405, "POST"],
  ["PUT", "/v1/autocomplete", 405, "POST"],
  ["OPTIONS", "/v1/autocomplete", 405, "POST"],
  ["POST", "/v1/health", 405, "GET, HEAD"],
  ["DELETE", "/metrics", 405, "GET, HEAD"],
  ["POST", "/", 405, "GET, HEAD"],
  ["GET", "/v1/nothing", 404, undefined],
  ["POST", "/v1/nothing", 404, undefined],
  ["GET", "/v1/health/", 404, undefined],
  ["GET", "//v1/health", 404, undefined],
  ["OPTIONS", "*", 404, undefined],
  ["PROPFIND", "/v1/health", 405, "GET, HEAD"],
  ["GET", "/%", 400, undefined],
])("%s %s is %i.", async (method, path, status, allow) => {
  const { port } = await serve();
  const answer = await httpCall(port, { method, path });
  expect([answer.status, answer.headers.allow]).toEqual([status, allow]);
  expect(JSON.parse(answer.body)).toEqual({
    error: { code: expect.any(String), message: expect.any(String), retryable: false },
  });
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
});

test("An address of 5,000 characters is answered like any other.", async () => {
  const { port } = await serve();
  expect((await httpCall(port, { path: `/${"a".repeat(5000)}` })).status).toBe(404);
});

test.each([false, true])(
  "An engine that ignores an abort harms nobody (stream %s).",
  async (stream) => {
    const { port, engine } = await serve();
    const controller = new AbortController();
    const served = new Promise<void>((resolve) => {
      engine.script = async (_request, { signal, onDelta }) => {
        onDelta?.("a");
        const gone = new Promise<void>((left) => {
          signal.addEventListener("abort", () => left());
        });
        controller.abort();
        await gone;
        onDelta?.("b");
        setImmediate(resolve);
        return engineResult("abc");
      };
    });
    const call = httpCall(port, {
      method: "POST",
      path: "/v1/autocomplete",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...plain, stream }),
      signal: controller.signal,
    });
    await expect(call).rejects.toThrow();
    await served;
    engine.script = () => engineResult("x");
    expect((await postJson(port, "/v1/autocomplete", plain)).status).toBe(200);
  },
);

test("A caller's plain request id is kept, another is replaced.", async () => {
  const { port } = await serve();
  const idFor = async (given: string): Promise<unknown> => {
    const headers = { "x-request-id": given };
    return (await httpCall(port, { path: "/v1/health", headers })).headers["x-request-id"];
  };
  expect(await idFor("trace-7.a_b")).toBe("trace-7.a_b");
  expect(await idFor('"><script>')).toMatch(/^[0-9a-f]{8}-/);
  expect(await idFor("a".repeat(65))).toMatch(/^[0-9a-f]{8}-/);
});

test("Closing lets a running request end and then takes no more.", async () => {
  const { port, engine, server } = await serve();
  let finish: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    engine.script = () =>
      new Promise((done) => {
        finish = () => done(engineResult("late"));
        resolve();
      });
  });
  const running = postJson(port, "/v1/autocomplete", plain);
  await started;
  const closed = server.close();
  finish();
  expect(JSON.parse((await running).body).completion).toBe("late");
  await closed;
  expect(server.port).toBe(0);
  await expect(postJson(port, "/v1/autocomplete", plain)).rejects.toThrow();
});

test("Closing does not wait for connections on which no request has begun.", async () => {
  const { port, server } = await startServed({ limits: { closeGraceMs: 60_000 } });
  const ended = ["", "GET / HT"].map((start) => {
    const socket = connect(port, "127.0.0.1");
    socket.resume().write(start);
    return new Promise((resolve) => socket.once("close", resolve));
  });
  // Accepted after the two.
  await httpCall(port, { path: "/v1/health" });
  await server.close();
  await Promise.all(ended);
});

test("Closing aborts what does not end within the grace period.", async () => {
  const { port, engine, server } = await serve({ limits: { closeGraceMs: 1 } });
  const started = new Promise<void>((resolve) => {
    engine.script = (_request, { signal }) =>
      new Promise((_done, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        resolve();
      });
  });
  const running = postJson(port, "/v1/autocomplete", plain).catch((error: unknown) => error);
  await started;
  await server.close();
  expect(await running).toBeInstanceOf(Error);
});
