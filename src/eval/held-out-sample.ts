/** The questions about one package: what is held out, what is known, where the cursors stand. */
import type { Random } from "../stats/random.ts";
import { type SampledCursor, sampleCursors } from "./cursor-sample.ts";
import type { SourceFile } from "./source-file.ts";
import { makeSplits, type Split } from "./split.ts";

/** How the questions are drawn. */
export interface SampleOptions {
  /** Files held out per package. */
  readonly heldOutFiles: number;
  /** Cursors per package. */
  readonly cursors: number;
  readonly seed: number;
}

/** The sample of the published figures. */
export const defaultSample: SampleOptions = { heldOutFiles: 40, cursors: 1_500, seed: 1 };

/** A split and the questions about its held-out files. */
export interface HeldOutQuestions {
  readonly split: Split;
  readonly cursors: readonly SampledCursor[];
}

/** The splits with their cursors, shared out by held-out files. */
export function drawQuestions(
  files: readonly SourceFile[],
  options: Pick<SampleOptions, "heldOutFiles" | "cursors"> & { readonly random: Random },
): readonly HeldOutQuestions[] {
  const { heldOutFiles, cursors, random } = options;
  const splits = makeSplits(files, { heldOutFiles, random });
  const heldOut = splits.reduce((sum, split) => sum + split.heldOut.length, 0);
  return splits.map((split) => {
    const count = Math.round((cursors * split.heldOut.length) / heldOut);
    return { split, cursors: sampleCursors(split.heldOut, { count, random }) };
  });
}
