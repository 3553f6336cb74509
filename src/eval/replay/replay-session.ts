/**
 * One session: a person writes in a document through an engine, key by key. A key gives up the
 * request of the key before, as editors do, and asks anew; what comes in time is seen.
 */
import { TextBuffer } from "../../base/text-buffer.ts";
import { CompletionError, decideMultiline, lexicalScopeProbe } from "../../core/index.ts";
import {
  type Engine,
  type EngineRequest,
  type EngineResult,
  requestFor,
} from "../../engine/index.ts";
import { cpuMs } from "../machine.ts";
import { callCounts, callTimes } from "./call-counts.ts";
import type { CallMeter } from "./metered-backend.ts";
import { type Habit, type Person, REACTION_MS, RESTS_MS, readingMs } from "./person.ts";
import { type AcceptStep, acceptSteps } from "./right-text.ts";
import { Screen } from "./screen.ts";
import type { SessionCounts } from "./session-counts.ts";
import type { TypingScript } from "./typing-script.ts";
import type { VirtualClock } from "./virtual-clock.ts";

export interface SessionOptions {
  readonly path: string;
  readonly languageId: string;
  readonly script: TypingScript;
  readonly person: Person;
  /** Used by this session alone, and disposed of. */
  readonly engine: Engine;
  /** The clock of the engine, with a fresh meter in front of its model; `null` without one. */
  readonly clock: VirtualClock;
  readonly meter: CallMeter | null;
  /**
   * True: each key invokes, so that the model is asked at once and anew, whatever is known already;
   * one line or several as if the key had asked by itself.
   */
  readonly asksEveryKey: boolean;
  readonly signal: AbortSignal;
}

interface Pending {
  readonly controller: AbortController;
  readonly askedAtMs: number;
  /** Calls of the model before this request. */
  readonly firstCall: number;
}

const URI = "file:///replay";
/** How much of the document around the cursor accepting and asking look at. */
const AROUND_UNITS = 2_000;
/** What still runs is given up this long after the last key, as when an editor loses its focus. */
const LAST_LOOK_MS = 1_000;
/** A model that was told to stop may take this long. */
const LINGER_MS = 200;

/** Runs a session to its end; `null` when `signal` ended it before. */
export async function replaySession(options: SessionOptions): Promise<SessionCounts | null> {
  const session = new Session(options);
  return session.run();
}

class Session {
  readonly #options: SessionOptions;
  readonly #screen = new Screen();
  readonly #answers: Promise<void>[] = [];
  readonly #outcomes: Record<string, number> = {};
  readonly #failures: Record<string, number> = {};
  readonly #shownCalls = new Set<number>();
  readonly #waitMs: number[] = [];
  readonly #contextMs: number[] = [];
  readonly #postMs: number[] = [];
  #buffer: TextBuffer;
  #cursor: number;
  #version = 0;
  #pending: Pending | null = null;
  /** What a person has read and does not want. */
  #refused = -1;
  #typedKeys = 0;
  #acceptKeys = 0;
  #acceptedUnits = 0;
  #requests = 0;
  #joins = 0;
  #reached = 0;
  #late = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#buffer = TextBuffer.from(options.script.text);
    this.#cursor = options.script.cursor;
  }

  async run(): Promise<SessionCounts | null> {
    const { engine, clock, script, person, path, languageId, signal } = this.#options;
    const realStart = performance.now();
    const cpuStart = cpuMs();
    engine.open({ uri: URI, path, languageId, version: 0, text: script.text });
    let lastKeyMs = clock.now();
    while (!signal.aborted) {
      const habit = person.habitAt(script.written);
      const written = script.written;
      const steps = await this.#waitForKey(lastKeyMs, habit);
      if (steps.length > 0) {
        await this.#accept(steps);
      } else {
        const before = script.upcoming;
        const key = script.next();
        if (key === null) break;
        // A recorded pause takes the place of the person's own.
        const dueMs = key.gapMs === null ? 0 : lastKeyMs + key.gapMs;
        await clock.advanceTo(Math.max(clock.now(), dueMs));
        this.#typedKeys++;
        this.#screen.typed(before.slice(0, script.written - written), clock.now());
        this.#change(key.edit, key.cursor);
      }
      lastKeyMs = clock.now();
    }
    await this.#finish(signal.aborted);
    return signal.aborted
      ? null
      : this.#counts({ realMs: performance.now() - realStart, cpuMs: cpuMs(cpuStart) });
  }

  /** Waits until the next key; the steps that accept what is shown, if the person does. */
  async #waitForKey(lastKeyMs: number, habit: Habit): Promise<readonly AcceptStep[]> {
    const { clock, script } = this.#options;
    await clock.advanceTo(lastKeyMs + habit.gapMs);
    const shown = this.#screen.text;
    if (shown === null || shown.sinceMs === this.#refused) return [];
    const rests = clock.now() - Math.max(lastKeyMs, shown.sinceMs) >= RESTS_MS;
    if (!habit.looks && !rests) return [];
    await clock.advanceTo(shown.sinceMs + readingMs(shown.edit.text));
    const steps = acceptSteps(shown.edit, script, this.#around());
    if (steps.length === 0) this.#refused = shown.sinceMs;
    else await clock.advanceTo(clock.now() + REACTION_MS);
    return steps;
  }

  async #accept(steps: readonly AcceptStep[]): Promise<void> {
    const { clock, script } = this.#options;
    const shown = this.#screen.text?.edit.text.length ?? 0;
    const taken = steps.reduce((sum, { edit }) => sum + edit.text.length, 0);
    this.#screen.accepted(taken < shown ? "part" : "whole");
    for (const [i, { edit, accepted }] of steps.entries()) {
      if (i > 0) await clock.advanceTo(clock.now() + REACTION_MS);
      this.#acceptKeys++;
      this.#acceptedUnits += accepted.units;
      script.accept(accepted);
      this.#screen.took(edit);
      const start = this.#cursor - edit.replaceBefore;
      const change = { start, end: this.#cursor + edit.replaceAfter, text: edit.text };
      this.#change(change, start + edit.text.length);
    }
  }

  /** The document changed, or the cursor moved: a new request. */
  #change(
    edit: { readonly start: number; readonly end: number; readonly text: string } | null,
    cursor: number,
  ): void {
    const { engine, meter } = this.#options;
    if (this.#pending !== null && this.#reachedModel(this.#pending)) this.#late++;
    this.#giveUp("the next key");
    if (edit !== null) this.#buffer = this.#buffer.edit(edit.start, edit.end, edit.text);
    this.#cursor = cursor;
    this.#version++;
    engine.edit(URI, this.#version, edit === null ? [] : [edit]);
    this.#requests++;
    const controller = new AbortController();
    const askedAtMs = this.#options.clock.now();
    const pending = { controller, askedAtMs, firstCall: meter?.calls.length ?? 0 };
    this.#pending = pending;
    const document = { kind: "open", uri: URI, version: this.#version, offset: cursor } as const;
    const { signal } = controller;
    const answer = engine.complete(requestFor(document, this.#manner()), { signal }).then(
      (result) => this.#answered(pending, result),
      (error: unknown) => this.#failed(pending, error),
    );
    this.#answers.push(answer);
  }

  /** How a key asks. */
  #manner(): Pick<EngineRequest, "trigger" | "multiline"> {
    const { asksEveryKey, languageId } = this.#options;
    if (!asksEveryKey) return { trigger: "automatic", multiline: "auto" };
    const { prefix, suffix } = this.#around();
    const isMultiline = decideMultiline({
      mode: "auto",
      trigger: "automatic",
      prefix,
      suffix,
      languageId,
      scopes: lexicalScopeProbe,
    });
    return { trigger: "invoked", multiline: isMultiline ? "always" : "never" };
  }

  /** The document near the cursor. */
  #around(): { readonly prefix: string; readonly suffix: string } {
    const buffer = this.#buffer;
    const cursor = this.#cursor;
    return {
      prefix: buffer.slice(Math.max(0, cursor - AROUND_UNITS), cursor),
      suffix: buffer.slice(cursor, Math.min(buffer.length, cursor + AROUND_UNITS)),
    };
  }

  /** At the end of a request: whether it started a call of its own, for which it waited a while. */
  #reachedModel({ firstCall, askedAtMs }: Pending): boolean {
    const calls = this.#options.meter?.calls ?? [];
    const call = calls.slice(firstCall).find(({ isPrefetch }) => !isPrefetch);
    if (call === undefined) return false;
    this.#reached++;
    this.#waitMs.push(call.startedAt - askedAtMs);
    return true;
  }

  #giveUp(why: string): void {
    this.#pending?.controller.abort(new Error(why));
    this.#pending = null;
  }

  #answered(pending: Pending, result: EngineResult): void {
    const { outcome, source, timings, model } = result;
    const isNewest = this.#pending === pending;
    count(this.#outcomes, outcome.kind === "none" ? outcome.reason : (source ?? "model"));
    this.#contextMs.push(timings.contextMs + timings.promptMs + timings.localMs);
    this.#postMs.push(timings.postMs);
    if (!isNewest) return;
    this.#pending = null;
    if (!this.#reachedModel(pending) && source === "model") this.#joins++;
    const edit = outcome.kind === "completion" ? outcome.edit : null;
    const document = { buffer: this.#buffer, cursor: this.#cursor };
    const isNew = this.#screen.answered(edit, document, this.#options.clock.now());
    if (edit === null || !isNew || model === "local") return;
    const text = edit.text.trim();
    const calls = this.#options.meter?.calls ?? [];
    const call = calls.findLastIndex((candidate) => candidate.text.includes(text));
    if (call >= 0) this.#shownCalls.add(call);
  }

  #failed(pending: Pending, error: unknown): void {
    if (!(error instanceof CompletionError)) throw error;
    count(this.#failures, error.code);
    if (this.#pending !== pending) return;
    this.#pending = null;
    this.#reachedModel(pending);
    const document = { buffer: this.#buffer, cursor: this.#cursor };
    this.#screen.answered(null, document, this.#options.clock.now());
  }

  async #finish(isAborted: boolean): Promise<void> {
    const { engine, clock } = this.#options;
    if (!isAborted) await clock.advanceTo(clock.now() + LAST_LOOK_MS);
    this.#screen.close(clock.now());
    if (this.#pending !== null) this.#reachedModel(this.#pending);
    this.#giveUp("the end of the session");
    engine.close(URI);
    engine.dispose();
    await clock.advanceTo(clock.now() + LINGER_MS);
    await Promise.all(this.#answers);
  }

  #counts(spent: Pick<SessionCounts["measured"], "realMs" | "cpuMs">): SessionCounts {
    const calls = this.#options.meter?.calls ?? [];
    return {
      typedKeys: this.#typedKeys,
      acceptKeys: this.#acceptKeys,
      writtenUnits: this.#options.script.written,
      acceptedUnits: this.#acceptedUnits,
      requests: this.#requests,
      outcomes: this.#outcomes,
      joins: this.#joins,
      reached: this.#reached,
      late: this.#late,
      failures: this.#failures,
      calls: callCounts(calls, this.#shownCalls),
      suggestions: this.#screen.counts,
      virtualMs: this.#options.clock.now(),
      waitMs: this.#waitMs,
      ...callTimes(calls),
      measured: { contextMs: this.#contextMs, postMs: this.#postMs, ...spent },
    };
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
