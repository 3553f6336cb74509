/**
 * What is known of the files of a workspace, kept up to date: a large segment, and a small one of files
 * that changed since. Only text that changed is parsed. Runs in a thread of its own, one call at a time.
 */
import { join } from "node:path";
import { hashText } from "../base/hash.ts";
import { languageOfPath } from "../core/index.ts";
import {
  indexSegment,
  SegmentBuilder,
  type SegmentData,
  type SegmentFile,
  type SegmentIndexData,
} from "../repo/index.ts";
import type { Syntax } from "../syntax/index.ts";
import { contentOf } from "./file-content.ts";
import { readPlainFile } from "./plain-file.ts";
import type { FoundFile } from "./walk.ts";

/** What is known, as threads hand it over. */
export interface SymbolParts {
  /** The large segment; `null`: the one that was handed over last. */
  readonly base: SegmentIndexData | null;
  /** Files of it that changed since, or are gone. */
  readonly hidden: readonly number[];
  /** Files that changed since; `null`: none that is still there. */
  readonly delta: SegmentIndexData | null;
}

/** Who is told while files are taken in. */
export interface SymbolListener {
  onParts(parts: SymbolParts): void;
  onProgress(progress: { readonly filesDone: number; readonly filesTotal: number }): void;
  /** Called in the middle of hard work, and not where nothing changed: the thread should stand back. */
  pause(): Promise<void>;
}

/** What a look through the workspace did. */
export interface SymbolReport {
  readonly files: number;
  readonly parsedFiles: number;
  readonly definitions: number;
  readonly isChanged: boolean;
  readonly ms: number;
}

/** The first files are the newest: they serve while the others are read. */
const FIRST_FILES = 300;
const BATCH_FILES = 8;

/** A file to take in: of the workspace, or the declarations of a dependency. */
export interface WantedFile extends FoundFile {
  readonly isNamesOnly: boolean;
}

export class SymbolTable {
  readonly #root: string;
  readonly #syntax: Syntax;
  readonly #maxFileBytes: number;
  #base: SegmentData;
  #baseIndex: SegmentIndexData;
  #delta: SegmentData | null = null;
  /** Paths that changed since the base was made; those that are gone are not in the delta. */
  readonly #changed = new Set<string>();
  #parsedFiles = 0;

  constructor(options: {
    /** Real path. */
    readonly root: string;
    readonly syntax: Syntax;
    readonly maxFileBytes: number;
    /** What was stored; `null`: nothing is known. */
    readonly stored: SegmentData | null;
  }) {
    this.#root = options.root;
    this.#syntax = options.syntax;
    this.#maxFileBytes = options.maxFileBytes;
    this.#base = options.stored ?? new SegmentBuilder().build();
    this.#baseIndex = indexSegment(this.#base);
  }

  /** The large segment, to be stored. */
  get base(): SegmentData {
    return this.#base;
  }

  /** Files that changed since the large segment was made. */
  get changedCount(): number {
    return this.#changed.size;
  }

  /** All that is known. */
  get parts(): SymbolParts {
    return { ...this.changes, base: this.#baseIndex };
  }

  /** What changed since the large segment was made. */
  get changes(): SymbolParts {
    const { files } = this.#base;
    const hidden =
      this.#changed.size === 0
        ? []
        : files.flatMap(({ path }, i) => (this.#changed.has(path) ? [i] : []));
    return {
      base: null,
      hidden,
      delta: this.#delta === null ? null : indexSegment(this.#delta),
    };
  }

  /** Makes the table that of exactly these files. */
  async sync(files: readonly WantedFile[], listener: SymbolListener): Promise<SymbolReport> {
    const startedMs = performance.now();
    const parsedBefore = this.#parsedFiles;
    const known = this.#known();
    const areSame =
      this.#changed.size === 0 &&
      files.length === this.#base.files.length &&
      files.every((file) => isSamePlace(known.get(file.path), file));
    if (areSame) return this.#report(startedMs, parsedBefore, false);
    // What is known serves meanwhile: nobody waits for the rest.
    if (known.size > 0) await listener.pause();
    const isFirst = known.size === 0 && files.length > 2 * FIRST_FILES;
    if (isFirst) {
      const first = new SegmentBuilder();
      await this.#takeAll(files.slice(0, FIRST_FILES), { known, into: first, listener, files });
      this.#adopt(first.build());
      listener.onParts(this.parts);
      for (const [path, place] of this.#known()) known.set(path, place);
    }
    const builder = new SegmentBuilder();
    const isChanged = await this.#takeAll(files, { known, into: builder, listener, files });
    const isSame =
      !isChanged && this.#changed.size === 0 && this.#base.files.length === files.length;
    if (!isSame) {
      this.#adopt(builder.build());
      listener.onParts(this.parts);
    }
    return this.#report(startedMs, parsedBefore, !isSame);
  }

  /** A file was saved; `null`: it is gone. */
  async change(path: string, text: string | null): Promise<void> {
    const builder = new SegmentBuilder();
    if (this.#delta !== null) {
      for (const [i, file] of this.#delta.files.entries()) {
        if (file.path !== path) builder.reuse(this.#delta, i, file);
      }
    }
    this.#changed.add(path);
    if (text !== null) {
      // Neither size nor time is known: the next look through the workspace compares the text.
      const file = { path, sizeBytes: -1, modifiedMs: 0, isNamesOnly: false };
      await this.#parse(file, text, hashText(text), builder);
    }
    this.#delta = builder.fileCount === 0 ? null : builder.build();
  }

  #report(startedMs: number, parsedBefore: number, isChanged: boolean): SymbolReport {
    return {
      files: this.#base.files.length,
      parsedFiles: this.#parsedFiles - parsedBefore,
      definitions: this.#base.definitionName.length,
      isChanged,
      ms: performance.now() - startedMs,
    };
  }

  #adopt(segment: SegmentData): void {
    this.#base = segment;
    this.#baseIndex = indexSegment(segment);
    this.#delta = null;
    this.#changed.clear();
  }

  #known(): Map<string, KnownFile> {
    const known = new Map<string, KnownFile>();
    for (const [number, file] of this.#base.files.entries()) {
      if (!this.#changed.has(file.path)) known.set(file.path, { from: this.#base, number, file });
    }
    const delta = this.#delta;
    for (const [number, file] of delta?.files.entries() ?? []) {
      if (delta !== null) known.set(file.path, { from: delta, number, file });
    }
    return known;
  }

  /** True when a text had to be read that is not the one known. */
  async #takeAll(
    wanted: readonly WantedFile[],
    options: {
      readonly known: ReadonlyMap<string, KnownFile>;
      readonly into: SegmentBuilder;
      readonly listener: SymbolListener;
      readonly files: readonly WantedFile[];
    },
  ): Promise<boolean> {
    const { known, into, listener, files } = options;
    let isChanged = false;
    let sinceRest = 0;
    for (const [filesDone, file] of wanted.entries()) {
      const before = known.get(file.path);
      if (before !== undefined && isSamePlace(before, file)) {
        into.reuse(before.from, before.number, before.file);
        continue;
      }
      isChanged = true;
      if (++sinceRest % BATCH_FILES === 0) {
        listener.onProgress({ filesDone, filesTotal: files.length });
        await listener.pause();
      }
      const text = await this.#read(file);
      if (text === null) {
        // Remembered without names, so that it is not read again.
        const languageId = languageOfPath(file.path);
        into.add({ ...file, hash: "", languageId, isNamesOnly: true }, "", null);
        continue;
      }
      const hash = hashText(text);
      if (before?.file.hash === hash) {
        into.reuse(before.from, before.number, { ...before.file, ...placeOf(file) });
      } else {
        await this.#parse(file, text, hash, into);
      }
    }
    listener.onProgress({ filesDone: wanted.length, filesTotal: files.length });
    return isChanged;
  }

  async #parse(
    { path, sizeBytes, modifiedMs, isNamesOnly }: WantedFile,
    text: string,
    hash: string,
    into: SegmentBuilder,
  ): Promise<void> {
    const languageId = languageOfPath(path);
    await this.#syntax.prepare(languageId);
    const outline = this.#syntax.outline(text, languageId);
    this.#parsedFiles++;
    const file: SegmentFile = { path, hash, sizeBytes, modifiedMs, languageId, isNamesOnly };
    into.add(file, text, outline);
  }

  /** `null` for what is no text, or cannot be read: the index of the local model counts those. */
  async #read({ path, isNamesOnly }: WantedFile): Promise<string | null> {
    try {
      const links = isNamesOnly ? "followed" : "refused";
      const file = await readPlainFile(join(this.#root, path), {
        maxBytes: this.#maxFileBytes,
        links,
      });
      const content = file.kind === "bytes" ? contentOf(file.bytes) : file;
      return content.kind === "text" ? content.text : null;
    } catch {
      return null;
    }
  }
}

/** Size and time tell a file that was not touched, without a read. */
function isSamePlace(known: KnownFile | undefined, file: FoundFile): boolean {
  return known?.file.sizeBytes === file.sizeBytes && known.file.modifiedMs === file.modifiedMs;
}

interface KnownFile {
  readonly from: SegmentData;
  readonly number: number;
  readonly file: SegmentFile;
}

function placeOf({
  sizeBytes,
  modifiedMs,
}: FoundFile): Pick<FoundFile, "sizeBytes" | "modifiedMs"> {
  return { sizeBytes, modifiedMs };
}
