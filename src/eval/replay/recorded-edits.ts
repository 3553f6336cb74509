/**
 * Edits as an editor recorded them, one JSON object per line. A line with `open` begins a document:
 * `{"open":"src/a.ts","text":"…","language":"typescript"}`; each line below it is one edit in it:
 * `{"at":1200,"start":10,"end":10,"text":"x","cursor":11}`. `at` counts milliseconds, offsets are
 * UTF-16 units of the document before the edit. `language` defaults to that of the path, `cursor` to
 * the end of the inserted text.
 */
import { languageOfPath } from "../../core/index.ts";
import {
  DecodeError,
  type Fields,
  optionalInteger,
  optionalNumber,
  requiredString,
} from "../../protocol/decode.ts";
import { parseJsonLines } from "../run/json-lines.ts";
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

/** Reads recordings. Throws as `parseJsonLines`; `file` is their name. */
export function parseRecordings(content: string, file: string): readonly Recording[] {
  const recordings: (Recording & { readonly edits: RecordedEdit[] })[] = [];
  let length = 0;
  const read = (fields: Fields): void => {
    const { open, language } = fields;
    if (open !== undefined) {
      const path = requiredString(open, "open", MAX_PATH_UNITS);
      const text = requiredString(fields.text, "text", MAX_TEXT_UNITS);
      const languageId = typeof language === "string" ? language : languageOfPath(path);
      recordings.push({ path, languageId, text, edits: [] });
      length = text.length;
      return;
    }
    const recording = recordings.at(-1);
    if (recording === undefined) {
      throw new DecodeError("the edit", "needs a line with open above it");
    }
    const edit = editOf(fields, length);
    const before = recording.edits.at(-1)?.atMs ?? edit.atMs;
    if (edit.atMs < before) throw new DecodeError("at", "must not go back");
    length += edit.text.length - (edit.end - edit.start);
    recording.edits.push(edit);
  };
  parseJsonLines(content, { file, read });
  return recordings.filter(({ edits }) => edits.length > 0);
}

const MAX_PATH_UNITS = 16_384;
const MAX_TEXT_UNITS = 256 * 1024 * 1024;

/** One edit of a document of `length` units. */
function editOf(fields: Fields, length: number): RecordedEdit {
  const text = requiredString(fields.text, "text", MAX_TEXT_UNITS);
  const count = (name: string, max: number): number | undefined =>
    optionalInteger(fields[name], name, { min: 0, max });
  const required = (name: string, number: number | undefined): number => {
    if (number === undefined) throw new DecodeError(name, "is missing");
    return number;
  };
  const at = optionalNumber(fields.at, "at", { min: 0, max: Number.MAX_SAFE_INTEGER });
  const end = required("end", count("end", length));
  const start = required("start", count("start", end));
  const cursor = count("cursor", length + text.length - (end - start)) ?? start + text.length;
  return { atMs: required("at", at), start, end, text, cursor };
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
