/**
 * Edits as an editor recorded them, one JSON object per line. A line with `open` begins a document:
 * `{"open":"src/a.ts","text":"…","language":"typescript"}`; each line below it is one edit in it:
 * `{"at":1200,"start":10,"end":10,"text":"x","cursor":11}`. `at` counts milliseconds, offsets are
 * UTF-16 units of the document before the edit. `language` defaults to that of the path, `cursor` to
 * the end of the inserted text.
 */
import { languageOfPath } from "../../core/index.ts";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import type { AcceptedText, ScriptedKey, TypingScript } from "./typing-script.ts";

/** One recorded edit. */
export interface RecordedEdit {
  readonly atMs: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly cursor: number;
}

/** One document and what happened to it. */
export interface Recording {
  readonly path: string;
  readonly languageId: string;
  readonly text: string;
  readonly edits: readonly RecordedEdit[];
}

/** Reads recordings. Throws `EvaluationUnavailableError` that names the first line that is wrong. */
export function parseRecordings(content: string): readonly Recording[] {
  const recordings: (Recording & { readonly edits: RecordedEdit[] })[] = [];
  let length = 0;
  for (const [index, line] of content.split("\n").entries()) {
    if (line.trim() === "") continue;
    const value = parseObject(line, index);
    const { open: path, text, language } = value;
    if (typeof path === "string") {
      if (typeof text !== "string") throw wrong(index, "text must be a string");
      const languageId = typeof language === "string" ? language : languageOfPath(path);
      recordings.push({ path, languageId, text, edits: [] });
      length = text.length;
      continue;
    }
    const recording = recordings.at(-1);
    if (recording === undefined) throw wrong(index, "an edit needs a line with open above it");
    const edit = editOf(value, index);
    if (!(edit.start <= edit.end && edit.end <= length)) {
      throw wrong(index, `the edit is outside of 0..${length}`);
    }
    const before = recording.edits.at(-1)?.atMs ?? edit.atMs;
    if (edit.atMs < before) throw wrong(index, "at must not go back");
    length += edit.text.length - (edit.end - edit.start);
    if (edit.cursor > length) throw wrong(index, `the cursor is outside of 0..${length}`);
    recording.edits.push(edit);
  }
  return recordings.filter(({ edits }) => edits.length > 0);
}

function parseObject(line: string, index: number): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw wrong(index, "it is no JSON", cause);
  }
  if (!isObject(value)) throw wrong(index, "it is no object");
  return value;
}

interface JsonObject {
  readonly [name: string]: unknown;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}

function editOf(value: JsonObject, index: number): RecordedEdit {
  const count = (name: string, fallback?: number): number => {
    const number = value[name] ?? fallback;
    if (typeof number === "number" && Number.isFinite(number) && number >= 0) return number;
    throw wrong(index, `${name} must be a number from 0 on`);
  };
  const { text } = value;
  if (typeof text !== "string") throw wrong(index, "text must be a string");
  const start = count("start");
  return {
    atMs: count("at"),
    start,
    end: count("end"),
    text,
    cursor: count("cursor", start + text.length),
  };
}

function wrong(index: number, what: string, cause?: unknown): EvaluationUnavailableError {
  return new EvaluationUnavailableError(`line ${index + 1} of the edits is wrong: ${what}`, {
    cause,
  });
}

/** Replays one recording. A text that the recorded edits insert is right, and accepting skips them. */
export class RecordedScript implements TypingScript {
  readonly text: string;
  readonly length: number;
  readonly closers = "";
  readonly #edits: RecordedEdit[];
  #index = 0;
  #cursor: number;
  #written = 0;
  #upcoming: string | null = null;

  constructor({ text, edits }: Recording) {
    this.text = text;
    this.#edits = [...edits];
    this.#cursor = edits[0]?.start ?? 0;
    this.length = edits.reduce((sum, edit) => sum + edit.text.length, 0);
  }

  get written(): number {
    return this.#written;
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** The insertions that follow each other from the cursor on. */
  get upcoming(): string {
    if (this.#upcoming !== null) return this.#upcoming;
    let text = "";
    let at = this.#cursor;
    for (let i = this.#index; i < this.#edits.length; i++) {
      const edit = this.#edits[i] as RecordedEdit;
      if (edit.start !== at || edit.end !== at) break;
      text += edit.text;
      at += edit.text.length;
      if (edit.cursor !== at) break;
    }
    this.#upcoming = text;
    return text;
  }

  next(): ScriptedKey | null {
    const edit = this.#edits[this.#index];
    if (edit === undefined) return null;
    const before = this.#edits[this.#index - 1];
    this.#index++;
    this.#cursor = edit.cursor;
    this.#written += edit.text.length;
    this.#upcoming = null;
    const { start, end, text, cursor } = edit;
    const gapMs = before === undefined ? 0 : edit.atMs - before.atMs;
    return { edit: { start, end, text }, cursor, gapMs };
  }

  accept({ units }: AcceptedText): void {
    let left = units;
    while (left > 0) {
      const edit = this.#edits[this.#index];
      if (edit === undefined) break;
      const taken = Math.min(left, edit.text.length);
      left -= taken;
      this.#cursor += taken;
      if (taken === edit.text.length) {
        this.#index++;
        continue;
      }
      const at = edit.start + taken;
      this.#edits[this.#index] = { ...edit, start: at, end: at, text: edit.text.slice(taken) };
    }
    this.#written += units;
    this.#upcoming = null;
  }
}
