/**
 * The documents that a person has open, the most recent last, and where they changed them. What changed
 * is found by comparing blocks, which versions share, so a key press costs one block.
 */
import { commonPrefixLength, commonSuffixLength } from "../base/text.ts";
import type { TextBuffer } from "../base/text-buffer.ts";

/** A document as it was last seen. */
export interface SeenDocument {
  readonly path: string;
  readonly languageId: string;
  readonly buffer: TextBuffer;
}

/** Lines that a person changed. */
export interface EditedLines {
  readonly path: string;
  /** Lines `[line, endLine)` of the document as it is now. */
  readonly line: number;
  readonly endLine: number;
}

const MAX_DOCUMENTS = 20;
const MAX_EDITS = 16;
/** Edits this near to each other are one. */
const NEAR_LINES = 6;
/** An edit of more lines is a paste or a tool's work; its end says enough. */
const MAX_EDIT_LINES = 24;

export class DocumentRing {
  /** In the order of use, the newest last. */
  readonly #documents = new Map<string, SeenDocument>();
  #edits: readonly EditedLines[] = [];

  /** The newest last. */
  get documents(): readonly SeenDocument[] {
    return [...this.#documents.values()];
  }

  /** The newest last; an edit that is continued moves to the end. */
  get edits(): readonly EditedLines[] {
    return this.#edits;
  }

  /** Takes note of a document as it is now; it becomes the newest. */
  see(document: SeenDocument): void {
    const { path, buffer } = document;
    const known = this.#documents.get(path);
    this.#documents.delete(path);
    this.#documents.set(path, document);
    if (known !== undefined && known.buffer !== buffer) this.#note(path, known.buffer, buffer);
    for (const oldest of this.#documents.keys()) {
      if (this.#documents.size <= MAX_DOCUMENTS) break;
      this.forget(oldest);
    }
  }

  /** Forgets a document and its edits. */
  forget(path: string): void {
    this.#documents.delete(path);
    this.#edits = this.#edits.filter((edit) => edit.path !== path);
  }

  #note(path: string, before: TextBuffer, after: TextBuffer): void {
    const change = changedLines(before, after);
    if (change === null) return;
    const { line, endLine, addedLines } = change;
    let merged = { path, line: Math.max(line, endLine - MAX_EDIT_LINES), endLine };
    const others: EditedLines[] = [];
    for (const edit of this.#edits) {
      if (edit.path !== path) {
        others.push(edit);
        continue;
      }
      const moved = edit.line > line ? addedLines : 0;
      const start = Math.max(0, edit.line + moved);
      const end = Math.max(start + 1, edit.endLine + (edit.endLine > line ? addedLines : 0));
      const isNear = start <= merged.endLine + NEAR_LINES && merged.line <= end + NEAR_LINES;
      const [from, to] = [Math.min(start, merged.line), Math.max(end, merged.endLine)];
      if (isNear && to - from <= MAX_EDIT_LINES) merged = { path, line: from, endLine: to };
      else if (!isNear) others.push({ path, line: start, endLine: end });
    }
    this.#edits = [...others, merged].slice(-MAX_EDITS);
  }
}

/** Lines of `after` in which it differs from `before`; `null` when it does not. */
function changedLines(
  before: TextBuffer,
  after: TextBuffer,
): { readonly line: number; readonly endLine: number; readonly addedLines: number } | null {
  const [old, now] = [before.blocks, after.blocks];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const oldText = joined(old.slice(head, old.length - tail));
  const nowText = joined(now.slice(head, now.length - tail));
  if (oldText === nowText) return null;
  const start = commonPrefixLength(oldText, nowText);
  const same = Math.min(commonSuffixLength(oldText, nowText), nowText.length - start);
  const offset = now.slice(0, head).reduce((sum, { text }) => sum + text.length, 0);
  const { line } = after.positionAt(offset + start);
  const end = after.positionAt(offset + nowText.length - same);
  return { line, endLine: end.line + 1, addedLines: after.lineCount - before.lineCount };
}

function joined(blocks: readonly { readonly text: string }[]): string {
  return blocks.map(({ text }) => text).join("");
}
