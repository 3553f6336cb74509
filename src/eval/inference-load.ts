/**
 * Ten editors at once: the same prompts through our server and straight to the model server, in turn
 * and in pairs, on warm caches, so that the difference is what we add.
 */
import { percentile } from "../stats/summary.ts";
import { autocomplete, callOf, type InferenceGateway } from "./inference-gateway.ts";
import type { TypingSession } from "./key-replay.ts";

export interface LoadReport {
  readonly editors: number;
  readonly requests: number;
  readonly gateway: WaySpeed;
  readonly straight: WaySpeed;
  /** Time to the first token through our server less that of its pair. */
  readonly addedMs: { readonly p50: number; readonly p95: number };
}

/** Figures of one way. */
export interface WaySpeed {
  readonly firstTokenMs: { readonly p50: number; readonly p95: number };
  readonly requestsPerSecond: number;
}

export interface LoadOptions {
  readonly gateway: InferenceGateway;
  readonly serverUrl: string;
  /** One per editor. */
  readonly sessions: readonly TypingSession[];
  readonly rounds: number;
  readonly onProgress: (done: number, total: number) => void;
}

const MAX_TOKENS = 16;

/**
 * Each editor asks at its own pace: one prompt to fill the cache, then the same through our server and
 * straight, in an order that alternates. Then each way alone, for the requests per second.
 */
export async function measureLoad(options: LoadOptions): Promise<LoadReport> {
  const { gateway, serverUrl, sessions, rounds, onProgress } = options;
  const questions = sessions.map((session, editor) =>
    Array.from({ length: rounds }, (_, round) => questionAt(session, editor, round)),
  );
  const asked: Asked[][] = [];
  for (const list of questions) {
    const bodies: Asked[] = [];
    for (const question of list) {
      gateway.meter.take();
      await autocomplete(gateway.url, question, { signal: new AbortController().signal });
      bodies.push({ question, body: callOf(gateway.meter).body });
    }
    asked.push(bodies);
  }
  gateway.meter.take();
  const pairs: { readonly through: number; readonly straight: number }[] = [];
  await Promise.all(
    asked.map(async (list, editor) => {
      for (const [round, one] of list.entries()) {
        await firstTokenMs(serverUrl, one.body);
        const isFirst = (editor + round) % 2 === 0;
        const before = isFirst ? null : await firstTokenMs(serverUrl, one.body);
        const through = await askThrough(gateway, one);
        const straight = before ?? (await firstTokenMs(serverUrl, one.body));
        pairs.push({ through, straight });
        onProgress(pairs.length, sessions.length * rounds);
      }
    }),
  );
  const perSecond = async (ask: (one: Asked) => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await Promise.all(
      asked.map(async (list) => {
        for (const one of list) await ask(one);
      }),
    );
    return (1_000 * pairs.length) / (performance.now() - startedAt);
  };
  const gatewayRate = await perSecond((one) => askThrough(gateway, one));
  const straightRate = await perSecond(({ body }) => firstTokenMs(serverUrl, body));
  const of = (times: readonly number[]): { readonly p50: number; readonly p95: number } => ({
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  });
  return {
    editors: sessions.length,
    requests: pairs.length,
    gateway: {
      firstTokenMs: of(pairs.map(({ through }) => through)),
      requestsPerSecond: gatewayRate,
    },
    straight: {
      firstTokenMs: of(pairs.map(({ straight }) => straight)),
      requestsPerSecond: straightRate,
    },
    addedMs: of(pairs.map(({ through, straight }) => through - straight)),
  };
}

type Question = Parameters<typeof autocomplete>[1];

/** A question and what our server makes of it. */
interface Asked {
  readonly question: Question;
  readonly body: string;
}

/** Milliseconds to the first token behind our server. */
async function askThrough({ url, meter }: InferenceGateway, one: Asked): Promise<number> {
  const startedAt = performance.now();
  await autocomplete(url, one.question, { signal: new AbortController().signal });
  const call = meter.lastWith(one.body);
  return (call?.firstTokenAt ?? performance.now()) - startedAt;
}

/** The same body straight to the model server, read to its end. */
async function firstTokenMs(serverUrl: string, body: string): Promise<number> {
  const startedAt = performance.now();
  const reply = await fetch(`${serverUrl}/completion`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const decoder = new TextDecoder();
  let firstAt: number | null = null;
  if (reply.body === null) throw new Error("an answer without a body");
  for await (const bytes of reply.body) {
    const text = decoder.decode(bytes, { stream: true });
    if (/"predicted_n":[1-9]/.test(text)) firstAt ??= performance.now();
  }
  return (firstAt ?? performance.now()) - startedAt;
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
    multiline: "never",
    maxTokens: MAX_TOKENS,
  };
}
