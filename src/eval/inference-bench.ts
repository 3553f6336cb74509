/**
 * `midspan bench inference`: a real llama-server behind the engine. What typing costs it, how soon it
 * stops when nobody waits, what we add to its answers, and what its answers are worth.
 */
import type { Clock, FimFormat } from "../core/index.ts";
import type { Engine } from "../engine/index.ts";
import { LocalModel } from "../local/index.ts";
import { type Corpus, judgedPackages, loadCorpus } from "./corpus.ts";
import { indexFiles } from "./index-files.ts";
import { type AbortReport, measureAborts } from "./inference-abort.ts";
import type { InferenceGateway } from "./inference-gateway.ts";
import { judge } from "./inference-judging.ts";
import { type LoadReport, measureLoad } from "./inference-load.ts";
import { InferenceMeter } from "./inference-meter.ts";
import {
  BATCH_TOKENS,
  type BenchEngineOptions,
  type InferenceBenchOptions,
  type InferencePart,
  SLOT_TOKENS,
  withServer,
} from "./inference-options.ts";
import {
  keepReplay,
  keptReplays,
  type ReplayCounts,
  replayEveryKey,
  replayFirstRequests,
  replayInfill,
  replayPlainPrompts,
  replayWithReuse,
} from "./inference-replay.ts";
import { type InferenceBenchReport, inferenceChecks } from "./inference-report.ts";
import type { InferenceServer } from "./inference-server.ts";
import { type TypingSession, typingSession } from "./key-replay.ts";
import { cpuMsOf, describeMachine } from "./machine.ts";

/** What llama.vim's presets start the server with. */
const PEER_BATCH_TOKENS = 1_024;
const REPLAY_TOKENS = 8;
const PEER_FILES = 4;
const MIN_FILE_UNITS = 8_000;
const EDITORS = 10;
/** With the usual number of files. */
const ROUNDS = 10;
const FILES = 20;
/** Time runs so much faster: the tiny model stands for one that takes as many times longer. */
const SPEED = 8;
const KEY_MS = 200;
const INDEXED_FILES = 300;
const ABORT_TRIES = 8;

/** Runs the parts. Throws `InferenceUnavailableError` and `CorpusUnavailableError`. */
export async function runInferenceBench(
  options: InferenceBenchOptions,
): Promise<InferenceBenchReport> {
  const { parts, reporter, corpusFolder } = options;
  const machine = describeMachine();
  const corpora: Corpus[] = [];
  for (const one of judgedPackages) {
    reporter.note(`reading ${one.name}`);
    corpora.push(await loadCorpus(one, { folder: corpusFolder }));
  }
  const sessions = sessionsOf(corpora, options);
  const has = (part: InferencePart): boolean => parts.includes(part);
  const replays = has("replay") ? await replayAll(corpora, sessions, options) : [];
  const load = has("load") ? await loadOn(sessions, options) : null;
  const abort = has("abort") ? await abortOn(sessions, options) : null;
  const found = { machine, replays, load, abort, ...(await judge(corpora, options)) };
  return { ...found, checks: inferenceChecks(found) };
}

/** The same number of files of each package. */
function sessionsOf(
  corpora: readonly Corpus[],
  { files, keysPerFile }: InferenceBenchOptions,
): readonly TypingSession[] {
  const perPackage = Math.max(1, Math.round(files / corpora.length));
  return corpora.flatMap((corpus) =>
    corpus.files
      .flatMap((file) => typingSession(file, { keys: keysPerFile, minUnits: MIN_FILE_UNITS }) ?? [])
      .slice(0, perPackage),
  );
}

async function replayAll(
  corpora: readonly Corpus[],
  sessions: readonly TypingSession[],
  options: InferenceBenchOptions,
): Promise<readonly ReplayCounts[]> {
  const { formats, models, createBackend, createEngine, clock, reporter } = options;
  const model = models.tiny;
  const psm = formats.tiny;
  const size = { slots: 2, batchTokens: PEER_BATCH_TOKENS, threads: 1 };
  return withServer(options, { ...size, model }, async ({ url }) => {
    const meter = new InferenceMeter(options.http);
    const backend = createBackend({ url, http: meter, contextTokens: SLOT_TOKENS, isPinned: true });
    const parts = { meter, sessions, maxTokens: REPLAY_TOKENS };
    // The other ways evaluate a hundred times as much: every fourth file must do.
    const peer = { ...parts, sessions: sessions.filter((_, i) => i % PEER_FILES === 0) };
    const plain = { ...peer, backend, format: psm, model, contextTokens: SLOT_TOKENS };
    const engine = (more: Partial<BenchEngineOptions> = {}): Engine =>
      createEngine({
        ...{ backend, model, format: psm, local: null, isHealed: true, isPrefetched: false },
        ...{ contextTokens: SLOT_TOKENS, clock },
        ...more,
      });
    const fast = fasterClock(clock, SPEED);
    const paced = { ...parts, clock: fast, keyMs: KEY_MS };
    const known = new Set(sessions.map(({ file }) => file));
    const local = new LocalModel();
    local.adopt(
      indexFiles(
        corpora.flatMap(({ files }) =>
          files.filter((file) => !known.has(file)).slice(0, INDEXED_FILES),
        ),
      ),
    );
    const alone = { isPrefetched: true, clock: fast } as const;
    const runs: readonly (readonly [string, (name: string) => Promise<ReplayCounts>])[] = [
      ["ours, suffix second", (name) => replayEveryKey(name, { ...parts, engine: engine() })],
      [
        "ours, suffix first",
        (name) => replayEveryKey(name, { ...parts, engine: engine({ format: suffixFirst(psm) }) }),
      ],
      [
        "ours, without healing",
        (name) => replayEveryKey(name, { ...parts, engine: engine({ isHealed: false }) }),
      ],
      [
        "ours, suffix second, the peers' files",
        (name) => replayEveryKey(name, { ...peer, engine: engine() }),
      ],
      [
        "ours: first request of a file",
        (name) => replayFirstRequests(name, { ...parts, engine: engine() }),
      ],
      [
        "ours: first request of a file, read ahead",
        (name) => replayFirstRequests(name, { ...parts, engine: engine({ isWarmed: true }) }),
      ],
      [
        "plain, anchored windows",
        (name) => replayPlainPrompts(name, { ...plain, windows: "anchored" }),
      ],
      [
        "plain, sliding window",
        (name) => replayPlainPrompts(name, { ...plain, windows: "sliding" }),
      ],
      ["256 + 64 lines, /infill", (name) => replayInfill(name, { ...peer, url })],
      ["ours with reuse", (name) => replayWithReuse(name, { ...paced, engine: engine(alone) })],
      [
        "ours with reuse and local model",
        (name) => replayWithReuse(name, { ...paced, engine: engine({ ...alone, local }) }),
      ],
    ];
    const kept = await keptReplays(options.replaysFile);
    const keys = sessions.reduce((sum, session) => sum + session.keys.length, 0);
    const idOf = (name: string): string => `${name}: ${sessions.length} files, ${keys} keys`;
    const counts: ReplayCounts[] = [];
    for (const [i, [name, run]] of runs.entries()) {
      reporter.progress({ label: `typing: ${name}`, done: i, total: runs.length });
      const known = kept.get(idOf(name));
      const found = known ?? (await run(name));
      if (known === undefined) await keepReplay(options.replaysFile, { id: idOf(name), ...found });
      counts.push(found);
    }
    return counts;
  });
}

async function loadOn(
  sessions: readonly TypingSession[],
  options: InferenceBenchOptions,
): Promise<LoadReport> {
  const { formats, models, reporter } = options;
  const size = { slots: EDITORS, batchTokens: BATCH_TOKENS, threads: 1 };
  return withServer(options, { ...size, model: models.tiny }, (server) =>
    withGateway(server, models.tiny, formats.tiny, options, async (gateway) => {
      const served = await options.serve({ serverUrl: server.url, contextTokens: SLOT_TOKENS });
      const relay = await options.startRelay(server.url);
      try {
        return await measureLoad({
          gateway,
          served,
          relay,
          server: { url: server.url, cpuMs: () => cpuMsOf(server.pid) },
          http: options.http,
          sessions: sessions.slice(0, EDITORS),
          rounds: Math.ceil((ROUNDS * options.files) / FILES),
          onProgress: (done, total) => reporter.progress({ label: "ten editors", done, total }),
        });
      } finally {
        await relay.stop();
        await served.close();
      }
    }),
  );
}

async function abortOn(
  sessions: readonly TypingSession[],
  options: InferenceBenchOptions,
): Promise<AbortReport> {
  const { formats, models, reporter } = options;
  const size = { slots: 1, batchTokens: BATCH_TOKENS, threads: 2 };
  const model = models.quality;
  return withServer(options, { ...size, model }, (server) =>
    withGateway(server, model, formats.quality, options, (gateway) =>
      measureAborts({
        gateway,
        serverUrl: server.url,
        sessions: sessions.slice(0, Math.min(ABORT_TRIES, options.files / 2)),
        batchTokens: BATCH_TOKENS,
        onProgress: (done, total) => reporter.progress({ label: "aborts", done, total }),
      }),
    ),
  );
}

async function withGateway<T>(
  server: InferenceServer,
  model: string,
  format: FimFormat,
  options: InferenceBenchOptions,
  work: (gateway: InferenceGateway) => Promise<T>,
): Promise<T> {
  const { http, createBackend, createEngine, clock, listen } = options;
  const meter = new InferenceMeter(http);
  const backend = createBackend({
    url: server.url,
    http: meter,
    contextTokens: SLOT_TOKENS,
    isPinned: false,
  });
  const engine = createEngine({
    ...{ backend, model, format, local: null, isHealed: true, isPrefetched: false },
    ...{ contextTokens: SLOT_TOKENS, clock },
  });
  const gateway = await listen(engine);
  try {
    return await work({ url: gateway.url, http, meter, close: () => gateway.close() });
  } finally {
    await gateway.close();
  }
}

/** The order in which the tiny model was trained besides its family's own. */
function suffixFirst(format: FimFormat): FimFormat {
  if (format.fim !== "client") return format;
  const { prefix, suffix, middle } = format.sentinels;
  const spm1 = `${suffix}{suffix}${prefix}{prefix}${middle ?? ""}`;
  return { ...format, order: "spm1", templates: { ...format.templates, spm1 } };
}

function fasterClock(clock: Clock, speed: number): Clock {
  return {
    now: () => clock.now() * speed,
    after: (ms, callback) => clock.after(ms / speed, callback),
  };
}
