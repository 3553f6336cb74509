/**
 * What a model server goes on doing after nobody needs it: how soon its slot is idle once the caller
 * of our server is gone, and how many tokens it generates after the text was final.
 */
import { percentile } from "../stats/summary.ts";
import {
  autocomplete,
  callOf,
  type InferenceGateway,
  readSlots,
  until,
} from "./inference-gateway.ts";
import type { TypingSession } from "./key-replay.ts";

export interface AbortReport {
  readonly tries: number;
  /** From the closed connection to the idle slot, while the model writes. */
  readonly decodingIdleMs: { readonly p50: number; readonly max: number };
  /** The same while it reads the prompt, and the time of one batch of it. */
  readonly prefillIdleMs: { readonly p50: number; readonly max: number };
  readonly batchMs: number;
  /** Batches that were evaluated after the connection was closed. */
  readonly batchesAfter: { readonly p50: number; readonly max: number };
  /** Tokens evaluated or generated after the text of one line was final. */
  readonly tokensAfterFinal: { readonly p50: number; readonly max: number };
  /** Of all tokens of those answers, prompts left out, the share after the text was final. */
  readonly wastedShare: number;
}

export interface AbortOptions {
  readonly gateway: InferenceGateway;
  readonly serverUrl: string;
  /** Each makes one question of every kind. */
  readonly sessions: readonly TypingSession[];
  readonly batchTokens: number;
  readonly onProgress: (done: number, total: number) => void;
}

const WAIT_MS = 60_000;
/** The same for every question, so that all have the same prompt. */
const MAX_TOKENS = 200;

/** One question after the other on an otherwise idle server. */
export async function measureAborts(options: AbortOptions): Promise<AbortReport> {
  const { gateway, serverUrl, sessions, batchTokens, onProgress } = options;
  const { meter } = gateway;
  const decoding: number[] = [];
  const prefill: number[] = [];
  const batches: number[] = [];
  const after: number[] = [];
  const batchesAfter: number[] = [];
  let generated = 0;
  for (const [i, session] of sessions.entries()) {
    onProgress(i, sessions.length);
    const question = questionOf(session, i);
    // A prompt that no slot has seen: gone while it is read.
    const startedAt = performance.now();
    const idle = await closeWhen(options, { ...question, multiline: "always" }, () => {
      const { promptTokens, generatedTokens } = callOf(meter);
      return promptTokens > 0 || generatedTokens > 0;
    });
    const read = callOf(meter);
    // What is evaluated before the first sign of life is one batch.
    batches.push(
      ((idle.closedAt - startedAt) * batchTokens) / Math.max(batchTokens, read.promptTokens),
    );
    prefill.push(idle.ms);
    batchesAfter.push(idle.tokensAfter / batchTokens);

    const later = await closeWhen(options, { ...question, multiline: "always" }, () => {
      return callOf(meter).generatedTokens >= 3 || callOf(meter).isFinished;
    });
    if (!callOf(meter).isFinished) decoding.push(later.ms);

    meter.take();
    await autocomplete(
      gateway,
      { ...question, multiline: "never", maxTokens: MAX_TOKENS },
      { signal: new AbortController().signal },
    );
    const line = callOf(meter);
    const seen = line.promptTokens + line.cachedTokens + line.generatedTokens;
    await until(
      async () => (await readSlots(serverUrl)).every((slot) => !slot.isProcessing),
      WAIT_MS,
    );
    const [slot] = await readSlots(serverUrl);
    generated += line.generatedTokens;
    // The last token that was generated is not in the cache.
    after.push(Math.max(0, (slot?.tokens ?? 0) + 1 - seen));
    meter.take();
  }
  const spent = after.reduce((sum, tokens) => sum + tokens, 0);
  return {
    tries: sessions.length,
    decodingIdleMs: { p50: percentile(decoding, 0.5), max: percentile(decoding, 1) },
    prefillIdleMs: { p50: percentile(prefill, 0.5), max: percentile(prefill, 1) },
    batchMs: percentile(batches, 0.5),
    batchesAfter: { p50: percentile(batchesAfter, 0.5), max: percentile(batchesAfter, 1) },
    tokensAfterFinal: { p50: percentile(after, 0.5), max: percentile(after, 1) },
    wastedShare: spent / (generated + spent),
  };
}

/** Asks, closes the connection when `isTime`, and waits until the slot is idle. */
async function closeWhen(
  { gateway, serverUrl }: AbortOptions,
  question: Omit<Parameters<typeof autocomplete>[1], "maxTokens">,
  isTime: () => boolean,
): Promise<{ readonly ms: number; readonly closedAt: number; readonly tokensAfter: number }> {
  const controller = new AbortController();
  gateway.meter.take();
  const answer = autocomplete(
    gateway,
    { ...question, maxTokens: MAX_TOKENS },
    { signal: controller.signal },
  ).catch(() => "");
  await until(() => gateway.meter.latest !== null && isTime(), WAIT_MS);
  const closedAt = performance.now();
  const { promptTokens, cachedTokens, generatedTokens } = callOf(gateway.meter);
  controller.abort();
  await until(
    async () => (await readSlots(serverUrl)).every((slot) => !slot.isProcessing),
    WAIT_MS,
  );
  const ms = performance.now() - closedAt;
  await answer;
  const [slot] = await readSlots(serverUrl);
  const before = promptTokens + cachedTokens + generatedTokens;
  return { ms, closedAt, tokensAfter: Math.max(0, (slot?.tokens ?? 0) - before) };
}

/** Where the session's writing begins: after its first few keys, inside of a line. */
function questionOf(
  session: TypingSession,
  number: number,
): Omit<Parameters<typeof autocomplete>[1], "maxTokens" | "multiline"> {
  const offset = session.keys[0]?.edit?.start ?? 0;
  return {
    prefix: session.text.slice(0, offset),
    suffix: session.text.slice(offset),
    path: `${number}/${session.file.path}`,
    mark: "~~abort~~",
  };
}
