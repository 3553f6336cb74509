/**
 * Ten editors at once: the same prompts through our server, in a process of its own, and straight to
 * the model server, in turn and in pairs, on warm caches, so that the difference is what we add.
 */
import { percentile } from "../stats/summary.ts";
import { autocomplete, type InferenceGateway } from "./inference-gateway.ts";
import type { TypingSession } from "./key-replay.ts";

export interface LoadReport {
  readonly editors: number;
  readonly requests: number;
  readonly gateway: WaySpeed;
  readonly straight: WaySpeed;
  /** Of our server less that of its pair: to the first token, and to the whole text. */
  readonly addedFirstMs: Spread;
  readonly addedMs: Spread;
  /** Processor time of our server for each request; `null` where it does not say. */
  readonly gatewayCpuMs: number | null;
  /** Pairs whose prompts did not have the same number of tokens. */
  readonly differing: number;
}

/** Figures of one way. */
export interface WaySpeed {
  readonly firstTokenMs: Spread;
  readonly textMs: Spread;
  readonly requestsPerSecond: number;
}

interface Spread {
  readonly p50: number;
  readonly p95: number;
}

/** A server in a process of its own. */
export interface ServedProcess {
  readonly url: string;
  /** Processor time so far; `null` where the system does not say. */
  cpuMs(): Promise<number | null>;
}

export interface LoadOptions {
  /** In this process: says what our server sends for a question. */
  readonly gateway: InferenceGateway;
  /** Our server as people run it. */
  readonly served: ServedProcess;
  readonly serverUrl: string;
  /** One per editor. */
  readonly sessions: readonly TypingSession[];
  readonly rounds: number;
  readonly onProgress: (done: number, total: number) => void;
}

const MAX_TOKENS = 16;

/**
 * Each editor asks at its own pace: one request straight to fill the cache, then the same through our
 * server and straight, in an order that alternates. Then each way alone, for the requests per second.
 */
export async function measureLoad(options: LoadOptions): Promise<LoadReport> {
  const { gateway, served, serverUrl, sessions, rounds, onProgress } = options;
  const servedUrl = served.url;
  const asked: (readonly Asked[])[] = [];
  for (const [editor, session] of sessions.entries()) {
    const questions = Array.from({ length: rounds }, (_, i) => questionAt(session, editor, i));
    // What a document was asked before has a part in its prompts: each way goes through them twice.
    for (const question of questions) await bodyOf(gateway, question);
    const list: Asked[] = [];
    for (const question of questions) list.push(await bodyOf(gateway, question));
    asked.push(list);
  }
  // The first requests of a process are slower, too: its code is not compiled yet.
  for (const list of asked) for (const one of list) await askThrough(servedUrl, one);
  const pairs: Pair[] = [];
  const cpuBefore = await served.cpuMs();
  await Promise.all(
    asked.map(async (list, editor) => {
      for (const [round, one] of list.entries()) {
        await askStraight(serverUrl, one);
        const isFirst = (editor + round) % 2 === 0;
        const before = isFirst ? null : await askStraight(serverUrl, one);
        const through = await askThrough(servedUrl, one);
        const straight = before ?? (await askStraight(serverUrl, one));
        pairs.push({ through, straight });
        onProgress(pairs.length, sessions.length * rounds);
      }
    }),
  );
  const cpuAfter = await served.cpuMs();
  const perSecond = async (ask: (one: Asked) => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await Promise.all(
      asked.map(async (list) => {
        for (const one of list) await ask(one);
      }),
    );
    return (1_000 * pairs.length) / (performance.now() - startedAt);
  };
  const gatewayRate = await perSecond((one) => askThrough(servedUrl, one));
  const straightRate = await perSecond((one) => askStraight(serverUrl, one));
  const of = (time: (pair: Pair) => number): Spread => {
    const times = pairs.map(time);
    return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
  };
  const cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  return {
    editors: sessions.length,
    requests: pairs.length,
    gateway: {
      firstTokenMs: of(({ through }) => through.firstMs),
      textMs: of(({ through }) => through.ms),
      requestsPerSecond: gatewayRate,
    },
    straight: {
      firstTokenMs: of(({ straight }) => straight.firstMs),
      textMs: of(({ straight }) => straight.ms),
      requestsPerSecond: straightRate,
    },
    addedFirstMs: of(({ through, straight }) => through.firstMs - straight.firstMs),
    addedMs: of(({ through, straight }) => through.ms - straight.ms),
    gatewayCpuMs: cpuMs === null ? null : cpuMs / pairs.length,
    // Our server does not know the count of an answer that it left before the server's last event.
    differing: pairs.filter(
      ({ through, straight }) => through.tokens > 0 && through.tokens !== straight.tokens,
    ).length,
  };
}

type Question = Parameters<typeof autocomplete>[1];

/** A question and what our server makes of it. */
interface Asked {
  readonly question: Question;
  readonly body: string;
}

/** From the request to its first token and to its whole text, and the tokens of its prompt. */
interface Answered {
  readonly firstMs: number;
  readonly ms: number;
  readonly tokens: number;
}

interface Pair {
  readonly through: Answered;
  readonly straight: Answered;
}

async function bodyOf({ url, meter }: InferenceGateway, question: Question): Promise<Asked> {
  await autocomplete(url, question, { signal: new AbortController().signal });
  const call = meter.lastWith(question.mark);
  if (call === null) throw new Error("the model server was not asked");
  return { question, body: call.body };
}

/**
 * Our server answers when the text is final: what it spent on the text after the first token, by its
 * own clock, is taken off. The way back to the caller counts in both.
 */
async function askThrough(url: string, { question }: Asked): Promise<Answered> {
  const startedAt = performance.now();
  const text = await autocomplete(url, question, { signal: new AbortController().signal });
  const ms = performance.now() - startedAt;
  const reply: {
    finish_reason: string;
    timings: { decode_ms: number };
    usage: { input_tokens: number };
  } = JSON.parse(text);
  // Only an answer that was read to its limit surely has the server's own count, not ours.
  const tokens = reply.finish_reason === "length" ? reply.usage.input_tokens : 0;
  return { ms, firstMs: ms - reply.timings.decode_ms, tokens };
}

/** The same body straight to the model server, read to its end. */
async function askStraight(serverUrl: string, { body }: Asked): Promise<Answered> {
  const startedAt = performance.now();
  const reply = await fetch(`${serverUrl}/completion`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const decoder = new TextDecoder();
  let firstAt: number | null = null;
  let text = "";
  if (reply.body === null) throw new Error("an answer without a body");
  for await (const bytes of reply.body) {
    text += decoder.decode(bytes, { stream: true });
    if (firstAt === null && /"predicted_n":[1-9]/.test(text)) firstAt = performance.now();
  }
  const end = performance.now();
  const [, cached, evaluated] =
    [...text.matchAll(/"timings":\{"cache_n":(\d+),"prompt_n":(\d+)/g)].at(-1) ?? [];
  const tokens = Number(cached) + Number(evaluated);
  return { firstMs: (firstAt ?? end) - startedAt, ms: end - startedAt, tokens };
}

/** Each editor has prompts of its own, by the path. */
function questionAt(session: TypingSession, editor: number, round: number): Question {
  const key = session.keys[Math.min(round * 3, session.keys.length - 1)];
  const offset = key?.edit?.start ?? key?.offset ?? 0;
  const start = session.keys[0]?.edit?.start ?? 0;
  const written = session.file.text.slice(start, offset);
  return {
    prefix: session.text.slice(0, start) + written,
    suffix: session.text.slice(start),
    path: `editor-${editor}/${session.file.path}`,
    mark: markOf(editor),
    multiline: "never",
    maxTokens: MAX_TOKENS,
  };
}

/** A stop string that no text contains: it tells an editor's requests from the others'. */
function markOf(editor: number): string {
  return `~~editor ${editor}~~`;
}
