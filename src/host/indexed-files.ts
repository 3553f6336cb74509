import { join } from "node:path";
import { hashText } from "../base/hash.ts";
import { IndexBuilder, type IndexedFile, type LocalIndex } from "../local/index.ts";
import { contentOf } from "./file-content.ts";
import { fileErrorCode, isMissing } from "./file-error.ts";
import type { LeftOutTally } from "./left-out.ts";
import { readPlainFileSync } from "./plain-file.ts";
import type { FoundFile } from "./walk.ts";

/**
 * Takes files into an index, from a known index where nothing changed. Reads without yielding: it runs
 * in a thread of its own.
 */
export class IndexedFiles {
  readonly #root: string;
  readonly #maxFileBytes: number;
  readonly #tally: LeftOutTally;
  readonly #previous: LocalIndex | null;
  readonly #known: ReadonlyMap<string, IndexedFile>;
  readonly #builder: IndexBuilder;
  /** Files of which neither size nor time changed; copied only when there will be a new index. */
  #waiting: IndexedFile[] = [];
  #sameFiles = 0;

  constructor(options: {
    readonly root: string;
    readonly maxFileBytes: number;
    readonly previous: LocalIndex | null;
    readonly tally: LeftOutTally;
  }) {
    this.#root = options.root;
    this.#maxFileBytes = options.maxFileBytes;
    this.#tally = options.tally;
    this.#previous = options.previous;
    this.#known = new Map(options.previous?.files.map((file) => [file.path, file]));
    this.#builder = new IndexBuilder(options.previous ?? undefined);
  }

  get lexedFiles(): number {
    return this.#builder.lexedFiles;
  }

  get reusedFiles(): number {
    return this.#builder.reusedFiles + this.#waiting.length;
  }

  /** The known index when it holds exactly the files taken, unchanged; else `null`. */
  get unchanged(): LocalIndex | null {
    const previous = this.#previous;
    const isSame = previous !== null && this.#sameFiles === previous.files.length;
    return isSame && this.lexedFiles === 0 ? previous : null;
  }

  /** Takes a file, each once. What cannot be read or is no code is counted. */
  take(file: FoundFile): void {
    const known = this.#known.get(file.path);
    const isSame = known?.sizeBytes === file.sizeBytes && known.modifiedMs === file.modifiedMs;
    if (isSame) {
      this.#waiting.push(known);
      this.#sameFiles++;
      return;
    }
    const text = this.#read(file.path);
    if (text === null) return;
    const indexed = { ...file, hash: hashText(text) };
    if (!this.#builder.reuse(indexed)) this.#builder.add(indexed, text);
  }

  /** The index of all files taken so far. */
  build(): LocalIndex {
    for (const file of this.#waiting) this.#builder.reuse(file);
    this.#waiting = [];
    return this.#builder.build();
  }

  #read(path: string): string | null {
    try {
      const file = readPlainFileSync(join(this.#root, path), {
        maxBytes: this.#maxFileBytes,
        links: "refused",
      });
      const content = file.kind === "bytes" ? contentOf(file.bytes) : file;
      if (content.kind === "text") return content.text;
      this.#tally.add(content.reason);
    } catch (error) {
      if (isMissing(error)) {
        this.#tally.add("vanished");
      } else {
        const message = `cannot be read (${fileErrorCode(error)})`;
        this.#tally.addProblem("unreadable", { path, message });
      }
    }
    return null;
  }
}
