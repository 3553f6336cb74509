/**
 * The text of one version of a document, immutable, in blocks of whole lines.
 * An edit makes new blocks for the lines it touches and shares all others, so its cost does not
 * depend on the length of the document (but for one array of block references), and what is derived
 * from a block (tokens, postings) can be kept in a `WeakMap` keyed by the block.
 * Lines end at `\n`; a `\r` before it belongs to the line end. Offsets are UTF-16 code units.
 */

/**
 * Sizes of blocks. Up to the maximum a block is left alone, past it it is cut to the target; one that
 * falls below both minima joins a neighbour. The distance between them is what keeps typing at a
 * border from cutting and joining the same blocks again and again.
 */
const BLOCK_LINES = { min: 16, target: 64, max: 128 } as const;
const BLOCK_LENGTH = { min: 512, target: 4096, max: 8192 } as const;

/** Arguments of one call; some 100,000 are too many for a stack. */
const MAX_SPREAD = 1_000;

/**
 * A run of whole lines.
 * Invariant: every block but the last ends with `\n`; a block has at most 128 lines and, unless it is
 * a single line, at most 8,192 units.
 */
export interface TextBlock {
  readonly text: string;
  /** Offset in `text` at which each line starts; the first is 0. */
  readonly lineStarts: readonly number[];
}

/** A place in a document. Both count from 0; `column` is in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** `[start, end)` of the older text is replaced by `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One version of a document. */
export class TextBuffer {
  /** The blocks in order; never empty. */
  readonly blocks: readonly TextBlock[];
  /** `blockOffsets[i]` is the offset at which block i starts; one more entry than blocks. */
  readonly #blockOffsets: number[];
  readonly #blockLines: number[];

  private constructor(
    blocks: readonly TextBlock[],
    starts: { readonly offsets: number[]; readonly lines: number[] },
  ) {
    this.blocks = blocks;
    this.#blockOffsets = starts.offsets;
    this.#blockLines = starts.lines;
  }

  /** A buffer of the whole text. */
  static from(text: string): TextBuffer {
    const blocks = blocksOf(text, true);
    return new TextBuffer(blocks, startsOf(blocks, { offset: 0, line: 0 }));
  }

  /** Number of UTF-16 code units. */
  get length(): number {
    return this.#blockOffsets[this.blocks.length] as number;
  }

  /** Number of lines; the text after the last `\n` is a line too, so `""` has one. */
  get lineCount(): number {
    return this.#blockLines[this.blocks.length] as number;
  }

  /**
   * A buffer in which `[start, end)` is replaced by `text`; this one when that changes nothing.
   * `RangeError` when out of range.
   */
  edit(start: number, end: number, text: string): TextBuffer {
    const isNothing = start === end && text === "";
    return this.editEach(isNothing ? [] : [{ start, end, text }], (_, edit) => edit);
  }

  /**
   * A buffer after edits that apply one after the other; this one when there is none. `toEdit` gets
   * the text as the edits before left it, which it must not keep: it is the one that grows. `null`
   * leaves it. The arrays of references are copied once for all of them. `RangeError` as `edit`.
   */
  editEach<Change>(
    changes: readonly Change[],
    toEdit: (text: TextBuffer, change: Change) => TextEdit | null,
  ): TextBuffer {
    if (changes.length === 0) return this;
    const blocks = [...this.blocks];
    const starts = { offsets: [...this.#blockOffsets], lines: [...this.#blockLines] };
    const next = new TextBuffer(blocks, starts);
    for (const change of changes) {
      const edit = toEdit(next, change);
      if (edit !== null) next.#replace(blocks, edit);
    }
    return next;
  }

  /** Changes this buffer, which nobody else has yet. `blocks` are its own. */
  #replace(blocks: TextBlock[], { start, end, text }: TextEdit): void {
    this.#check(start);
    this.#check(end);
    if (end < start) throw new RangeError(`edit ends at ${end} before it starts at ${start}`);
    let first = this.blockIndexAt(start);
    let last = start === end ? first : this.blockIndexAt(end - 1);
    const head = (blocks[first] as TextBlock).text.slice(0, start - this.blockOffset(first));
    const tail = (blocks[last] as TextBlock).text.slice(end - this.blockOffset(last));
    let middle = head + text + tail;
    if (last + 1 < blocks.length && (!middle.endsWith("\n") || isSmall(middle))) {
      // The line goes on in the next block, or too little is left for a block of its own.
      last++;
      middle += (blocks[last] as TextBlock).text;
    }
    if (first > 0 && isSmall(middle)) {
      first--;
      middle = (blocks[first] as TextBlock).text + middle;
    }
    const changed = blocksOf(middle, last + 1 === blocks.length);
    const place = { offset: this.blockOffset(first), line: this.#blockLines[first] as number };
    const { offsets, lines } = startsOf(changed, place);
    const replaced = last + 1 - first;
    moveAfter(
      this.#blockOffsets,
      last + 1,
      (offsets.at(-1) as number) - this.blockOffset(last + 1),
    );
    moveAfter(
      this.#blockLines,
      last + 1,
      (lines.at(-1) as number) - (this.#blockLines[last + 1] as number),
    );
    // Whatever follows a block starts where that ends: the last start is the one that is there.
    replaceIn(this.#blockOffsets, { first, count: replaced }, offsets.slice(0, -1));
    replaceIn(this.#blockLines, { first, count: replaced }, lines.slice(0, -1));
    replaceIn(blocks, { first, count: replaced }, changed);
  }

  /**
   * Offset of a position. A column past the end of its line is the end of that line, before the line
   * end; a line past the last is the end of the text, as in editors.
   */
  offsetAt(position: Position): number {
    if (position.line >= this.lineCount) return this.length;
    if (position.line < 0) return 0;
    const line = this.lineAt(position.line);
    const lineEnd = line.endsWith("\r\n") ? 2 : line.endsWith("\n") ? 1 : 0;
    const column = Math.max(0, Math.min(position.column, line.length - lineEnd));
    return this.lineStart(position.line) + column;
  }

  /** Position of an offset. `RangeError` when out of range. */
  positionAt(offset: number): Position {
    this.#check(offset);
    const index = this.blockIndexAt(offset);
    const block = this.blocks[index] as TextBlock;
    const local = offset - this.blockOffset(index);
    const lineInBlock = lastNotAbove(block.lineStarts, local);
    return {
      line: (this.#blockLines[index] as number) + lineInBlock,
      column: local - (block.lineStarts[lineInBlock] as number),
    };
  }

  /** Offset at which a line starts. `RangeError` when there is no such line. */
  lineStart(line: number): number {
    const index = this.#blockIndexOfLine(line);
    const block = this.blocks[index] as TextBlock;
    const lineInBlock = line - (this.#blockLines[index] as number);
    return this.blockOffset(index) + (block.lineStarts[lineInBlock] as number);
  }

  /** A line with its line end. `RangeError` when there is no such line. */
  lineAt(line: number): string {
    const index = this.#blockIndexOfLine(line);
    const block = this.blocks[index] as TextBlock;
    const lineInBlock = line - (this.#blockLines[index] as number);
    return block.text.slice(block.lineStarts[lineInBlock], block.lineStarts[lineInBlock + 1]);
  }

  /** The text of `[start, end)`. `RangeError` when out of range. */
  slice(start: number, end: number): string {
    this.#check(start);
    this.#check(end);
    if (end <= start) return "";
    const first = this.blockIndexAt(start);
    let text = "";
    for (let i = first; i < this.blocks.length && this.blockOffset(i) < end; i++) {
      const offset = this.blockOffset(i);
      text += (this.blocks[i] as TextBlock).text.slice(Math.max(0, start - offset), end - offset);
    }
    return text;
  }

  /** Index of the block that holds an offset; the last block for the end of the text. */
  blockIndexAt(offset: number): number {
    return Math.min(lastNotAbove(this.#blockOffsets, offset), this.blocks.length - 1);
  }

  /** Offset at which block `index` starts. */
  blockOffset(index: number): number {
    return this.#blockOffsets[index] as number;
  }

  /** The whole text. O(length): not for the path of a key press. */
  toString(): string {
    return this.blocks.map((block) => block.text).join("");
  }

  #blockIndexOfLine(line: number): number {
    if (!(Number.isInteger(line) && 0 <= line && line < this.lineCount)) {
      throw new RangeError(`line ${line} is outside 0..${this.lineCount - 1}`);
    }
    return Math.min(lastNotAbove(this.#blockLines, line), this.blocks.length - 1);
  }

  #check(offset: number): void {
    if (!(Number.isInteger(offset) && 0 <= offset && offset <= this.length)) {
      throw new RangeError(`offset ${offset} is outside 0..${this.length}`);
    }
  }
}

/** Where each block starts when the first one does at `place`, and where the last one ends. */
function startsOf(
  blocks: readonly TextBlock[],
  place: { readonly offset: number; readonly line: number },
): { readonly offsets: number[]; readonly lines: number[] } {
  let { offset, line } = place;
  const offsets = [offset];
  const lines = [line];
  for (const { text, lineStarts } of blocks) {
    offset += text.length;
    line += lineStarts.length;
    offsets.push(offset);
    lines.push(line);
  }
  return { offsets, lines };
}

/** Adds to all values from `index` on. */
function moveAfter(values: number[], index: number, by: number): void {
  if (by === 0) return;
  for (let i = index; i < values.length; i++) values[i] = (values[i] as number) + by;
}

/** Puts `added` in the place of a span. As `splice` does, which takes no more than fit on the stack. */
function replaceIn<Value>(
  values: Value[],
  span: { readonly first: number; readonly count: number },
  added: readonly Value[],
): void {
  if (added.length <= MAX_SPREAD) {
    values.splice(span.first, span.count, ...added);
    return;
  }
  const rest = values.splice(span.first).slice(span.count);
  for (const value of added) values.push(value);
  for (const value of rest) values.push(value);
}

/** Cuts whole lines into blocks. Only the last block of a document may end without a `\n`. */
function blocksOf(text: string, isLast: boolean): TextBlock[] {
  const starts: number[] = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  // What follows the final "\n" is a line of this text only where nothing else follows.
  if (!isLast) starts.pop();
  const blocks: TextBlock[] = [];
  for (let first = 0; first < starts.length; ) {
    const from = starts[first] as number;
    const next = first + linesOfBlock(starts, first, text.length);
    const lineStarts = starts.slice(first, next).map((start) => start - from);
    blocks.push({ text: text.slice(from, starts[next] ?? text.length), lineStarts });
    first = next;
  }
  return blocks;
}

/** How many of the lines from `first` on form the next block; at least 1. */
function linesOfBlock(starts: readonly number[], first: number, length: number): number {
  const from = starts[first] as number;
  const left = starts.length - first;
  if (left <= BLOCK_LINES.max && length - from <= BLOCK_LENGTH.max) return left;
  let count = 1;
  while (
    count < Math.min(left, BLOCK_LINES.target) &&
    (starts[first + count + 1] ?? length) - from <= BLOCK_LENGTH.target
  ) {
    count++;
  }
  return count;
}

/** True for a text that should not be a block of its own. */
function isSmall(text: string): boolean {
  if (text.length >= BLOCK_LENGTH.min) return false;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines < BLOCK_LINES.min;
}

/** Greatest index with `values[index] <= value`, for ascending values with `values[0] <= value`. */
function lastNotAbove(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
