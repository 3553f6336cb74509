/**
 * Texts of indexed files for snippets. Reading a file takes longer than a key press may, so what is in
 * memory is given at once and the rest is fetched for the next question. A text that is not the one
 * that was indexed is not given: the lines of a chunk would be others.
 */
import { join } from "node:path";
import { hashText } from "../base/hash.ts";
import { LruMap } from "../base/lru.ts";
import type { FileTexts, SegmentFile } from "../repo/index.ts";
import { contentOf } from "./file-content.ts";
import { readPlainFile } from "./plain-file.ts";

const MAX_FILES = 256;
const MAX_UNITS = 8_000_000;

export class WorkspaceTexts implements FileTexts {
  readonly #root: string;
  readonly #maxFileBytes: number;
  readonly #texts = new LruMap<string, string>(MAX_FILES, {
    max: MAX_UNITS,
    of: (text) => text.length + 100,
  });
  readonly #loading = new Map<string, Promise<void>>();

  constructor(options: { readonly root: string; readonly maxFileBytes: number }) {
    this.#root = options.root;
    this.#maxFileBytes = options.maxFileBytes;
  }

  textOf(file: SegmentFile): string | null {
    return this.#texts.get(keyOf(file)) ?? null;
  }

  load(file: SegmentFile): Promise<void> {
    const key = keyOf(file);
    if (this.#texts.get(key) !== undefined) return Promise.resolve();
    let loading = this.#loading.get(key);
    if (loading === undefined) {
      loading = this.#read(file).finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  async #read(file: SegmentFile): Promise<void> {
    let text = "";
    try {
      const read = await readPlainFile(join(this.#root, file.path), {
        maxBytes: this.#maxFileBytes,
        links: "refused",
      });
      const content = read.kind === "bytes" ? contentOf(read.bytes) : read;
      // Remembered as empty: it is not read again for each question.
      if (content.kind === "text" && hashText(content.text) === file.hash) text = content.text;
    } catch {
      // It went away; the index will know soon.
    }
    this.#texts.set(keyOf(file), text);
  }
}

function keyOf({ path, hash }: SegmentFile): string {
  return `${path}\0${hash}`;
}
