/** What a key press costs inside the engine, from the edit to the outcome. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Engine, type EngineRequest, type EngineResult, requestFor } from "../engine/index.ts";
import { percentile } from "../stats/summary.ts";
import type { SampledCursor } from "./cursor-sample.ts";
import type { InstantBackend } from "./instant-backend.ts";
import { cpuMs } from "./machine.ts";

/** Times of the key presses in one file. */
export interface KeyTimes {
  /** Length of the file. */
  readonly lines: number;
  /** Keys that asked the local model anew; the times are of these. */
  readonly keys: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  /** CPU time of a key, mean. */
  readonly cpuMs: number;
  /** Keys that the shown text answered. */
  readonly reusedKeys: number;
}

/** Typing along a shown text. */
export interface TypeThroughTimes {
  readonly characters: number;
  /** Requests to the backend while typing. */
  readonly requests: number;
  readonly p50Ms: number;
  /** The slowest key, taking each key's least time of all rounds. */
  readonly maxMs: number;
}

/** A file and the places in it at which something is typed. */
export interface TypingPlaces {
  readonly text: string;
  readonly languageId: string;
  /** Their offsets count from `start`. */
  readonly cursors: readonly SampledCursor[];
  readonly start: number;
}

const URI = "file:///bench";
const KEYS_PER_CURSOR = 4;

/** Types the first characters of each target where it was cut out, and puts it back. */
export async function timeKeys(engine: Engine, places: TypingPlaces): Promise<KeyTimes> {
  const { text, languageId, cursors, start } = places;
  engine.open({ uri: URI, path: null, languageId, version: 0, text });
  let version = 0;
  const edit = (from: number, to: number, inserted: string): void => {
    version++;
    engine.edit(URI, version, [{ start: from, end: to, text: inserted }]);
  };
  await completeAt(engine, version, start);
  const times: number[] = [];
  let reusedKeys = 0;
  const cpuBefore = cpuMs();
  for (const cursor of cursors) {
    const offset = start + cursor.offset;
    const typed = cursor.target.slice(0, KEYS_PER_CURSOR);
    edit(offset, offset + cursor.target.length, "");
    for (let i = 0; i < typed.length; i++) {
      const before = performance.now();
      edit(offset + i, offset + i, typed.charAt(i));
      const { source } = await completeAt(engine, version, offset + i + 1);
      const ms = performance.now() - before;
      if (source === "type-through") reusedKeys++;
      else times.push(ms);
    }
    edit(offset, offset + typed.length, cursor.target);
  }
  const keys = times.length;
  const used = cpuMs(cpuBefore);
  engine.close(URI);
  return {
    lines: text.split("\n").length,
    keys,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    maxMs: percentile(times, 1),
    cpuMs: used / (keys + reusedKeys),
    reusedKeys,
  };
}

/**
 * Lets the backend's text be shown and types it, character by character, `rounds` times over. Throws
 * when a key on the way shows anything but the rest of the text: there would be nothing to measure.
 */
export async function timeTypeThrough(options: {
  readonly engine: Engine;
  readonly backend: InstantBackend;
  readonly before: string;
  readonly shown: string;
  readonly rounds: number;
}): Promise<TypeThroughTimes> {
  const { engine, backend, before, shown, rounds } = options;
  const characters = shown.length - 1;
  const least = new Array<number>(characters).fill(Number.POSITIVE_INFINITY);
  let requests = 0;
  for (let round = 0; round < rounds; round++) {
    let version = 0;
    // Another line above makes it another question, which no cache answers.
    const head = `// ${round}\n${before}`;
    const document = { uri: URI, path: null, languageId: "typescript", version };
    engine.open({ ...document, text: `${head}\n` });
    const first = await completeAt(engine, version, head.length, "invoked");
    expectShown(first, shown);
    await nextTurn();
    const requestsBefore = backend.requests;
    for (let i = 0; i < characters; i++) {
      const offset = head.length + i;
      const startedAt = performance.now();
      version++;
      engine.edit(URI, version, [{ start: offset, end: offset, text: shown.charAt(i) }]);
      const result = await completeAt(engine, version, offset + 1);
      const ms = performance.now() - startedAt;
      expectShown(result, shown.slice(i + 1));
      least[i] = Math.min(least[i] as number, ms);
    }
    requests += backend.requests - requestsBefore;
    engine.close(URI);
  }
  return {
    characters,
    requests,
    p50Ms: percentile(least, 0.5),
    maxMs: percentile(least, 1),
  };
}

function completeAt(
  engine: Engine,
  version: number,
  offset: number,
  trigger: EngineRequest["trigger"] = "automatic",
): Promise<EngineResult> {
  const request = requestFor({ kind: "open", uri: URI, version, offset }, { trigger });
  return engine.complete(request, { signal: new AbortController().signal });
}

function expectShown({ outcome }: EngineResult, text: string): void {
  const shown = outcome.kind === "completion" ? outcome.edit.text : `nothing (${outcome.reason})`;
  if (shown !== text) throw new Error(`the engine showed ${shown} where ${text} was expected`);
}
