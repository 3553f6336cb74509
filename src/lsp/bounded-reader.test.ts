import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedReader, MAX_MESSAGE_BYTES } from "./bounded-reader.ts";

interface Read {
  readonly messages: readonly unknown[];
  readonly error: unknown;
}

/** What a reader makes of the bytes until the stream ends. */
async function read(chunks: readonly Buffer[]): Promise<Read> {
  const stream = new PassThrough();
  const reader = new BoundedReader(stream);
  const messages: unknown[] = [];
  let error: unknown = null;
  reader.onError((fault) => {
    error ??= fault;
  });
  const closed = new Promise((resolve) => reader.onClose(() => resolve(null)));
  reader.listen((message) => void messages.push(message));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await closed;
  // The library hands out one message a turn of the loop, also after the end.
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
  return { messages, error };
}

function framed(value: unknown): string {
  const body = JSON.stringify(value);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

test("Any chunking of a stream gives the same messages, whatever their bodies look like.", async () => {
  const body = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constant("\r\n\r\nContent-Length: 9e99"),
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(body, { maxLength: 6 }), sizes, async (texts, cuts) => {
      const sent = texts.map((params, id) => ({
        jsonrpc: "2.0",
        id,
        method: "m",
        params: [params],
      }));
      const bytes = Buffer.from(sent.map(framed).join(""));
      const chunks: Buffer[] = [];
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = cuts[i % cuts.length] ?? 1;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(await read(chunks)).toEqual({ messages: sent, error: null });
    }),
    { numRuns: 50 },
  );
});

test.each([
  ["a length over the limit", `Content-Length: ${MAX_MESSAGE_BYTES + 1}\r\n\r\n{`],
  ["a length beyond all numbers", `content-length: ${"9".repeat(400)}\r\n\r\n{`],
  ["a header without an end", `X-Filler: ${"a".repeat(9_000)}`],
  ["such a header after a good message", `${framed({ id: 1 })}Content-Length: 99999999999\r\n\r\n`],
])("Ends the stream with a code, at once: %s.", async (_, text) => {
  const stream = new PassThrough();
  const reader = new BoundedReader(stream);
  const failed = new Promise((resolve) => reader.onError(resolve));
  const closed = new Promise((resolve) => reader.onClose(() => resolve(null)));
  reader.listen(() => {});
  // Nobody ends the stream: the client waits.
  stream.write(text);
  expect(await failed).toMatchObject({
    code: "BODY_TOO_LARGE",
    message: expect.stringMatching(/^a (message|header) of the client .*good-bye$/),
  });
  await closed;
});

test.each([
  ["a negative length", "Content-Length: -5\r\n\r\n{}"],
  ["lines that end in LF", "Content-Length: 2\n\n{}"],
  ["no length", "X: 1\r\n\r\n{}"],
])("Ends the stream at once after a header that is none: %s.", async (_, text) => {
  const stream = new PassThrough();
  const reader = new BoundedReader(stream);
  const failed = new Promise((resolve) => reader.onError(resolve));
  const closed = new Promise((resolve) => reader.onClose(() => resolve(null)));
  reader.listen(() => {});
  stream.write(text);
  expect(Object.getPrototypeOf(await failed)).toBe(Error.prototype);
  await closed;
});

test("A message at the limit is waited for.", async () => {
  const { error } = await read([Buffer.from(`Content-Length: ${MAX_MESSAGE_BYTES}\r\n\r\n{`)]);
  expect(error).toBe(null);
});
