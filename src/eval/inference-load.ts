/**
 * Ten editors at once: the same prompts through our server and straight to the model server, in turn
 * and in pairs, on warm caches, so that the difference is what we add.
 */
import { percentile } from "../stats/summary.ts";
import { autocomplete, type InferenceGateway } from "./inference-gateway.ts";
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
  const asked: Asked[][] = sessions.map(() => []);
  const pairs: { readonly through: number; readonly straight: number }[] = [];
  gateway.meter.take();
  await Promise.all(
    sessions.map(async (session, editor) => {
      for (let round = 0; round < rounds; round++) {
        const question = questionAt(session, editor, round);
        const { body } = await askThrough(gateway, question);
        asked[editor]?.push({ question, body });
        const isFirst = (editor + round) % 2 === 0;
        const before = isFirst ? null : await firstTokenMs(serverUrl, body);
        const { ms: through } = await askThrough(gateway, question);
        const straight = before ?? (await firstTokenMs(serverUrl, body));
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
  const gatewayRate = await perSecond(({ question }) => askThrough(gateway, question));
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

/** Milliseconds to the first token behind our server, and what was sent there. */
async function askThrough(
  { url, meter }: InferenceGateway,
  question: Question,
): Promise<{ readonly ms: number; readonly body: string }> {
  const startedAt = performance.now();
  await autocomplete(url, question, { signal: new AbortController().signal });
  const call = meter.lastWith(question.mark);
  if (call === null) throw new Error("the model server was not asked");
  return { ms: (call.firstTokenAt ?? performance.now()) - startedAt, body: call.body };
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
    mark: markOf(editor),
    multiline: "never",
    maxTokens: MAX_TOKENS,
  };
}

/** A stop string that no text contains: it tells an editor's requests from the others'. */
function markOf(editor: number): string {
  return `~~editor ${editor}~~`;
}
