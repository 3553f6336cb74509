/** Small facts about lines that several filters share. */
import type { Language } from "../language-table.ts";

/** True when the text holds a letter or a digit of any script: only then can it be an echo. */
export function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** The end of the line on which `offset` stands: the offset of its `\n`, or the text's length. */
export function lineEndFrom(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at;
}

/** Number of units of blank lines at the start of a text: the offset at which its first line starts. */
export function blankLinesAtStart(text: string): number {
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", start)) {
    if (text.slice(start, at).trim() !== "") break;
    start = at + 1;
  }
  return start;
}

/** True when the text holds a letter of any script. */
export function hasLetter(text: string): boolean {
  return /\p{L}/u.test(text);
}

/** True for a line such as `});`. */
export function isClosersOnly(content: string): boolean {
  for (const char of content) {
    if (!")]};, \t".includes(char)) return false;
  }
  return content !== "";
}

/** True when the line begins with one of the words, as a whole word. */
export function startsWithWord(content: string, words: readonly string[]): boolean {
  return words.some((word) => {
    if (!content.startsWith(word)) return false;
    const next = content.charAt(word.length);
    return next === "" || !/[\w$]/.test(next) || !/\w$/.test(word);
  });
}

/** True when the next line is expected one step deeper. */
export function opensBlock(line: string, language: Language): boolean {
  const content = line.trim();
  const last = content.charAt(content.length - 1);
  if (last === "{" || last === "(" || last === "[") return true;
  switch (language.blocks) {
    case "indentation":
      return last === ":";
    case "keywords":
      return /\b(?:do|then|else)$/.test(content) || startsWithWord(content, blockWords);
    case "brackets":
      return last === ":" || (startsWithWord(content, headWords) && !/[;}]$/.test(content));
    case "none":
      return false;
  }
}

/** Heads of statements that may go without braces. */
const headWords = ["if", "else", "for", "foreach", "while", "do"];
const blockWords = ["def", "class", "module", "if", "unless", "while", "for", "case", "function"];
