/**
 * Editors at once: the same prompts straight to the model server, through our server and through a
 * bare relay, each in a process of its own, in turn and in pairs, on warm caches. So the difference is
 * what we add, and what any process in between adds on this machine stands beside it.
 */
import type { HttpClient } from "../core/index.ts";
import { percentile } from "../stats/summary.ts";
import { autocomplete, type InferenceGateway, postJson } from "./inference-gateway.ts";
import type { TypingSession } from "./key-replay.ts";
import { cpuMs } from "./machine.ts";

export interface LoadReport {
  /** One editor after the other, and all at once. */
  readonly alone: CrowdSpeed;
  readonly crowd: CrowdSpeed;
  /** Of all editors at once, each way by itself. */
  readonly requestsPerSecond: Readonly<Record<WayName, number>>;
}

/** In the order in which they stand in tables. */
export const wayNames = ["gateway", "relay", "straight"] as const;
export type WayName = (typeof wayNames)[number];

/** Figures of so many editors that ask at the same time. */
export interface CrowdSpeed {
  readonly editors: number;
  readonly requests: number;
  readonly ways: Readonly<Record<WayName, WaySpeed>>;
  /** What a way took beyond the straight one of the same prompt. */
  readonly added: Readonly<Record<"gateway" | "relay", WaySpeed>>;
  /** Processor time for each request that a process saw; `null` where the system does not say. */
  readonly cpuMs: Readonly<Record<"callers" | "gateway" | "relay" | "server", number | null>>;
  /** Prompts that did not have the same number of tokens through our server. */
  readonly differing: number;
}

/** To the first token, and to the whole text. */
export interface WaySpeed {
  readonly firstTokenMs: Spread;
  readonly textMs: Spread;
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
  /** Hands everything on to the model server. */
  readonly relay: ServedProcess;
  readonly server: ServedProcess;
  readonly http: HttpClient;
  /** One per editor. */
  readonly sessions: readonly TypingSession[];
  readonly rounds: number;
  readonly onProgress: (done: number, total: number) => void;
}

const MAX_TOKENS = 16;
/** Times that a way is gone through before anything counts. */
const WARM_UPS = 2;
/** A request that takes longer is a fault, and would stop the bench for ever. */
const LIMIT_MS = 60_000;

/**
 * Each editor asks at its own pace: one request straight to fill the cache, then the same on each way,
 * in an order that goes round. Then each way by itself, for the requests per second.
 */
export async function measureLoad(options: LoadOptions): Promise<LoadReport> {
  const { gateway, sessions, rounds, onProgress } = options;
  const passes = 2 + WARM_UPS * wayNames.length + 2;
  const total = passes * sessions.length * rounds;
  let done = 0;
  const onStep = (): void => onProgress(++done, total);
  const asked: (readonly Asked[])[] = [];
  for (const [editor, session] of sessions.entries()) {
    const questions = Array.from({ length: rounds }, (_, i) => questionAt(session, editor, i));
    const list: Asked[] = [];
    // What a document was asked before has a part in its prompts: each way goes through them twice.
    for (const [i, question] of [...questions, ...questions].entries()) {
      const one = await bodyOf(gateway, question);
      if (i >= rounds) list.push(one);
      onStep();
    }
    asked.push(list);
  }
  const ways = waysOf(options);
  // The first requests of a process are slower: its code is not compiled yet.
  for (const way of wayNames) {
    for (let i = 0; i < WARM_UPS; i++) {
      for (const one of asked.flat()) {
        await ways[way](one);
        onStep();
      }
    }
  }
  const alone = await measureCrowd([asked.flat()], ways, { ...options, onStep });
  const crowd = await measureCrowd(asked, ways, { ...options, onStep });
  const perSecond = async (way: WayName): Promise<number> => {
    const startedAt = performance.now();
    await Promise.all(
      asked.map(async (list) => {
        for (const one of list) await ways[way](one);
      }),
    );
    return (1_000 * crowd.requests) / (performance.now() - startedAt);
  };
  return {
    alone,
    crowd,
    requestsPerSecond: {
      gateway: await perSecond("gateway"),
      relay: await perSecond("relay"),
      straight: await perSecond("straight"),
    },
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
  /** 0: not known. */
  readonly tokens: number;
}

type Ways = Readonly<Record<WayName, (one: Asked) => Promise<Answered>>>;
type Turn = Readonly<Record<WayName, Answered>>;

function waysOf({ served, relay, server, http }: LoadOptions): Ways {
  return {
    gateway: ({ question }) => askThrough({ url: served.url, http }, question),
    relay: ({ body }) => askStraight({ url: relay.url, http }, body),
    straight: ({ body }) => askStraight({ url: server.url, http }, body),
  };
}

async function measureCrowd(
  lists: readonly (readonly Asked[])[],
  ways: Ways,
  options: Pick<LoadOptions, "served" | "relay" | "server"> & { readonly onStep: () => void },
): Promise<CrowdSpeed> {
  const { served, relay, server, onStep } = options;
  const turns: Turn[] = [];
  const cpuNow = async (): Promise<CrowdSpeed["cpuMs"]> => ({
    callers: cpuMs(),
    gateway: await served.cpuMs(),
    relay: await relay.cpuMs(),
    server: await server.cpuMs(),
  });
  const before = await cpuNow();
  await Promise.all(
    lists.map(async (list, editor) => {
      for (const [round, one] of list.entries()) {
        await ways.straight(one);
        const found: Partial<Record<WayName, Answered>> = {};
        for (let i = 0; i < wayNames.length; i++) {
          const way = wayNames[(editor + round + i) % wayNames.length] ?? "straight";
          found[way] = await ways[way](one);
        }
        const { gateway, relay: relayed, straight } = found;
        if (gateway === undefined || relayed === undefined || straight === undefined) continue;
        turns.push({ gateway, relay: relayed, straight });
        onStep();
      }
    }),
  );
  const after = await cpuNow();
  const requests = turns.length;
  const seen = (name: keyof CrowdSpeed["cpuMs"], each: number): number | null => {
    const start = before[name];
    const end = after[name];
    return start === null || end === null ? null : (end - start) / (each * requests);
  };
  // The request that fills the cache is seen by both ends, too.
  const everyWay = wayNames.length + 1;
  return {
    editors: lists.length,
    requests,
    ways: {
      gateway: speedOf(turns, ({ gateway }) => gateway),
      relay: speedOf(turns, (turn) => turn.relay),
      straight: speedOf(turns, ({ straight }) => straight),
    },
    added: {
      gateway: speedOf(turns, ({ gateway, straight }) => less(gateway, straight)),
      relay: speedOf(turns, (turn) => less(turn.relay, turn.straight)),
    },
    cpuMs: {
      callers: seen("callers", everyWay),
      gateway: seen("gateway", 1),
      relay: seen("relay", 1),
      server: seen("server", everyWay),
    },
    // Our server does not know the count of an answer that it left before the server's last event.
    differing: turns.filter(
      ({ gateway, straight }) => gateway.tokens > 0 && gateway.tokens !== straight.tokens,
    ).length,
  };
}

function speedOf(
  turns: readonly Turn[],
  of: (turn: Turn) => Pick<Answered, "firstMs" | "ms">,
): WaySpeed {
  const spread = (times: readonly number[]): Spread => ({
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  });
  const answers = turns.map(of);
  return {
    firstTokenMs: spread(answers.map(({ firstMs }) => firstMs)),
    textMs: spread(answers.map(({ ms }) => ms)),
  };
}

function less(one: Answered, other: Answered): Pick<Answered, "firstMs" | "ms"> {
  return { firstMs: one.firstMs - other.firstMs, ms: one.ms - other.ms };
}

async function bodyOf(gateway: InferenceGateway, question: Question): Promise<Asked> {
  await autocomplete(gateway, question, { signal: AbortSignal.timeout(LIMIT_MS) });
  const call = gateway.meter.lastWith(question.mark);
  if (call === null) throw new Error("the model server was not asked");
  // The meter asked for counts with each token, which our server does not.
  const { timings_per_token: _, ...body } = JSON.parse(call.body);
  return { question, body: JSON.stringify(body) };
}

/**
 * Our server answers when the text is final: what it spent on the text after the first token, by its
 * own clock, is taken off. The way back to the caller counts on every way.
 */
async function askThrough(
  gateway: Pick<InferenceGateway, "url" | "http">,
  question: Question,
): Promise<Answered> {
  const startedAt = performance.now();
  const text = await autocomplete(gateway, question, { signal: AbortSignal.timeout(LIMIT_MS) });
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

/** The same body to the model server, or to what hands it on, read to its end. */
async function askStraight(
  server: { readonly url: string; readonly http: HttpClient },
  body: string,
): Promise<Answered> {
  const startedAt = performance.now();
  const call = { url: `${server.url}/completion`, body };
  const signal = AbortSignal.timeout(LIMIT_MS);
  const decoder = new TextDecoder();
  let firstAt: number | null = null;
  let text = "";
  for await (const bytes of await postJson(server.http, call, { signal })) {
    text += decoder.decode(bytes, { stream: true });
    if (firstAt === null && /"content":"[^"]/.test(text)) firstAt = performance.now();
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
