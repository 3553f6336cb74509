/**
 * Typing replayed through the engine in front of a real model server, key by key, and the same keys
 * in two other ways: a window that slides with the cursor, and whole lines through `/infill` as the
 * editors' plugins of llama.cpp send them. What counts is what the server says that it evaluated.
 */
import { appendFile } from "node:fs/promises";
import { TextBuffer } from "../base/text-buffer.ts";
import {
  type Backend,
  type Clock,
  type FimFormat,
  type HttpClient,
  languageOfPath,
  nextWindow,
  type PromptWindow,
  promptBudget,
  promptTokenCounter,
} from "../core/index.ts";
import { type Engine, type EngineRequest, type EngineResult, requestFor } from "../engine/index.ts";
import { mean, percentile } from "../stats/summary.ts";
import { readAnswerLines } from "./answer-lines.ts";
import type { InferenceMeter, MeteredCall } from "./inference-meter.ts";
import type { TypingSession } from "./key-replay.ts";
import { plainRequest } from "./plain-prompt.ts";
import { rowOf } from "./run/json-lines.ts";
import { slidingWindow } from "./sliding-window.ts";

/** What the server did during one replay. */
export interface ReplayCounts {
  readonly name: string;
  readonly keys: number;
  readonly requests: number;
  /** Keys that sent a request; those that were made ahead are not in it. `null`: every key sends one. */
  readonly askedKeys: number | null;
  /** Requests that were left before the server had finished by itself. */
  readonly leftEarly: number;
  /** Prompt tokens evaluated per request. */
  readonly newTokens: { readonly median: number; readonly p95: number; readonly mean: number };
  /** Evaluated beyond the tokens of the suffix, median; only where every prompt has its suffix last. */
  readonly beyondSuffix: number | null;
  /** Of all prompt tokens, the share that was in the cache. */
  readonly cachedShare: number;
  /** Prompt tokens evaluated per key. */
  readonly promptTokensPerKey: number;
  readonly generatedTokensPerKey: number;
  /** Keys by where their text came from; a key without text counts under its reason. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Share of all evaluated and generated tokens that were spent on requests whose text nobody saw. */
  readonly wastedShare: number;
}

/** The replays that were kept, by id; none without a file. */
export async function keptReplays(file: string | null): Promise<ReadonlyMap<string, ReplayCounts>> {
  const rows = file === null ? [] : await readAnswerLines(file, readKept);
  return new Map(rows.map((row) => [row.id, row]));
}

const readKept = rowOf<ReplayCounts & { readonly id: string }>({
  id: "string",
  name: "string",
  keys: "number",
  requests: "number",
  askedKeys: "number?",
  leftEarly: "number",
  newTokens: { median: "number", p95: "number", mean: "number" },
  beyondSuffix: "number?",
  cachedShare: "number",
  promptTokensPerKey: "number",
  generatedTokensPerKey: "number",
  outcomes: "numbers",
  wastedShare: "number",
});

/** Keeps a finished replay. */
export async function keepReplay(
  file: string | null,
  row: ReplayCounts & { readonly id: string },
): Promise<void> {
  if (file !== null) await appendFile(file, `${JSON.stringify(row)}\n`);
}

/** The parts of a replay. */
export interface ReplayParts {
  readonly meter: InferenceMeter;
  readonly sessions: readonly TypingSession[];
  readonly maxTokens: number;
}

/** A request on every key: each is awaited, and nothing that was answered before is used again. */
export async function replayEveryKey(
  name: string,
  parts: ReplayParts & { readonly engine: Engine },
): Promise<ReplayCounts> {
  const { engine, maxTokens } = parts;
  const tally = await tallied(name, parts, async (session, s, tally) => {
    for (const request of openSession(engine, session, s)) {
      const result = await engine.complete(
        { ...request, trigger: "invoked", multiline: "never", maxTokens },
        neverAborted(),
      );
      tally.key(outcomeOf(result));
    }
    // The first request of a file evaluates the whole prompt, whatever the way.
    tally.add(parts.meter.take().slice(1));
  });
  return tally.counts();
}

/**
 * As an editor asks: the request of the last key is given up, and the engine uses what it knows. Keys
 * come at `keyMs` of `clock`, whether an answer is there or not.
 */
export async function replayWithReuse(
  name: string,
  parts: ReplayParts & { readonly engine: Engine; readonly clock: Clock; readonly keyMs: number },
): Promise<ReplayCounts> {
  const { engine, meter, maxTokens, clock, keyMs } = parts;
  const tally = await tallied(name, parts, async (session, s, tally) => {
    let controller = new AbortController();
    const answers: Promise<void>[] = [];
    for (const request of openSession(engine, session, s)) {
      controller.abort(new Error("the next key"));
      controller = new AbortController();
      const asked = { ...request, trigger: "automatic", multiline: "never", maxTokens } as const;
      const answer = engine.complete(asked, { signal: controller.signal });
      const failed = (): void => tally.key("failed");
      answers.push(answer.then((result) => tally.key(outcomeOf(result)), failed));
      await new Promise<void>((resolve) => void clock.after(keyMs, resolve));
    }
    await Promise.all(answers);
    tally.add(meter.take().slice(1));
  });
  return { ...tally.counts(), askedKeys: engine.modelUse?.asked ?? 0 };
}

/**
 * Each file is typed until the model is asked for the first time; that request counts. Where the engine
 * has a prompt read ahead, that happens before.
 */
export async function replayFirstRequests(
  name: string,
  parts: ReplayParts & { readonly engine: Engine },
): Promise<ReplayCounts> {
  const { engine, meter, maxTokens } = parts;
  const tally = await tallied(name, parts, async (session, s, tally) => {
    for (const request of openSession(engine, session, s)) {
      const result = await engine.complete(
        { ...request, trigger: "automatic", multiline: "never", maxTokens },
        neverAborted(),
      );
      // What is only read ahead asks for a single token.
      const asked = meter.take().filter(({ body }) => !body.includes('"n_predict":1,'));
      if (asked.length === 0) continue;
      tally.key(outcomeOf(result));
      tally.add(asked.slice(0, 1));
      break;
    }
  });
  return tally.counts();
}

/**
 * Prefix, suffix, middle on every key, as clients without our increments send them. `sliding`: the
 * last and the next tokens around the cursor, to the token; `anchored`: our windows, which stay put.
 */
export async function replayPlainPrompts(
  name: string,
  parts: ReplayParts & {
    readonly windows: "sliding" | "anchored";
    readonly backend: Backend;
    readonly format: FimFormat;
    readonly model: string;
    readonly contextTokens: number;
  },
): Promise<ReplayCounts> {
  const { backend, format, model, meter, maxTokens, contextTokens, windows } = parts;
  const budget = promptBudget({ contextTokens, outputTokens: maxTokens });
  const tally = await tallied(name, parts, async (session, _, tally) => {
    const { path } = session.file;
    const languageId = languageOfPath(path);
    const counter = promptTokenCounter(format, languageId);
    let anchored: PromptWindow | null = null;
    for (const { buffer, offset } of documentsAt(session)) {
      const slid = slidingWindow(buffer, offset, { budget, counter });
      const limits = { prefixTokens: budget.prefixTokens, suffixTokens: budget.suffixTokens };
      anchored = nextWindow(anchored, { buffer, offset, ...limits, counter, keepsSuffix: false });
      const { prefix, suffix } = windows === "sliding" ? slid : anchored;
      const place = { prefix, suffix, languageId, path, multiline: false };
      const request = plainRequest(place, { model, format, budget, maxTokens });
      const suffixTokens = await backend.countTokens?.(suffix, neverAborted());
      for await (const event of backend.complete(request, neverAborted())) void event;
      tally.key("asked");
      if (suffixTokens !== undefined) tally.suffix(suffixTokens);
    }
    tally.add(meter.take().slice(1));
  });
  return tally.counts();
}

/** Lines before and after the cursor's, and the server's batch that cuts them. */
const PEER_LINES = { before: 256, after: 64 } as const;

/** As llama.vim and llama.vscode do it: 256 lines before, 64 after, the server writes the prompt. */
export async function replayInfill(
  name: string,
  parts: ReplayParts & { readonly url: string },
): Promise<ReplayCounts> {
  const { url, meter, maxTokens } = parts;
  const tally = await tallied(name, parts, async (session, _, tally) => {
    for (const { buffer, offset } of documentsAt(session)) {
      const prefix = buffer.slice(0, offset);
      const suffix = buffer.slice(offset, buffer.length);
      const lineStart = prefix.lastIndexOf("\n") + 1;
      const before = prefix
        .slice(0, lineStart)
        .split("\n")
        .slice(-PEER_LINES.before - 1);
      const after = suffix.split("\n").slice(0, PEER_LINES.after + 1);
      await infill(meter, url, {
        input_prefix: before.join("\n"),
        prompt: prefix.slice(lineStart),
        input_suffix: `${after.join("\n")}\n`,
        n_predict: maxTokens,
        temperature: 0,
        stop: ["\n"],
        cache_prompt: true,
        n_cache_reuse: 256,
        id_slot: 0,
        stream: true,
      });
      tally.key("asked");
    }
    tally.add(meter.take().slice(1));
  });
  return tally.counts();
}

async function infill(client: HttpClient, url: string, body: object): Promise<void> {
  const request = {
    method: "POST",
    url: `${url}/infill`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  } as const;
  const response = await client.send(request, neverAborted());
  for await (const bytes of response.body) void bytes;
}

/** Opens the file and makes one request for each key, after the key's edit. */
function* openSession(
  engine: Engine,
  session: TypingSession,
  number: number,
): Generator<EngineRequest> {
  const { path } = session.file;
  const uri = `replay:${number}/${path}`;
  const languageId = languageOfPath(path);
  engine.open({ uri, path, languageId, version: 0, text: session.text });
  let version = 0;
  for (const { edit, offset } of session.keys) {
    version++;
    engine.edit(uri, version, edit === null ? [] : [edit]);
    yield requestFor({ kind: "open", uri, version, offset }, { multiline: "never" });
  }
  engine.close(uri);
}

/** The document and the cursor after each key. */
function* documentsAt(
  session: TypingSession,
): Generator<{ readonly buffer: TextBuffer; readonly offset: number }> {
  let buffer = TextBuffer.from(session.text);
  for (const { edit, offset } of session.keys) {
    if (edit !== null) buffer = buffer.edit(edit.start, edit.end, edit.text);
    yield { buffer, offset };
  }
}

function outcomeOf({ outcome, source }: EngineResult): string {
  return outcome.kind === "completion" ? (source ?? "model") : outcome.reason;
}

function neverAborted(): { readonly signal: AbortSignal } {
  return { signal: new AbortController().signal };
}

/** Types the sessions in turn, each counted by `type`; what ran before them is in no count. */
async function tallied(
  name: string,
  { meter, sessions }: Pick<ReplayParts, "meter" | "sessions">,
  type: (session: TypingSession, index: number, tally: Tally) => Promise<void>,
): Promise<Tally> {
  const tally = new Tally(name);
  meter.take();
  for (const [index, session] of sessions.entries()) await type(session, index, tally);
  return tally;
}

class Tally {
  readonly #name: string;
  readonly #calls: MeteredCall[] = [];
  readonly #outcomes: Record<string, number> = {};
  readonly #suffixes: number[] = [];
  #keys = 0;

  constructor(name: string) {
    this.#name = name;
  }

  key(outcome: string): void {
    this.#keys++;
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
  }

  /** Tokens of the suffix of the last key. */
  suffix(tokens: number): void {
    this.#suffixes.push(tokens);
  }

  add(calls: readonly MeteredCall[]): void {
    this.#calls.push(...calls);
  }

  counts(): ReplayCounts {
    const calls = this.#calls;
    const prompts = calls.map(({ promptTokens }) => promptTokens);
    const total = sum(prompts);
    const cached = sum(calls.map(({ cachedTokens }) => cachedTokens));
    const generated = sum(calls.map(({ generatedTokens }) => generatedTokens));
    // A request that was left before its first token had no text for anybody.
    const unseen = calls.filter(({ generatedTokens }) => generatedTokens === 0);
    const wasted = sum(unseen.map(({ promptTokens }) => promptTokens));
    return {
      name: this.#name,
      keys: this.#keys,
      requests: calls.length,
      askedKeys: null,
      leftEarly: calls.filter(({ isFinished }) => !isFinished).length,
      newTokens: {
        median: percentile(prompts, 0.5),
        p95: percentile(prompts, 0.95),
        mean: mean(prompts),
      },
      beyondSuffix:
        this.#suffixes.length === 0
          ? null
          : percentile(prompts, 0.5) - percentile(this.#suffixes, 0.5),
      cachedShare: cached / (cached + total),
      promptTokensPerKey: total / this.#keys,
      generatedTokensPerKey: generated / this.#keys,
      outcomes: this.#outcomes,
      wastedShare: wasted / (total + generated),
    };
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
