/**
 * Makes a segment file by file: from a text and what its tree says, or from a segment in which the
 * same text was read before. Names that no file uses any longer do not come along.
 */
import type { Definition, FileOutline } from "../syntax/index.ts";
import { ByteList, IntList } from "./int-list.ts";
import { NameTable, nameText } from "./name-table.ts";
import { definitionKinds, EXPORTED, type SegmentData, type SegmentFile } from "./segment.ts";
import { pushUtf8 } from "./utf8.ts";
import { forEachIdentifier, forEachWord } from "./words.ts";

/** Longer signatures are cut at a line end, or here. */
const MAX_SIGNATURE = 400;
/** Chunks grow to at least this many lines where borders allow, and never beyond the second number. */
const CHUNK_LINES = { min: 12, max: 60 } as const;
/** More definitions of one file than this are data. */
const MAX_DEFINITIONS = 5_000;

export class SegmentBuilder {
  readonly #files: SegmentFile[] = [];
  readonly #names = new NameTable();
  readonly #definitionStarts = new IntList();
  readonly #definitionName = new IntList();
  readonly #definitionParent = new IntList();
  readonly #definitionKind = new ByteList();
  readonly #definitionLine = new IntList();
  readonly #signatureStarts = new IntList();
  readonly #signatures = new ByteList();
  readonly #referenceStarts = new IntList();
  readonly #referenceName = new IntList();
  readonly #chunkStarts = new IntList();
  readonly #chunkLine = new IntList();
  readonly #chunkEnd = new IntList();
  readonly #wordStarts = new IntList();
  readonly #wordName = new IntList();
  readonly #wordCount = new ByteList();
  /** Ids in a segment that files are taken from, plus 1, by its own ids. */
  readonly #renamed = new WeakMap<SegmentData, Int32Array>();
  /** By name: the last file, plus 1, that mentioned it; and how often a chunk had it. */
  #mentioned = new Int32Array(1 << 14);
  #counts = new Int32Array(1 << 14);

  get fileCount(): number {
    return this.#files.length;
  }

  /** Takes a file in. `outline` is `null` where no tree can be had: its words count all the same. */
  add(file: SegmentFile, text: string, outline: FileOutline | null): void {
    this.#startFile(file);
    const lines = lineStartsOf(text);
    const definitions = (outline?.definitions ?? []).slice(0, MAX_DEFINITIONS);
    for (const definition of definitions) this.#addDefinition(definition, text, lines, file);
    this.#addMentions(text, outline);
    if (!file.isNamesOnly) this.#addChunks(text, lines, outline?.chunkBorders ?? null);
  }

  /** Takes a file from a segment, under its new description. */
  reuse(from: SegmentData, fileNumber: number, file: SegmentFile): void {
    this.#startFile(file);
    const rename = this.#renamer(from);
    for (
      let i = at(from.definitionStarts, fileNumber);
      i < at(from.definitionStarts, fileNumber + 1);
      i++
    ) {
      const parent = at(from.definitionParent, i);
      this.#definitionName.push(rename(at(from.definitionName, i)));
      this.#definitionParent.push(parent < 0 ? -1 : rename(parent));
      this.#definitionKind.push(from.definitionKind[i] as number);
      this.#definitionLine.push(at(from.definitionLine, i));
      this.#signatureStarts.push(this.#signatures.length);
      const start = at(from.signatureStarts, i);
      this.#signatures.pushRange(from.signatures, start, at(from.signatureStarts, i + 1));
    }
    for (
      let i = at(from.referenceStarts, fileNumber);
      i < at(from.referenceStarts, fileNumber + 1);
      i++
    ) {
      this.#referenceName.push(rename(at(from.referenceName, i)));
    }
    for (
      let chunk = at(from.chunkStarts, fileNumber);
      chunk < at(from.chunkStarts, fileNumber + 1);
      chunk++
    ) {
      this.#chunkLine.push(at(from.chunkLine, chunk));
      this.#chunkEnd.push(at(from.chunkEnd, chunk));
      this.#wordStarts.push(this.#wordName.length);
      for (let i = at(from.wordStarts, chunk); i < at(from.wordStarts, chunk + 1); i++) {
        this.#wordName.push(rename(at(from.wordName, i)));
        this.#wordCount.push(from.wordCount[i] as number);
      }
    }
  }

  /** The segment of all files taken so far. The builder is not used afterwards. */
  build(): SegmentData {
    this.#definitionStarts.push(this.#definitionName.length);
    this.#signatureStarts.push(this.#signatures.length);
    this.#referenceStarts.push(this.#referenceName.length);
    this.#chunkStarts.push(this.#chunkLine.length);
    this.#wordStarts.push(this.#wordName.length);
    return {
      files: this.#files,
      names: this.#names.freeze(),
      definitionStarts: this.#definitionStarts.toShared(),
      definitionName: this.#definitionName.toShared(),
      definitionParent: this.#definitionParent.toShared(),
      definitionKind: this.#definitionKind.toShared(),
      definitionLine: this.#definitionLine.toShared(),
      signatureStarts: this.#signatureStarts.toShared(),
      signatures: this.#signatures.toShared(),
      referenceStarts: this.#referenceStarts.toShared(),
      referenceName: this.#referenceName.toShared(),
      chunkStarts: this.#chunkStarts.toShared(),
      chunkLine: this.#chunkLine.toShared(),
      chunkEnd: this.#chunkEnd.toShared(),
      wordStarts: this.#wordStarts.toShared(),
      wordName: this.#wordName.toShared(),
      wordCount: this.#wordCount.toShared(),
    };
  }

  #startFile(file: SegmentFile): void {
    this.#files.push(file);
    this.#definitionStarts.push(this.#definitionName.length);
    this.#referenceStarts.push(this.#referenceName.length);
    this.#chunkStarts.push(this.#chunkLine.length);
  }

  #addDefinition(
    definition: Definition,
    text: string,
    lines: readonly number[],
    file: SegmentFile,
  ): void {
    const kind = Math.max(0, definitionKinds.indexOf(definition.kind));
    this.#definitionName.push(this.#names.intern(definition.name));
    this.#definitionParent.push(
      definition.parent === null ? -1 : this.#names.intern(definition.parent),
    );
    this.#definitionKind.push(kind + (definition.isExported ? EXPORTED : 0));
    this.#definitionLine.push(lineOf(lines, definition.start));
    this.#signatureStarts.push(this.#signatures.length);
    if (!file.isNamesOnly) pushUtf8(this.#signatures, signatureOf(definition, text));
  }

  /** Each name that the file defines or uses, once. */
  #addMentions(text: string, outline: FileOutline | null): void {
    const mark = this.#files.length;
    const mention = (id: number): void => {
      this.#reserve(id);
      if (this.#mentioned[id] === mark) return;
      this.#mentioned[id] = mark;
      this.#referenceName.push(id);
    };
    if (outline === null) {
      forEachIdentifier(text, { start: 0, end: text.length }, (start, end) => {
        mention(this.#names.internRange(text, start, end, "exact"));
      });
      return;
    }
    for (const { name } of outline.references) mention(this.#names.intern(name));
    for (const { name } of outline.definitions) mention(this.#names.intern(name));
  }

  #addChunks(text: string, lines: readonly number[], borders: readonly number[] | null): void {
    for (const { start, end } of chunksOf(text, lines, borders)) {
      const first = lines[start] as number;
      const last = lines[end] ?? text.length;
      const words: number[] = [];
      forEachIdentifier(text, { start: first, end: last }, (idStart, idEnd) => {
        forEachWord(text, { start: idStart, end: idEnd }, (wordStart, wordEnd) => {
          const id = this.#names.internRange(text, wordStart, wordEnd, "lower");
          this.#reserve(id);
          const count = this.#counts[id] as number;
          if (count === 0) words.push(id);
          this.#counts[id] = count + 1;
        });
      });
      if (words.length === 0) continue;
      this.#chunkLine.push(start);
      this.#chunkEnd.push(end);
      this.#wordStarts.push(this.#wordName.length);
      for (const id of words) {
        this.#wordName.push(id);
        this.#wordCount.push(Math.min(255, this.#counts[id] as number));
        this.#counts[id] = 0;
      }
    }
  }

  #reserve(id: number): void {
    if (id < this.#mentioned.length) return;
    const length = Math.max(id + 1, this.#mentioned.length * 2);
    const mentioned = new Int32Array(length);
    mentioned.set(this.#mentioned);
    this.#mentioned = mentioned;
    const counts = new Int32Array(length);
    counts.set(this.#counts);
    this.#counts = counts;
  }

  #renamer(from: SegmentData): (id: number) => number {
    let renamed = this.#renamed.get(from);
    if (renamed === undefined) {
      renamed = new Int32Array(from.names.offsets.length - 1);
      this.#renamed.set(from, renamed);
    }
    const known = renamed;
    return (id) => {
      const before = known[id] as number;
      if (before > 0) return before - 1;
      const own = this.#names.intern(nameText(from.names, id));
      known[id] = own + 1;
      return own;
    };
  }
}

/** Offsets at which lines start. */
export function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Line of an offset. */
function lineOf(lines: readonly number[], offset: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Line ranges that cover a text: cut at borders where a chunk has enough lines, else at blank lines,
 * and at the latest when it is too long.
 */
function chunksOf(
  text: string,
  lines: readonly number[],
  borders: readonly number[] | null,
): { readonly start: number; readonly end: number }[] {
  const isBorder = new Uint8Array(lines.length + 1);
  if (borders === null) {
    for (let line = 1; line < lines.length; line++) {
      const start = lines[line - 1] as number;
      if (text.slice(start, lines[line]).trim() === "") isBorder[line] = 1;
    }
  } else {
    for (const offset of borders) isBorder[lineOf(lines, offset)] = 1;
  }
  const chunks: { start: number; end: number }[] = [];
  let start = 0;
  for (let line = 1; line <= lines.length; line++) {
    const length = line - start;
    const isCut = isBorder[line] === 1 && length >= CHUNK_LINES.min;
    if (!isCut && length < CHUNK_LINES.max && line < lines.length) continue;
    chunks.push({ start, end: line });
    start = line;
  }
  return chunks;
}

/** The signature as it stands, without what follows its last whole line when it is too long. */
function signatureOf({ start, signatureEnd }: Definition, text: string): string {
  const signature = text.slice(start, Math.min(signatureEnd, start + MAX_SIGNATURE)).trimEnd();
  if (signatureEnd - start <= MAX_SIGNATURE) return signature;
  const lineEnd = signature.lastIndexOf("\n");
  return lineEnd > 0 ? signature.slice(0, lineEnd).trimEnd() : signature;
}

function at(array: Int32Array, index: number): number {
  return array[index] as number;
}
