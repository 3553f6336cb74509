/**
 * One pass over a workspace: walk, compare with what is known, lex the rest, store. Files of known
 * size and time are taken without a read; others by the hash of their text; only new text is lexed.
 * Without a known index the newest files make a small one first, so that answers start early.
 */
import type { LocalIndex } from "../local/index.ts";
import { findFiles } from "./find-files.ts";
import { IndexStore, type IndexWarning, localIndexForm, type StoreResult } from "./index-store.ts";
import { IndexedFiles } from "./indexed-files.ts";
import { type FileProblem, type LeftOutReason, LeftOutTally } from "./left-out.ts";
import type { FoundFile } from "./walk.ts";
import { realWorkspace } from "./walk.ts";

/** What a run depends on. Complete: the caller has put in every default. */
export interface IndexRunOptions {
  readonly root: string;
  /** The cache folder of Midspan; `null`: nothing is read or stored. */
  readonly cacheFolder: string | null;
  /** The person's own patterns of files that are never read. */
  readonly deny: readonly string[];
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  /** All stored indexes together. */
  readonly maxStateBytes: number;
  /** The index in use; `null` at the start: then the stored one is loaded. */
  readonly previous: LocalIndex | null;
}

/** How far a run is. */
export interface IndexProgress {
  /** Grows while the workspace is walked. */
  readonly filesTotal: number;
  readonly filesDone: number;
}

/** Who is told while a run goes on. */
export interface IndexListener {
  /** The files that the index is to hold, the newest first, before any is read. */
  onFiles(files: readonly FoundFile[]): void;
  /** An index to use from now on; the whole one comes last. */
  onIndex(index: LocalIndex, isWhole: boolean): void;
  onProgress(progress: IndexProgress): void;
  onWarning(warning: IndexWarning): void;
  /** Called between batches. `isBusy`: files are lexed, so the thread should stand back. */
  pause(run: { readonly isBusy: boolean }): Promise<void>;
  /** All files were looked at, and a new index is made of them: a second of hard work in a large workspace. */
  onBuild(): void;
}

/** What a run did. */
export interface IndexReport {
  /** Files in the index. */
  readonly files: number;
  readonly lexedFiles: number;
  /** Taken from the known index without lexing. */
  readonly reusedFiles: number;
  /** Bytes of the files in the index. */
  readonly bytes: number;
  /** What was left out, by reason; a folder counts once. */
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, number>>>;
  /** At most 20 examples of what cannot be read. */
  readonly problems: readonly FileProblem[];
  readonly stored: StoreResult;
  readonly ms: number;
}

/** The small first index holds about this much code: 0.2 s of lexing and sorting. */
const FIRST_INDEX_BYTES = 1_000_000;

const BATCH_FILES = 32;

/** Runs once. Throws `WORKSPACE_UNREADABLE`; all else that goes wrong is a warning or a count. */
export async function runIndex(
  options: IndexRunOptions,
  listener: IndexListener,
): Promise<IndexReport> {
  const startedMs = performance.now();
  const root = await realWorkspace(options.root);
  const common = { root, maxFileBytes: options.maxFileBytes };
  const warn = (warning: IndexWarning): void => listener.onWarning(warning);
  const { cacheFolder, maxStateBytes: maxBytes } = options;
  const store = await IndexStore.open({ form: localIndexForm, cacheFolder, root, maxBytes, warn });
  try {
    const stored = options.previous === null ? await store.load() : null;
    if (stored !== null) listener.onIndex(stored, false);
    let known = options.previous ?? stored;
    const isCold = known === null;
    let firstLexedFiles = 0;
    // A run that knows nothing makes a small index first and takes that for what is known.
    const makeFirst = (files: readonly FoundFile[]): void => {
      if (known !== null) return;
      const first = new IndexedFiles({ ...common, previous: null, tally: new LeftOutTally() });
      for (const file of upTo(FIRST_INDEX_BYTES, files)) first.take(file);
      firstLexedFiles = first.lexedFiles;
      known = first.build();
      listener.onIndex(known, false);
    };
    const tally = new LeftOutTally();
    const files = await findFiles(root, {
      ...options,
      tally,
      onFound: (filesTotal) => listener.onProgress({ filesTotal, filesDone: 0 }),
      onSlow: makeFirst,
      warn,
    });
    listener.onFiles(files);
    const isSmall = upTo(2 * FIRST_INDEX_BYTES, files).length === files.length;
    if (!isSmall) makeFirst(files);

    const indexed = new IndexedFiles({ ...common, previous: known, tally });
    for (const [filesDone, file] of files.entries()) {
      if (filesDone % BATCH_FILES === 0) {
        listener.onProgress({ filesTotal: files.length, filesDone });
        await listener.pause({ isBusy: indexed.lexedFiles > 0 });
      }
      indexed.take(file);
    }
    const { unchanged } = indexed;
    if (unchanged === null) listener.onBuild();
    listener.onProgress({ filesTotal: files.length, filesDone: files.length });
    const index = unchanged ?? indexed.build();
    listener.onIndex(index, true);
    return {
      files: index.files.length,
      lexedFiles: firstLexedFiles + indexed.lexedFiles,
      reusedFiles: isCold ? 0 : indexed.reusedFiles,
      bytes: index.codeBytes,
      leftOut: tally.counts,
      problems: tally.problems,
      stored: index === stored ? "unchanged" : await store.save(index),
      ms: performance.now() - startedMs,
    };
  } finally {
    await store.close();
  }
}

/** The first files that hold `bytes` together, or all. */
function upTo(bytes: number, files: readonly FoundFile[]): readonly FoundFile[] {
  let sum = 0;
  const end = files.findIndex((file) => {
    sum += file.sizeBytes;
    return sum > bytes;
  });
  return end < 0 ? files : files.slice(0, end);
}
