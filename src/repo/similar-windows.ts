/**
 * Windows of open documents that look like the surroundings of the cursor: 60 lines each, 20 apart,
 * compared as sets of identifiers (Jaccard), as editors' own assistants have done since 2022.
 * A window's set is made once for each version of a document. Cost of a query: O(identifiers of all
 * windows), about 0.2 ms for 20 documents.
 */
import type { TextBuffer } from "../base/text-buffer.ts";
import type { SeenDocument } from "./document-ring.ts";
import { forEachIdentifier } from "./words.ts";

/** A window and how like the query it is, 0..1. */
export interface SimilarWindow {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly score: number;
}

export const WINDOW_LINES = 60;
const STRIDE_LINES = 20;
/** Less alike than this misleads small models more than it helps. */
const MIN_SCORE = 0.15;
/** Names that this share of the windows has tell nothing, once there are enough windows to tell. */
const COMMON_SHARE = 0.3;
const MIN_WINDOWS_FOR_COMMON = 20;
/** Larger documents are data. */
const MAX_UNITS = 200_000;
/** Names beyond this many are forgotten, and windows made anew. */
const MAX_NAMES = 200_000;

interface Window {
  readonly line: number;
  readonly endLine: number;
  readonly names: Int32Array;
}

export class SimilarWindows {
  #ids = new Map<string, number>();
  #windows = new WeakMap<TextBuffer, readonly Window[]>();

  /** The best window of each document, best first; those under 0.15 are left out. */
  find(query: string, documents: readonly SeenDocument[]): SimilarWindow[] {
    if (this.#ids.size > MAX_NAMES) {
      this.#ids = new Map();
      this.#windows = new WeakMap();
    }
    const all = documents.map((document) => ({ document, windows: this.#of(document.buffer) }));
    const asked = this.#namesOf(query);
    const common = this.#common(all.flatMap(({ windows }) => windows));
    const isAsked = new Uint8Array(this.#ids.size);
    let askedCount = 0;
    for (const name of asked) {
      if (common[name] === 1) continue;
      isAsked[name] = 1;
      askedCount++;
    }
    const found: SimilarWindow[] = [];
    for (const { document, windows } of all) {
      let best: SimilarWindow | null = null;
      for (const { line, endLine, names } of windows) {
        let shared = 0;
        let count = 0;
        for (let i = 0; i < names.length; i++) {
          const name = names[i] as number;
          if (common[name] === 1) continue;
          count++;
          shared += isAsked[name] as number;
        }
        const score = shared === 0 ? 0 : shared / (askedCount + count - shared);
        if (score < MIN_SCORE || (best !== null && score <= best.score)) continue;
        best = { path: document.path, line, endLine, score };
      }
      if (best !== null) found.push(best);
    }
    return found.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  }

  #of(buffer: TextBuffer): readonly Window[] {
    const known = this.#windows.get(buffer);
    if (known !== undefined) return known;
    const windows: Window[] = [];
    if (buffer.length <= MAX_UNITS) {
      for (let line = 0; line < buffer.lineCount; line += STRIDE_LINES) {
        const endLine = Math.min(buffer.lineCount, line + WINDOW_LINES);
        const end = endLine < buffer.lineCount ? buffer.lineStart(endLine) : buffer.length;
        const names = this.#namesOf(buffer.slice(buffer.lineStart(line), end));
        windows.push({ line, endLine, names: Int32Array.from(names) });
        if (endLine === buffer.lineCount) break;
      }
    }
    this.#windows.set(buffer, windows);
    return windows;
  }

  #namesOf(text: string): Set<number> {
    const names = new Set<number>();
    forEachIdentifier(text, { start: 0, end: text.length }, (start, end) => {
      const name = text.slice(start, end);
      let id = this.#ids.get(name);
      if (id === undefined) {
        id = this.#ids.size;
        this.#ids.set(name, id);
      }
      names.add(id);
    });
    return names;
  }

  /** 1 for each name that too many windows have. */
  #common(windows: readonly Window[]): Uint8Array {
    const common = new Uint8Array(this.#ids.size);
    if (windows.length < MIN_WINDOWS_FOR_COMMON) return common;
    const counts = new Uint16Array(this.#ids.size);
    for (const { names } of windows) {
      for (let i = 0; i < names.length; i++) {
        const name = names[i] as number;
        const count = (counts[name] as number) + 1;
        counts[name] = count;
        if (count > windows.length * COMMON_SHARE) common[name] = 1;
      }
    }
    return common;
  }
}
