/**
 * A stretch of a file written from its beginning to its end in an editor that helps: a bracket which
 * closes on its line gets its partner at once, which is typed over later, and a new line comes with
 * its indentation.
 */
import { present } from "../../base/assert.ts";
import type { AcceptedText, ScriptedKey, TypingScript } from "./typing-script.ts";

/** A file in three parts; line ends are `\n`. */
export interface StretchOfFile {
  readonly before: string;
  /** What is written. */
  readonly target: string;
  readonly after: string;
}

const partners: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

export class TypedStretch implements TypingScript {
  readonly text: string;
  readonly length: number;
  readonly #start: number;
  readonly #target: string;
  #written = 0;
  #closers = "";

  constructor({ before, target, after }: StretchOfFile) {
    this.text = before + after;
    this.length = target.length;
    this.#start = before.length;
    this.#target = target;
  }

  get written(): number {
    return this.#written;
  }

  get cursor(): number {
    return this.#start + this.#written;
  }

  get closers(): string {
    return this.#closers;
  }

  get upcoming(): string {
    return this.#target.slice(this.#written);
  }

  next(): ScriptedKey | null {
    const at = this.cursor;
    const code = this.#target.codePointAt(this.#written);
    if (code === undefined || code === 10) {
      if (code === undefined && this.#closers === "") return null;
      // Brackets that cross leave one over, which the person deletes.
      const rest = this.#target.slice(this.#written + 1);
      const text = code === undefined ? "" : `\n${/^[ \t]*/.exec(rest)?.[0] ?? ""}`;
      return this.#type(text, { start: at, end: at + this.#closers.length, text }, "");
    }
    const key = String.fromCodePoint(code);
    if (this.#closers[0] === key) return this.#type(key, null, this.#closers.slice(1));
    const partner = partners[key];
    if (partner === undefined || !this.#closesOnLine()) {
      return this.#type(key, { start: at, end: at, text: key }, this.#closers);
    }
    const edit = { start: at, end: at, text: key + partner };
    return this.#type(key, edit, partner + this.#closers);
  }

  accept({ units, closers }: AcceptedText): void {
    this.#written += units;
    this.#closers = this.#closers.slice(closers);
  }

  #type(text: string, edit: ScriptedKey["edit"], closers: string): ScriptedKey {
    this.#written += text.length;
    this.#closers = closers;
    return { edit, cursor: this.cursor, gapMs: null };
  }

  /** Whether the bracket that comes next is closed on its line. */
  #closesOnLine(): boolean {
    const open = present(this.#target[this.#written], "a bracket");
    const close = partners[open];
    let depth = 0;
    for (let i = this.#written; i < this.#target.length; i++) {
      const char = this.#target[i];
      if (char === "\n") return false;
      if (char === open) depth++;
      if (char === close && --depth === 0) return true;
    }
    return false;
  }
}
