import { Lexer } from "./lexer.ts";
import type { IndexedFile, LocalIndex } from "./local-index.ts";
import { sharedInt32 } from "./shared-memory.ts";
import { sortPositions } from "./sort-positions.ts";
import { TokenBuffer } from "./token-buffer.ts";
import { HOLE, SEPARATOR, Vocabulary } from "./vocabulary.ts";

/** Units of a line beyond this many are not learned: nobody types such lines. */
export const MAX_LINE_UNITS = 2000;

/**
 * Makes an index, file by file. Add the newest files first and call `build` after the first few for
 * answers within a second; call it again when all are in. About 0.1 µs per unit of code.
 */
export class IndexBuilder {
  readonly #vocabulary = new Vocabulary();
  readonly #lexer = new Lexer(this.#vocabulary);
  readonly #tokens = new TokenBuffer(1 << 16);
  readonly #files: IndexedFile[] = [];
  readonly #fileStarts: number[] = [1];
  readonly #previous: LocalIndex | null;
  readonly #previousFiles: ReadonlyMap<string, number>;
  /** Id here of an id of the previous index; 0 while unknown. */
  readonly #translated: Int32Array;
  readonly #previousVocabulary: Vocabulary;
  #lexedFiles = 0;
  #reusedFiles = 0;
  #codeBytes = 0;

  /** `previous`: an index of which unchanged files are taken without lexing them again. */
  constructor(previous?: LocalIndex) {
    this.#previous = previous ?? null;
    this.#previousFiles = new Map(previous?.files.map((file, index) => [file.path, index]));
    this.#translated = new Int32Array(previous?.vocabulary.size ?? 0);
    this.#previousVocabulary = new Vocabulary(previous?.vocabulary);
    this.#tokens.push(SEPARATOR);
  }

  /** Files whose text was lexed. */
  get lexedFiles(): number {
    return this.#lexedFiles;
  }

  /** Files taken from the previous index. */
  get reusedFiles(): number {
    return this.#reusedFiles;
  }

  /** Bytes of code in all files so far, as the files say. */
  get codeBytes(): number {
    return this.#codeBytes;
  }

  /** Takes a file from the previous index; false when it is not there with this path and hash. */
  reuse(file: IndexedFile): boolean {
    const previous = this.#previous;
    const index = this.#previousFiles.get(file.path);
    if (previous === null || index === undefined) return false;
    if (previous.files[index]?.hash !== file.hash) return false;
    const start = previous.fileStarts[index] as number;
    const end = (previous.fileStarts[index + 1] as number) - 1;
    for (let at = start; at < end; at++) {
      this.#tokens.push(this.#translate(previous.tokens[at] as number));
    }
    this.#reusedFiles++;
    this.#close(file);
    return true;
  }

  /** Lexes a file. Any text is taken; of overlong lines the first 2,000 units. */
  add(file: IndexedFile, text: string): void {
    this.#lexer.indent = "";
    this.#lexer.lex(text, 0, text.length, this.#tokens, { maxLineUnits: MAX_LINE_UNITS });
    this.#lexedFiles++;
    this.#close(file);
  }

  /** The index of all files so far. It shares nothing with the builder; more files may follow. */
  build(): LocalIndex {
    const vocabulary = this.#vocabulary.freeze();
    const tokens = sharedInt32(this.#tokens.length);
    tokens.set(this.#tokens.tokens.subarray(0, this.#tokens.length));
    const positions = sharedInt32(tokens.length - 1);
    const buckets = sharedInt32(vocabulary.size + 1);
    sortPositions(tokens, positions, buckets);
    const fileStarts = sharedInt32(this.#fileStarts.length);
    fileStarts.set(this.#fileStarts);
    return {
      files: [...this.#files],
      fileStarts,
      vocabulary,
      tokens,
      positions,
      buckets,
      codeBytes: this.#codeBytes,
    };
  }

  #close(file: IndexedFile): void {
    this.#tokens.push(SEPARATOR);
    this.#files.push(file);
    this.#fileStarts.push(this.#tokens.length);
    this.#codeBytes += file.sizeBytes;
  }

  #translate(token: number): number {
    if (token <= HOLE) return token;
    const known = this.#translated[token] as number;
    if (known !== 0) return known;
    const text = this.#previousVocabulary.text(token);
    const id = this.#vocabulary.intern(text, 0, text.length);
    this.#translated[token] = id;
    return id;
  }
}
