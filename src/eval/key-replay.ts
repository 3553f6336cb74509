/**
 * Key presses of somebody who writes a stretch of a real file, as an editor makes edits of them: a
 * bracket that closes on its line gets its partner at once, which is typed over later, and a new line
 * comes with its indentation.
 */
import type { SourceFile } from "./source-file.ts";

/** A file with a stretch left out, and the keys that write it. */
export interface TypingSession {
  readonly file: SourceFile;
  /** The file without the stretch. */
  readonly text: string;
  readonly keys: readonly KeyPress[];
}

/** What one key does to the document. */
export interface KeyPress {
  /** `null` when the key types over what the editor had put there. */
  readonly edit: { readonly start: number; readonly end: number; readonly text: string } | null;
  /** The cursor after it. */
  readonly offset: number;
}

const partners: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/**
 * About `keys` keys from the first code line behind the middle of the file; whole lines. `null` for a
 * file that is shorter than `minUnits`.
 */
export function typingSession(
  file: SourceFile,
  options: { readonly keys: number; readonly minUnits: number },
): TypingSession | null {
  const text = file.text.replaceAll("\r\n", "\n");
  if (text.length < options.minUnits) return null;
  const start = stretchStart(text);
  const lines = text.slice(start).split("\n");
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length >= options.keys) break;
  }
  const end = Math.min(text.length, start + length);
  const written = text.slice(start, end).replace(/\n$/, "");
  const rest = text.slice(start + written.length);
  return { file, text: text.slice(0, start) + rest, keys: [...pressKeys(written, start)] };
}

/** A line without indentation after the middle: a person starts a new declaration there. */
function stretchStart(text: string): number {
  const middle = Math.floor(text.length / 2);
  const found = /\n\n(?=[A-Za-z@])/.exec(text.slice(middle));
  return found === null ? text.indexOf("\n", middle) + 1 : middle + found.index + 2;
}

function* pressKeys(written: string, start: number): Generator<KeyPress> {
  let at = start;
  /** Closers right of the cursor, the nearest first. */
  let closers: string[] = [];
  for (const line of written.split(/(?<=\n)/)) {
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    // The first line's indentation is typed as well; that of others came with the line end.
    for (let i = at === start ? 0 : indent; i < line.length; i++) {
      const key = line[i] ?? "";
      if (key === "\n") break;
      if (closers[0] === key) {
        closers = closers.slice(1);
        at += 1;
        yield { edit: null, offset: at };
        continue;
      }
      const partner = partners[key];
      const closes = partner !== undefined && hasPartner(line, i);
      if (closes) closers = [partner, ...closers];
      yield { edit: { start: at, end: at, text: key + (closes ? partner : "") }, offset: at + 1 };
      at += 1;
    }
    if (line.endsWith("\n")) {
      const next = written.slice(at - start + 1);
      const text = `\n${/^[ \t]*/.exec(next)?.[0] ?? ""}`;
      // Brackets that cross leave one over, which the person deletes.
      yield { edit: { start: at, end: at + closers.length, text }, offset: at + text.length };
      closers = [];
      at += text.length;
    }
  }
}

/** Whether the bracket at `index` is closed on its line. */
function hasPartner(line: string, index: number): boolean {
  const open = line[index] ?? "";
  const close = partners[open];
  let depth = 0;
  for (let i = index; i < line.length; i++) {
    if (line[i] === open) depth++;
    if (line[i] === close && --depth === 0) return true;
  }
  return false;
}
