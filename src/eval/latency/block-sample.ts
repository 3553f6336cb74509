/**
 * Questions of several lines: the cursor stands where the first line of a block begins, and the answer
 * is the block's body, told by indentation alone so that it works in every language.
 */
import type { Random } from "../../stats/random.ts";
import type { SourceFile } from "../source-file.ts";

/** A block whose body was taken out. */
export interface SampledBlock {
  readonly file: SourceFile;
  /** After the indentation of the body's first line. */
  readonly offset: number;
  /** The body without its last line end. */
  readonly target: string;
}

/** A body of fewer lines is a line, one of more is a design that nobody could guess. */
const MIN_LINES = 2;
const MAX_LINES = 6;

/** Every block of a file that can be asked for, in the order of the text. */
export function blocksOf(file: SourceFile): readonly SampledBlock[] {
  const lines = file.text.split("\n");
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const blocks: SampledBlock[] = [];
  for (const [i, opener] of lines.entries()) {
    if (!/[{:]\s*$/.test(opener) || /^\s*(\/\/|\*|#)/.test(opener)) continue;
    const outer = indentOf(opener);
    let end = i + 1;
    while (end < lines.length && end <= i + MAX_LINES + 1) {
      const line = lines[end] ?? "";
      if (line.trim() === "" || indentOf(line) <= outer) break;
      end++;
    }
    const count = end - i - 1;
    const first = lines[i + 1] ?? "";
    if (count < MIN_LINES || MAX_LINES < count || (lines[end] ?? "").trim() === "") continue;
    const offset = (starts[i + 1] ?? 0) + indentOf(first);
    const last = (starts[end - 1] ?? 0) + (lines[end - 1] ?? "").trimEnd().length;
    blocks.push({ file, offset, target: file.text.slice(offset, last) });
  }
  return blocks;
}

/** `count` blocks, spread evenly over the files; fewer when there are not enough. */
export function sampleBlocks(
  files: readonly SourceFile[],
  options: { readonly count: number; readonly random: Random },
): readonly SampledBlock[] {
  const { count, random } = options;
  const queues = files.map((file) => random.shuffled(blocksOf(file)));
  const blocks: SampledBlock[] = [];
  const longest = Math.max(0, ...queues.map((queue) => queue.length));
  for (let turn = 0; turn < longest && blocks.length < count; turn++) {
    for (const queue of queues) {
      const block = queue[turn];
      if (block !== undefined && blocks.length < count) blocks.push(block);
    }
  }
  return blocks;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
