/** What stands on the screen as ghost text from key to key, and how often it flickers. */
import type { TextBuffer } from "../../base/text-buffer.ts";
import type { CursorEdit } from "../../core/index.ts";
import { MIN_VISIBLE_MS } from "../../stats/acceptance.ts";
import type { SuggestionCounts } from "./session-counts.ts";

/** A text on the screen. */
export interface ShownText {
  readonly edit: CursorEdit;
  /** Since when, also in longer forms of it. */
  readonly sinceMs: number;
}

/** The document at a moment. */
export interface ScreenDocument {
  readonly buffer: TextBuffer;
  readonly cursor: number;
}

interface OnScreen extends ShownText {
  /** Start of the line on which the text was first shown; nothing before it changes meanwhile. */
  readonly anchor: number;
  /** That line and what follows, as accepting would make them. */
  readonly outcome: string;
  /** Counted as seen. */
  readonly isSeen: boolean;
}

export class Screen {
  #now: OnScreen | null = null;
  /** What stood there before the last key and agreed with it; no answer replaced it yet. */
  #expected: OnScreen | null = null;
  #shown = 0;
  #shownUnits = 0;
  #seen = 0;
  #accepted = 0;
  #partlyAccepted = 0;
  #agreedKeys = 0;
  #flickers = 0;

  /** The text that can be accepted now. */
  get text(): ShownText | null {
    return this.#now;
  }

  get counts(): SuggestionCounts {
    return {
      shown: this.#shown,
      shownUnits: this.#shownUnits,
      seen: this.#seen,
      accepted: this.#accepted,
      partlyAccepted: this.#partlyAccepted,
      agreedKeys: this.#agreedKeys,
      flickers: this.#flickers,
    };
  }

  /** A key wrote `written`; what stood there stays to be answered if it agrees. */
  typed(written: string, nowMs: number): void {
    const before = this.#now ?? this.#expected;
    const text = before?.edit.text ?? "";
    const agrees = before?.edit.replaceBefore === 0 && text.startsWith(written) && written !== "";
    if (before !== null && (!agrees || text === written)) this.#end(before, nowMs);
    this.#now = null;
    this.#expected = null;
    if (before === null || !agrees || text === written) return;
    this.#agreedKeys++;
    const edit = { ...before.edit, text: text.slice(written.length) };
    this.#expected = { ...before, edit };
  }

  /** The newest request was answered. True when a text came that did not stand there before. */
  answered(edit: CursorEdit | null, document: ScreenDocument, nowMs: number): boolean {
    const expected = this.#expected;
    this.#expected = null;
    const { buffer, cursor } = document;
    const anchor = expected?.anchor ?? buffer.lineStart(buffer.positionAt(cursor).line);
    const outcome = edit === null ? null : outcomeOf(edit, document, anchor);
    if (edit !== null && outcome !== null && outcome === expected?.outcome) {
      this.#now = { ...expected, edit };
      return false;
    }
    if (expected !== null) {
      this.#flickers++;
      this.#end(expected, nowMs);
    }
    if (edit === null || outcome === null) return false;
    this.#now = { edit, sinceMs: nowMs, anchor, outcome, isSeen: false };
    this.#shown++;
    this.#shownUnits += edit.text.length - edit.replaceBefore;
    return true;
  }

  /** The person takes it, or the beginning of it, which the steps are that follow. */
  accepted(how: "whole" | "part"): void {
    if (how === "whole") this.#accepted++;
    else this.#partlyAccepted++;
    const now = this.#now;
    if (now === null) return;
    this.#see(now);
    this.#now = { ...now, isSeen: true };
  }

  /** A part of it, or all, stands in the document now. */
  took(edit: CursorEdit): void {
    const before = this.#now ?? this.#expected;
    this.#now = null;
    this.#expected = null;
    if (before === null || before.edit.text.length <= edit.text.length) return;
    const rest = { text: before.edit.text.slice(edit.text.length), replaceBefore: 0 };
    this.#expected = { ...before, edit: { ...before.edit, ...rest } };
  }

  /** The editor is closed. */
  close(nowMs: number): void {
    const last = this.#now ?? this.#expected;
    if (last !== null) this.#end(last, nowMs);
    this.#now = null;
    this.#expected = null;
  }

  #end(text: OnScreen, nowMs: number): void {
    if (nowMs - text.sinceMs >= MIN_VISIBLE_MS) this.#see(text);
  }

  #see({ isSeen }: OnScreen): void {
    if (!isSeen) this.#seen++;
  }
}

function outcomeOf(edit: CursorEdit, { buffer, cursor }: ScreenDocument, anchor: number): string {
  const { line } = buffer.positionAt(cursor);
  const lineEnd = buffer.lineStart(line) + buffer.lineAt(line).length;
  const before = buffer.slice(anchor, cursor - edit.replaceBefore);
  return before + edit.text + buffer.slice(cursor + edit.replaceAfter, lineEnd);
}
