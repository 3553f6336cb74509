/**
 * What the show rule learned, from the journal of all processes. It is learned anew from the newest
 * decisions each time, so that every process comes to the same and nothing but the journal is stored.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Adaptation, adaptationFrom, noAdaptation, storageError } from "../core/index.ts";
import { labelsOf } from "./completion-records.ts";
import { readJournal } from "./read-journal.ts";

/** Older decisions than these say little about today. */
const MAX_LABELS = 2_000;
const REFRESH_MS = 300_000;
const resetName = "adapt.json";

/** Holds what was learned, and learns again every five minutes once it was started. */
export class AdaptationSource {
  readonly #folder: string;
  #adaptation: Adaptation = noAdaptation;
  #timer: NodeJS.Timeout | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What was learned so far; nothing before the first `refresh`. */
  get adaptation(): Adaptation {
    return this.#adaptation;
  }

  /** Learns from what the journal holds now. Never rejects: without a journal nothing is learned. */
  async refresh(): Promise<void> {
    const sinceMs = await resetAt(this.#folder);
    const types = ["shown", "accepted", "accepted_partial", "rejected", "ignored", "retained"];
    const isAsked = (type: string): boolean => types.includes(type);
    const events = await readJournal(this.#folder, { sinceMs, isAsked });
    this.#adaptation = adaptationFrom(labelsOf(events).slice(-MAX_LABELS));
  }

  /** Learns now and then again and again, until `stop`. */
  start(): void {
    void this.refresh();
    this.#timer ??= setInterval(() => void this.refresh(), REFRESH_MS).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}

/**
 * Forgets what was learned: decisions before now no longer count. Running programs follow soon.
 * Throws as `storageError` when that cannot be written down.
 */
export async function resetAdaptation(folder: string, nowMs: number): Promise<void> {
  const file = join(folder, resetName);
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(unfinished, `${JSON.stringify({ since: nowMs })}\n`, { mode: 0o600 });
    await rename(unfinished, file);
  } catch (cause) {
    throw storageError(file, cause);
  }
}

async function resetAt(folder: string): Promise<number> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, resetName), "utf8"));
    const isReset = typeof value === "object" && value !== null && "since" in value;
    return isReset && typeof value.since === "number" ? value.since : 0;
  } catch {
    return 0;
  }
}
