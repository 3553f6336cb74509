import { expect, test } from "vitest";
import type { HttpClient, HttpRequest } from "../core/index.ts";
import { InferenceMeter } from "./inference-meter.ts";

const first =
  'data: {"content":"","timings":{"cache_n":7,"prompt_n":3,"prompt_ms":1.5,"predicted_n":0}}\n\n';
const token =
  'data: {"content":"a","timings":{"cache_n":7,"prompt_n":3,"prompt_ms":1.5,"predicted_n":2}}\n\n';
const last =
  'data: {"content":"","stop":true,"timings":{"cache_n":7,"prompt_n":3,"predicted_n":4}}\n\n';

/** Streams a text in pieces of a few bytes. */
function streaming(text: string, sent: HttpRequest[]): HttpClient {
  return {
    async send(request) {
      sent.push(request);
      async function* body(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < text.length; at += 7) yield Buffer.from(text.slice(at, at + 7));
      }
      return { status: 200, headers: {}, body: body() };
    },
  };
}

const call = (url: string): HttpRequest => ({ method: "POST", url, headers: {}, body: '{"a":1}' });
const options = { signal: new AbortController().signal };

test("A meter reads the server's own counts, wherever the stream is cut.", async () => {
  const sent: HttpRequest[] = [];
  const meter = new InferenceMeter(streaming(first + token + last, sent));
  for await (const _ of (await meter.send(call("http://a/completion"), options)).body);
  expect(sent[0]?.body).toBe('{"a":1,"timings_per_token":true}');
  expect(meter.lastWith(sent[0]?.body ?? "")).toBe(meter.latest);
  expect(meter.take()).toMatchObject([
    { promptTokens: 3, cachedTokens: 7, generatedTokens: 4, isFinished: true },
  ]);
  expect(meter.take()).toEqual([]);
});

test("A stream that is left keeps what was seen until then.", async () => {
  const meter = new InferenceMeter(streaming(first + token + last, []));
  let bytes = 0;
  for await (const chunk of (await meter.send(call("http://a/infill"), options)).body) {
    bytes += chunk.length;
    if (bytes >= first.length + token.length) break;
  }
  expect(meter.take()).toMatchObject([{ generatedTokens: 2, isFinished: false }]);
});

test("Other requests pass unchanged and uncounted.", async () => {
  const sent: HttpRequest[] = [];
  const meter = new InferenceMeter(streaming("{}", sent));
  await meter.send(call("http://a/tokenize"), options);
  expect([sent[0]?.body, meter.latest]).toEqual(['{"a":1}', null]);
});
