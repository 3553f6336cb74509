/** Whatever arrives, the answer is a coded error, the server stays up and the next request works. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { httpCall, postJson, rawExchange } from "../testing/http-call.ts";
import { type Served, startServed } from "../testing/served.ts";

const plain = { prefix: "const a = ", suffix: "\n" };
const json = { "content-type": "application/json" };

let served: Served;
beforeAll(async () => {
  served = await startServed();
});
afterAll(() => served.server.close());

async function expectStillServing(): Promise<void> {
  const answer = await postJson(served.port, "/v1/autocomplete", plain);
  expect([answer.status, JSON.parse(answer.body).completion]).toEqual([200, "answer"]);
}

const half = "a".repeat(1024 * 1024);

test.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
  ["no body", "", json, 400, "body is not JSON: it ends too early at position 0"],
  ["half an object", '{"prefix": "a', json, 400, "it ends too early at position 13"],
  ["a wrong comma", '{"prefix": "a",}', json, 400, "at position 15 (line 1, column 16)"],
  ["an array", "[]", json, 400, "body must be an object, got an array"],
  ["null", "null", json, 400, "body must be an object, got null"],
  ["a number as prefix", '{"prefix": 1, "suffix": ""}', json, 400, "prefix must be a string"],
  ["no suffix", '{"prefix": ""}', json, 400, "suffix is missing"],
  [
    "negative max_tokens",
    '{"prefix": "", "suffix": "", "max_tokens": -1}',
    json,
    400,
    "max_tokens must be within 1..512, got -1",
  ],
  [
    "an endless temperature",
    '{"prefix": "", "suffix": "", "temperature": 1e999}',
    json,
    400,
    "temperature must be within 0..2, got Infinity",
  ],
  [
    "a negative version",
    '{"prefix": "", "suffix": "", "version": -7}',
    json,
    400,
    "version must be within 0..9007199254740991, got -7",
  ],
  [
    "over two million units",
    JSON.stringify({ prefix: half, suffix: `${half}b` }),
    json,
    400,
    "prefix and suffix have 2097153 UTF-16 units together",
  ],
  ["9 MB", Buffer.alloc(9 * 1024 * 1024, 32), json, 413, "the body is over 8388608 bytes"],
  [
    "9 MB without a length",
    Buffer.alloc(9 * 1024 * 1024, 32),
    { ...json, "transfer-encoding": "chunked" },
    413,
    "the body is over 8388608 bytes",
  ],
  ["10,000 open arrays", "[".repeat(10_000), json, 400, "at position 10000"],
  [
    "10,000 levels as prefix",
    `{"suffix": "", "prefix": ${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
    json,
    400,
    "prefix must be a string, got an array",
  ],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), json, 400, "not UTF-8"],
  ["a form", "prefix=a", { "content-type": "application/x-www-form-urlencoded" }, 415, "got"],
  ["plain text", JSON.stringify(plain), { "content-type": "text/plain" }, 415, '"text/plain"'],
  ["no content type", JSON.stringify(plain), {}, 415, "got no content type"],
  ["a broken content type", "{}", { "content-type": ";;;" }, 415, "malformed"],
  [
    "another charset",
    JSON.stringify(plain),
    { "content-type": "application/json; charset=utf-16" },
    415,
    "charset=utf-16",
  ],
  [
    "gzip",
    gzipSync(JSON.stringify(plain)),
    { ...json, "content-encoding": "gzip" },
    415,
    "must not be encoded, got gzip",
  ],
])("%s is refused.", async (_name, body, headers, status, message) => {
  const answer = await httpCall(served.port, {
    method: "POST",
    path: "/v1/autocomplete",
    headers,
    body,
  });
  const code = { 400: "BAD_REQUEST", 413: "BODY_TOO_LARGE", 415: "NOT_JSON" }[status];
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    status,
    { error: { code, message: expect.stringContaining(message), retryable: false } },
  ]);
  await expectStillServing();
});

test.each<[string, unknown]>([
  ["empty strings", { prefix: "", suffix: "" }],
  ["lone surrogates", '{"prefix": "\\ud83d", "suffix": "\\udc00 \\ud83d\\ud83d"}'],
  ["two million units", { prefix: half, suffix: half }],
  ["one line of 500 kB", { prefix: "x".repeat(500_000), suffix: "" }],
  ["10,000 levels in an unknown field", `{"prefix":"","suffix":"","x":${nested(10_000)}}`],
  ["a prototype", '{"prefix":"","suffix":"","__proto__":{"stream":true},"constructor":{}}'],
  ["unknown engine fields", { ...plain, n_discard: -1, logit_bias: {}, grammar: "root" }],
  ["nulls", { ...plain, stop: null, max_tokens: null, context: null }],
])("%s is legal.", async (_name, body) => {
  const answer = await postJson(served.port, "/v1/autocomplete", body);
  expect([answer.status, JSON.parse(answer.body).completion]).toEqual([200, "answer"]);
});

test.each([
  "application/json",
  "Application/JSON",
  "application/json; charset=utf-8",
  'application/json;charset="UTF-8"',
])("The content type %s is taken.", async (type) => {
  const answer = await httpCall(served.port, {
    method: "POST",
    path: "/v1/autocomplete",
    headers: { "content-type": type },
    body: JSON.stringify(plain),
  });
  expect(answer.status).toBe(200);
});

test("Random values are taken or refused with BAD_REQUEST, never anything else.", async () => {
  const field = fc.oneof(fc.jsonValue(), fc.string(), fc.integer(), fc.boolean());
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        prefix: fc.oneof(fc.string({ unit: "binary" }), field),
        suffix: fc.oneof(fc.string({ unit: "binary" }), field),
        path: field,
        language: field,
        max_tokens: field,
        temperature: field,
        stop: fc.oneof(fc.array(fc.string()), field),
        multiline: fc.oneof(fc.constantFrom("auto", "never"), field),
        trigger: fc.oneof(fc.constantFrom("invoked", "automatic"), field),
        session: field,
        version: field,
        stream: fc.boolean(),
        n: field,
        context: field,
        explain: field,
      },
      { requiredKeys: ["prefix", "suffix"] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        body.map((one) => JSON.stringify(one)),
        fc.string(),
      ),
      async (text) => {
        const answer = await postJson(served.port, "/v1/autocomplete", text);
        expect([200, 400]).toContain(answer.status);
        if (answer.status === 400) expect(JSON.parse(answer.body).error.code).toBe("BAD_REQUEST");
      },
    ),
    { numRuns: 300 },
  );
  await expectStillServing();
});

test("A body shorter than its length is refused once the client stops sending.", async () => {
  const head = `POST /v1/autocomplete HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n`;
  const received = await rawExchange(
    served.port,
    `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"prefix": "a`,
    { end: true },
  );
  expect(received).toContain("HTTP/1.1 400 Bad Request");
  expect(received).toContain('"code":"BAD_REQUEST"');
  await expectStillServing();
});

test("A body over the limit is refused by its announced length, before it arrives.", async () => {
  const head = `POST /v1/autocomplete HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n`;
  const received = await rawExchange(
    served.port,
    `${head}Connection: close\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n{`,
    { end: false },
  );
  expect(received).toContain("HTTP/1.1 413 Payload Too Large");
  await expectStillServing();
});

test.each([
  ["what is not HTTP", "hello\r\n\r\n", "the request is not HTTP/1.1 (Invalid method"],
  [
    "a control character in a header",
    "GET / HTTP/1.1\r\nHost: a\u0001b\r\n\r\n",
    "(Invalid header value char); check the client and its address",
  ],
  [
    "a head over 16 kB",
    `GET / HTTP/1.1\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
    "the head of the request is over 16.4 kB; send shorter headers or fewer",
  ],
  [
    "two lengths",
    "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "the request is not HTTP/1.1 (Duplicate Content-Length)",
  ],
  ["the start of HTTPS", "\u0016\u0003\u0001\u0002", "this port speaks HTTP, not HTTPS"],
  [
    "an address that cannot be decoded",
    "GET /%zz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    "the address cannot be decoded; a percent sign",
  ],
])("%s is answered in the shape of all errors, with what to do.", async (_name, bytes, says) => {
  const received = await rawExchange(served.port, bytes, { end: false });
  expect(received).toContain("HTTP/1.1 400 Bad Request");
  expect(JSON.parse(received.slice(received.indexOf("\r\n\r\n")))).toEqual({
    error: { code: "BAD_REQUEST", message: expect.stringContaining(says), retryable: false },
  });
  await expectStillServing();
});

test("An expectation that nobody knows is passed over.", async () => {
  const head = `POST /v1/autocomplete HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n`;
  const body = JSON.stringify(plain);
  const received = await rawExchange(
    served.port,
    `${head}Expect: wonders\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    { end: false },
  );
  expect(received).toContain("HTTP/1.1 200 OK");
});

test("A client that sends its head or its body too slowly is cut off.", async () => {
  const slow = await startServed({ limits: { headersTimeoutMs: 20, requestTimeoutMs: 20 } });
  onTestFinished(() => slow.server.close());
  const head = `POST /v1/autocomplete HTTP/1.1\r\nHost: 127.0.0.1:${slow.port}\r\n`;
  const rest = "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
  for (const bytes of [head, head + rest]) {
    const received = await rawExchange(slow.port, bytes, { end: false });
    expect(received).toContain("HTTP/1.1 400 Bad Request");
    expect(received).toContain("its head may take 0.02 s, all of it 0.02 s; send it again at once");
  }
  expect((await postJson(slow.port, "/v1/autocomplete", plain)).status).toBe(200);
});

test("Bodies that wait together are bounded: the largest gives way, small ones are answered.", async () => {
  const limits = { bodyBytes: 10_000, allBodiesBytes: 2_500, closeGraceMs: 1 };
  const bounded = await startServed({ limits });
  const head = `POST /v1/autocomplete HTTP/1.1\r\nHost: 127.0.0.1:${bounded.port}\r\n`;
  const slow = `${head}Connection: close\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n`;
  const answers = [900, 1_000, 1_100, 800].map((bytes) =>
    rawExchange(bounded.port, slow + " ".repeat(bytes), { end: false }),
  );
  // Two fit, whatever the order in which they come.
  const refused = await Promise.race(answers);
  expect(refused).toContain("HTTP/1.1 503 Service Unavailable");
  expect(refused).toContain("retry-after: 1");
  expect(refused).toContain("the bodies of all requests hold over 2.5 kB together");
  expect((await postJson(bounded.port, "/v1/autocomplete", plain)).status).toBe(200);
  await bounded.server.close();
  await Promise.allSettled(answers);
});

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}
