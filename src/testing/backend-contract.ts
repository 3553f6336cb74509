/** What every backend must do, whatever it speaks: one suite against a scripted server. */
import { inspect } from "node:util";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type Backend,
  type BackendCapabilities,
  type BackendEvent,
  type BackendRequest,
  CompletionError,
  type ErrorCode,
  type HttpClient,
} from "../core/index.ts";
import { type ClosableHttpClient, createHttpClient } from "../host/http-client.ts";
import { all, expectSentence, fieldNames, requestFor, source, textOf } from "./backend-calls.ts";
import type { BackendDialect, WireAnswer } from "./backend-dialect.ts";
import { type RecordedRequest, ScriptedServer, type WireReply } from "./scripted-server.ts";

/** Capabilities that may be absent; each is named by the test of its adapter. */
export type OptionalCapability = keyof Omit<
  BackendCapabilities,
  "fim" | "contextTokens" | "maxStops"
>;

export interface ContractOptions {
  readonly dialect: BackendDialect;
  /** By name, so that a new capability is a decision for each adapter. */
  readonly notSupported: readonly OptionalCapability[];
}

const optional: readonly OptionalCapability[] = [
  "logProbabilities",
  "cachedTokens",
  "forcedPrefix",
  "grammar",
  "priority",
  "cacheSalt",
  "tokenize",
];

const key = "sk-test-0123456789abcdef";
const good: WireAnswer = { pieces: ["foo", "(bar)"], finishReason: "stop" };
const begun: WireAnswer = { ...good, finishReason: null };

/** Runs the contract for one adapter. `make` gets the server's address and a real HTTP client. */
export function describeBackendContract(
  name: string,
  make: (connection: {
    readonly url: string;
    readonly http: HttpClient;
    readonly apiKey: string;
  }) => Backend,
  { dialect, notSupported }: ContractOptions,
): void {
  describe(`${name} obeys the contract of backends`, () => {
    let server: ScriptedServer;
    let http: ClosableHttpClient;
    let backend: Backend;
    let completion: (request: RecordedRequest) => WireReply;

    beforeAll(async () => {
      server = await ScriptedServer.start((request) =>
        request.path === dialect.path ? completion(request) : (side(request) ?? notFound),
      );
      http = createHttpClient({ isOffline: true });
      backend = make({ url: server.url, http, apiKey: key });
    });
    afterEach(() => {
      server.requests.length = 0;
    });
    afterAll(async () => {
      await http.close();
      await server.close();
    });

    const side = (request: RecordedRequest): WireReply | null => {
      if (dialect.side?.(request)) return dialect.side(request);
      return request.method === "GET" ? ok(dialect.models(["first", "second"]), json) : null;
    };
    const ok = (body: string | Uint8Array, contentType = dialect.contentType): WireReply => ({
      headers: { "content-type": contentType },
      steps: [{ kind: "write", bytes: body }],
    });
    const completions = (): readonly RecordedRequest[] =>
      server.requests.filter(({ path }) => path === dialect.path);
    const run = (
      changes: Partial<BackendRequest> = {},
      signal: AbortSignal = new AbortController().signal,
    ): Promise<BackendEvent[]> => all(backend.complete(requestFor(backend, changes), { signal }));
    const failure = async (changes: Partial<BackendRequest> = {}): Promise<CompletionError> => {
      const error = await run(changes).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(CompletionError);
      return error as CompletionError;
    };

    it("declares what it cannot do", () => {
      expect(optional.filter((capability) => !backend.capabilities[capability])).toEqual(
        [...notSupported].sort((a, b) => optional.indexOf(a) - optional.indexOf(b)),
      );
      expect(backend.countTokens !== undefined).toBe(backend.capabilities.tokenize);
    });

    it("streams text in order and ends with one done and the counted tokens", async () => {
      completion = () => ok(dialect.answer(good));
      const events = await run();
      expect(textOf(events)).toBe("foo(bar)");
      expect(events.filter(({ kind }) => kind === "done")).toEqual([
        { kind: "done", finishReason: "stop", usage: dialect.usage },
      ]);
      expect(events.at(-1)?.kind).toBe("done");
    });

    it("uses a connection again after an answer that came to its end", async () => {
      completion = () => ok(dialect.answer(good));
      await run();
      const before = server.connectionCount;
      for (let i = 0; i < 5; i++) await run();
      expect(server.connectionCount - before).toBeLessThanOrEqual(1);
    });

    it("gives the same text however the bytes are cut", async () => {
      const pieces = ["n = ", "„größe“", " 🚀\r\n", "\tx\u2028y"];
      const bytes = Buffer.from(dialect.answer({ pieces, finishReason: "stop" }), "utf8");
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
          const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
          completion = () => ({
            headers: { "content-type": dialect.contentType },
            steps: edges.slice(1).flatMap((end, i) => {
              const chunk = bytes.subarray(edges[i], end);
              return chunk.length === 0 ? [] : [{ kind: "write" as const, bytes: chunk }];
            }),
          });
          expect(textOf(await run())).toBe(pieces.join(""));
        }),
        { numRuns: 40 },
      );
      completion = () => ({
        headers: { "content-type": dialect.contentType },
        steps: [...bytes].map((byte) => ({ kind: "write", bytes: Uint8Array.of(byte) })),
      });
      expect(textOf(await run())).toBe(pieces.join(""));
    });

    it("takes an empty answer for what it is", async () => {
      completion = () => ok(dialect.answer({ pieces: [], finishReason: "stop" }));
      const events = await run();
      expect(events.map(({ kind }) => kind)).toEqual(["done"]);
    });

    it("says whether the token limit ended the text", async () => {
      completion = () => ok(dialect.answer({ ...good, finishReason: "length" }));
      expect((await run()).at(-1)).toMatchObject({ finishReason: "length" });
    });

    it("sends fields from its list only, and those that every request needs", async () => {
      completion = () => ok(dialect.answer(good));
      await run({
        stop: ["STOP"],
        priority: "prefetch",
        logProbabilities: true,
        forcedPrefix: "fo",
      });
      await run();
      const sent = completions().flatMap(({ body }) => fieldNames(JSON.parse(body)));
      expect(sent.filter((field) => !dialect.fields.includes(field))).toEqual([]);
      const [request] = completions();
      expect(request?.body).toContain("32");
      expect(request?.body).toContain("STOP");
      expect(request?.headers.authorization).toBe(`Bearer ${key}`);
    });

    it("cuts the text before a stop and hangs up, whatever the server does", async () => {
      completion = () => ({
        headers: { "content-type": dialect.contentType },
        steps: [
          {
            kind: "write",
            bytes: dialect.answer({ ...begun, pieces: ["foo", "<|e", "nd|>bar", "x"] }),
          },
          { kind: "hang" },
        ],
      });
      const events = await run({ stop: ["<|end|>"] });
      expect(textOf(events)).toBe("foo");
      expect(events.at(-1)).toMatchObject({ kind: "done", finishReason: "stop" });
      expect(await completions()[0]?.ended).toBe("aborted");
    });

    it("gives back text that only began like a stop", async () => {
      completion = () => ok(dialect.answer({ pieces: ["a <|", "e"], finishReason: "stop" }));
      expect(textOf(await run({ stop: ["<|end|>"] }))).toBe("a <|e");
    });

    it("closes the connection when the loop is left early", async () => {
      completion = () => ({
        headers: { "content-type": dialect.contentType },
        steps: [{ kind: "write", bytes: dialect.answer(begun) }, { kind: "hang" }],
      });
      const { signal } = new AbortController();
      for await (const event of backend.complete(requestFor(backend), { signal })) {
        expect(event.kind).toBe("text");
        break;
      }
      expect(await completions()[0]?.ended).toBe("aborted");
    });

    it("closes the connection and throws the reason when the signal aborts", async () => {
      const steps = [
        [{ kind: "hang" }],
        [{ kind: "write", bytes: dialect.answer(begun) }, { kind: "hang" }],
      ] as const;
      for (const script of steps) {
        server.requests.length = 0;
        const controller = new AbortController();
        const reason = new Error("typed on");
        completion = () => {
          setImmediate(() => controller.abort(reason));
          return { headers: { "content-type": dialect.contentType }, steps: script };
        };
        await expect(run({}, controller.signal)).rejects.toBe(reason);
        expect(await completions()[0]?.ended).toBe("aborted");
      }
    });

    it("sends nothing when the signal has aborted before", async () => {
      const reason = new Error("too late");
      await expect(run({}, AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(server.requests).toEqual([]);
    });

    it("stops reading an answer that does not end", async () => {
      completion = () => ({
        headers: { "content-type": dialect.contentType },
        steps: [
          {
            kind: "endless",
            bytes: dialect.answer({ ...begun, pieces: Array(50).fill("word ") }),
          },
        ],
      });
      const events = await run({ maxTokens: 8 });
      expect(events.at(-1)).toMatchObject({ kind: "done", finishReason: "length" });
      expect(textOf(events).length).toBeLessThan(500);
      expect(await completions()[0]?.ended).toBe("aborted");
    });

    it.each(statusCodes)("maps the status %d to %s", async (status, code) => {
      completion = () => ({
        status,
        headers: { "content-type": json, location: "http://elsewhere.example/x?token=1" },
        steps: [{ kind: "write", bytes: JSON.stringify({ error: { message: "it went wrong" } }) }],
      });
      const error = await failure();
      expect(error.code).toBe(code);
      expectSentence(error, server.url);
      expect(completions()).toHaveLength(1);
    });

    it("never shows the key or the prompt, whatever the server says", async () => {
      for (const [status] of [...statusCodes, [200] as const]) {
        const message = `wrong key ${key} for ${source}`;
        completion = () =>
          status === 200
            ? ok(dialect.brokenAnswer("foo", message))
            : { status, steps: [{ kind: "write", bytes: JSON.stringify({ error: message }) }] };
        const shown = inspect(await failure(), { depth: 8, showHidden: true });
        expect(shown).not.toContain(key);
        expect(shown).not.toContain("secretRecipe");
      }
    });

    it("tells a web page, rubbish and silence from an answer", async () => {
      for (const reply of [
        ok("<!doctype html><title>Welcome</title>", "text/html; charset=utf-8"),
        ok("<!doctype html><title>Welcome</title>"),
        ok("data: {not json}\n\n{not json}\n"),
        ok(""),
        ok(dialect.contentType.includes("event-stream") ? 'data: {"a":1}\n\n' : '{"a":1}\n'),
        ok('{"choices":null}', json),
      ]) {
        completion = () => reply;
        const error = await failure();
        expect(error.code).toBe("BACKEND_BAD_RESPONSE");
        expectSentence(error, server.url);
      }
    });

    it("reports an error that comes after the status 200", async () => {
      completion = () => ok(dialect.brokenAnswer("foo", "out of memory"));
      const error = await failure();
      expect(error.code).toBe("BACKEND_REFUSED");
      expect(error.message).toContain("out of memory");
    });

    it("tries once more when the connection is reset before the first byte", async () => {
      completion = () =>
        completions().length === 1 ? { steps: [{ kind: "reset" }] } : ok(dialect.answer(good));
      expect(textOf(await run())).toBe("foo(bar)");
      expect(completions()).toHaveLength(2);
    });

    it("gives up when it is reset again, and at once in the middle of an answer", async () => {
      completion = () => ({ steps: [{ kind: "reset" }] });
      expect((await failure()).code).toBe("BACKEND_UNREACHABLE");
      expect(completions()).toHaveLength(2);

      server.requests.length = 0;
      completion = () => ({
        headers: { "content-type": dialect.contentType },
        steps: [{ kind: "write", bytes: dialect.answer(begun) }, { kind: "reset" }],
      });
      const error = await failure();
      expect(error.code).toBe("BACKEND_UNREACHABLE");
      expectSentence(error, server.url);
      expect(completions()).toHaveLength(1);
    });

    it("tells a server that speaks no HTTP", async () => {
      completion = () => ({ steps: [{ kind: "raw", bytes: "220 mail.example ESMTP\r\n" }] });
      const error = await failure();
      expect(error.code).toBe("BACKEND_BAD_RESPONSE");
      expectSentence(error, server.url);
    });

    it("tells a server that is not there", async () => {
      const gone = await ScriptedServer.start(() => notFound);
      const { url } = gone;
      await gone.close();
      const { signal } = new AbortController();
      const lost = make({ url, http, apiKey: key });
      const error = await all(lost.complete(requestFor(lost), { signal })).catch(
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ code: "BACKEND_UNREACHABLE" });
      expectSentence(error as CompletionError, url);
    });

    it("lists the models of the server", async () => {
      const { signal } = new AbortController();
      expect(await backend.listModels({ signal })).toContain("first");
    });

    if (!notSupported.includes("logProbabilities")) {
      it("passes the log-probabilities on, one sum for each piece", async () => {
        completion = () => ok(dialect.answer({ ...good, logProbabilities: [-0.5, -1.25] }));
        const events = await run({ logProbabilities: true });
        expect(events.slice(0, 2)).toEqual([
          { kind: "text", text: "foo", logProbability: -0.5 },
          { kind: "text", text: "(bar)", logProbability: -1.25 },
        ]);
      });
    }
  });
}

const json = "application/json";
const notFound: WireReply = {
  status: 404,
  headers: { "content-type": json },
  steps: [{ kind: "write", bytes: '{"detail":"Not Found"}' }],
};

const statusCodes: readonly (readonly [number, ErrorCode])[] = [
  [307, "BACKEND_BAD_RESPONSE"],
  [400, "BACKEND_REFUSED"],
  [401, "BACKEND_UNAUTHORIZED"],
  [403, "BACKEND_UNAUTHORIZED"],
  [404, "BACKEND_REFUSED"],
  [408, "BACKEND_TIMEOUT"],
  [413, "BACKEND_REFUSED"],
  [422, "BACKEND_REFUSED"],
  [429, "BACKEND_RATE_LIMITED"],
  [500, "BACKEND_REFUSED"],
  [502, "BACKEND_UNREACHABLE"],
  [503, "BACKEND_OVERLOADED"],
  [504, "BACKEND_TIMEOUT"],
];
