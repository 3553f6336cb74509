/** Holes of several lines in held-out files, for what judges texts of several lines. */
import type { Random } from "../stats/random.ts";
import { codeRegion } from "./code-regions.ts";
import { type CodeLine, codeLines } from "./cursor-sample.ts";
import type { SourceFile } from "./source-file.ts";

/**
 * Where a hole ends. `block`: with the last line that is indented as deep as its first one.
 * `anywhere`: with any line, so that half of them leave the block that they start in.
 */
export const blockEnds = ["block", "anywhere"] as const;
export type BlockEnd = (typeof blockEnds)[number];

/** One question: what stands between `offset` and the end of the target? */
export interface SampledBlock {
  readonly file: SourceFile;
  readonly ends: BlockEnd;
  /** UTF-16 units; behind the indentation of a line. */
  readonly offset: number;
  /** Two lines or more, from the first to the last character that is not blank. */
  readonly target: string;
}

/** Longer texts are no completions any more. */
const MAX_LINES = 8;
const MAX_DRAWS = 200;

/** `count` holes, half of each kind, spread evenly over the files; fewer where there are not so many. */
export function sampleBlocks(
  files: readonly SourceFile[],
  options: { readonly count: number; readonly random: Random },
): readonly SampledBlock[] {
  const { count, random } = options;
  const lines = files.map(codeLines);
  const blocks: SampledBlock[] = [];
  const seen = new Set<string>();
  for (let i = 0; i < count && files.length > 0; i++) {
    const ends = blockEnds[i % blockEnds.length] as BlockEnd;
    const fileIndex = Math.floor(i / blockEnds.length) % files.length;
    const file = files[fileIndex] as SourceFile;
    const own = lines[fileIndex] as readonly CodeLine[];
    for (let draw = 0; draw < MAX_DRAWS && own.length > 0; draw++) {
      const target = drawTarget(file, own, { first: random.below(own.length), ends, random });
      if (target === null || seen.has(`${fileIndex}:${target.offset}`)) continue;
      seen.add(`${fileIndex}:${target.offset}`);
      blocks.push({ file, ends, ...target });
      break;
    }
  }
  return blocks;
}

/** `null` where the line starts no hole of that kind. Lines at the left margin end every hole. */
function drawTarget(
  { text }: SourceFile,
  lines: readonly CodeLine[],
  how: { readonly first: number; readonly ends: BlockEnd; readonly random: Random },
): Pick<SampledBlock, "offset" | "target"> | null {
  const { first, ends, random } = how;
  const start = lines[first] as CodeLine;
  const indent = indentOf(text, start);
  const least = ends === "block" ? indent : 1;
  const rest = lines.slice(first, first + MAX_LINES + 1);
  const below = rest.findIndex((line) => indentOf(text, line) < least);
  const longest = below < 0 ? rest.length : below;
  if (indent === 0 || longest < 2 || longest > MAX_LINES) return null;
  const length = ends === "block" ? longest : 2 + random.below(longest - 1);
  const last = rest[length - 1] as CodeLine;
  const target = text.slice(start.start, last.end).trimEnd();
  const isCode = start.regions[last.end - 1] !== codeRegion.prose;
  return isCode && /[\p{L}\p{N}]/u.test(target) ? { offset: start.start, target } : null;
}

function indentOf(text: string, { start }: CodeLine): number {
  return start - text.lastIndexOf("\n", start - 1) - 1;
}
