import { join } from "node:path";
import { contentOf } from "./file-content.ts";
import { FolderRules } from "./folder-rules.ts";
import { readPlainFile } from "./plain-file.ts";
import type { WatchedChanges } from "./watch.ts";

/** A saved file; `text` is `null` when it is gone or no longer one that the index holds. */
export interface FileChange {
  readonly path: string;
  readonly text: string | null;
}

/** Turns what a watch saw into what a model must know: texts of files, one by one. */
export class SavedFiles {
  readonly #root: string;
  readonly #deny: readonly string[];
  readonly #maxFileBytes: number;
  /** Files that count by a text told here; the index may hold none of them. */
  readonly #told = new Set<string>();

  /** `root` is a real path. */
  constructor(
    root: string,
    options: { readonly deny: readonly string[]; readonly maxFileBytes: number },
  ) {
    this.#root = root;
    this.#deny = options.deny;
    this.#maxFileBytes = options.maxFileBytes;
  }

  /** The changes in order. `indexed` are the files of the index in use. */
  async *changesOf(
    { changed, removed, areRulesNew }: WatchedChanges,
    indexed: readonly { readonly path: string }[],
  ): AsyncGenerator<FileChange> {
    const gone = new Set(removed);
    for (const folder of removed) {
      for (const { path } of indexed) if (path.startsWith(`${folder}/`)) gone.add(path);
      for (const path of this.#told) if (path.startsWith(`${folder}/`)) gone.add(path);
    }
    if (areRulesNew) {
      // What the index holds of them goes with the next run; what was told must be taken back.
      const rules = await FolderRules.atRoot(this.#root, { deny: this.#deny });
      for (const path of this.#told) {
        if ((await rules.leavesOutPath(path)) !== null) gone.add(path);
      }
    }
    for (const path of gone) {
      this.#told.delete(path);
      yield { path, text: null };
    }
    for (const path of changed) {
      const text = await this.#read(path);
      if (text === null) this.#told.delete(path);
      else this.#told.add(path);
      yield { path, text };
    }
  }

  async #read(path: string): Promise<string | null> {
    try {
      const file = await readPlainFile(join(this.#root, path), {
        maxBytes: this.#maxFileBytes,
        links: "refused",
      });
      const content = file.kind === "bytes" ? contentOf(file.bytes) : file;
      return content.kind === "text" ? content.text : null;
    } catch {
      // It went away between the event and now; the next event says so.
      return null;
    }
  }
}
