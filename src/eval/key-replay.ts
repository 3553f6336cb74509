/** The key presses of somebody who writes a stretch of a real file without any suggestion. */
import { stretchFrom } from "./replay/replay-tasks.ts";
import { TypedStretch } from "./replay/typed-stretch.ts";
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
  const stretch = stretchFrom(text, stretchStart(text), options.keys);
  const script = new TypedStretch(stretch);
  const keys: KeyPress[] = [];
  for (let key = script.next(); key !== null; key = script.next()) {
    keys.push({ edit: key.edit, offset: key.cursor });
  }
  return { file, text: script.text, keys };
}

/** A line without indentation after the middle: a person starts a new declaration there. */
function stretchStart(text: string): number {
  const middle = Math.floor(text.length / 2);
  const found = /\n\n(?=[A-Za-z@])/.exec(text.slice(middle));
  return found === null ? text.indexOf("\n", middle) + 1 : middle + found.index + 2;
}
