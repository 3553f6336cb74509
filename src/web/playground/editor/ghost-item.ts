import type { CursorEdit } from "../../../core/index.ts";

/** The cursor's line, in the columns of the editor: they count from 1. */
export interface CursorLine {
  readonly lineNumber: number;
  readonly column: number;
  readonly text: string;
}

/** What an editor replaces, and by what. */
export interface GhostReplacement {
  readonly insertText: string;
  readonly range: {
    readonly startLineNumber: number;
    readonly startColumn: number;
    readonly endLineNumber: number;
    readonly endColumn: number;
  };
}

/**
 * The edit as the editor wants it: from the start of the line, because such an item survives typing,
 * deleting and accepting by words, and up to the line's end when the text has several lines, because
 * the editor draws no other ones. The document after acceptance is the same.
 */
export function replacementFor(edit: CursorEdit, line: CursorLine): GhostReplacement {
  const before = line.text.slice(0, line.column - 1 - edit.replaceBefore);
  const rest = line.text.slice(line.column - 1 + edit.replaceAfter);
  const coversRest = edit.text.includes("\n");
  return {
    insertText: before + edit.text + (coversRest ? rest : ""),
    range: {
      startLineNumber: line.lineNumber,
      startColumn: 1,
      endLineNumber: line.lineNumber,
      endColumn: coversRest ? line.text.length + 1 : line.column + edit.replaceAfter,
    },
  };
}
