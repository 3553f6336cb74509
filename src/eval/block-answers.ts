/**
 * What a model writes into holes of several lines, raw and in the pieces in which it came, so that stop
 * rules and filters can be judged afterwards without asking it again.
 */
import { TextBuffer } from "../base/text-buffer.ts";
import { healingCut, nextWindow, promptTokenCounter } from "../core/index.ts";
import type { Fields } from "../protocol/decode.ts";
import { createRandom } from "../stats/random.ts";
import { type AskingTime, askInTurns } from "./answer-lines.ts";
import { type BlockEnd, type SampledBlock, sampleBlocks } from "./block-sample.ts";
import type { Corpus } from "./corpus.ts";
import { type PlainModel, piecesOf, plainRequest } from "./plain-prompt.ts";
import { rowOf } from "./run/json-lines.ts";
import { makeSplits } from "./split.ts";

/** What was written into one hole. */
export interface BlockAnswer {
  readonly package: string;
  readonly path: string;
  readonly offset: number;
  readonly ends: BlockEnd;
  readonly target: string;
  /** False: asked as at the end of the document, without what stands below. */
  readonly below: boolean;
  /** About one for each token. Together the raw text. */
  readonly pieces: readonly string[];
}

/** Takes a line that was kept. */
export const readBlockAnswer: (fields: Fields) => BlockAnswer = rowOf<BlockAnswer>({
  ...{ package: "string", path: "string", offset: "number", ends: "string", target: "string" },
  ...{ below: "boolean", pieces: "strings" },
});

/** Output of several lines; few holes are longer. */
export const BLOCK_TOKENS = 160;

/** Beside the answers of single lines. */
export function blocksFile(answersFile: string): string {
  return `${answersFile}.blocks`;
}

type BlockQuestion = Omit<SampledBlock, "file"> & {
  readonly package: string;
  readonly file: SampledBlock["file"];
  readonly below: boolean;
};

/** Asks each hole with, later without what stands below it: our plain prompt with path and token healing; nothing but the format's own marks ends a text. */
export async function askBlocks(
  corpora: readonly Corpus[],
  options: AskingTime & {
    readonly model: PlainModel;
    /** Held-out files, and holes, of each package. */
    readonly heldOutFiles: number;
    readonly count: number;
    readonly seed: number;
  },
): Promise<readonly BlockAnswer[]> {
  const { model, heldOutFiles, count, seed, ...time } = options;
  const queues = corpora.map(({ package: { name }, files }) => {
    const random = createRandom(seed);
    const heldOut = makeSplits(files, { heldOutFiles, random })[0]?.heldOut ?? [];
    const blocks = sampleBlocks(heldOut, { count, random });
    const shuffled = random.shuffled(blocks);
    return [true, false].flatMap((below) =>
      shuffled.map((block): BlockQuestion => ({ package: name, below, ...block })),
    );
  });
  return askInTurns(queues, {
    ...time,
    read: readBlockAnswer,
    questionKey: ({ package: name, file, offset, below }) =>
      `${name}:${file.path}:${offset}:${below}`,
    answerKey: ({ package: name, path, offset, below }: BlockAnswer) =>
      `${name}:${path}:${offset}:${below}`,
    ask: async (question) => {
      const { package: name, file, offset, ends, target, below } = question;
      const pieces = await askInto(question, model);
      return { package: name, path: file.path, offset, ends, target, below, pieces };
    },
  });
}

async function askInto(
  { file: { path, text, languageId }, offset, target, below }: BlockQuestion,
  model: PlainModel,
): Promise<readonly string[]> {
  const after = below ? text.slice(offset + target.length) : "";
  const buffer = TextBuffer.from(text.slice(0, offset) + after);
  const { prefixTokens, suffixTokens } = model.budget;
  const counter = promptTokenCounter(model.format, languageId);
  const limits = { prefixTokens, suffixTokens, counter, keepsSuffix: false };
  const { prefix, suffix } = nextWindow(null, { buffer, offset, ...limits });
  const cutLength = healingCut(prefix);
  const place = { prefix, suffix, languageId, path, multiline: true, cutLength };
  const pieces = await piecesOf(model.backend, plainRequest(place, model));
  return withoutFirst(pieces, cutLength);
}

/** The pieces without the units that were demanded. */
function withoutFirst(pieces: readonly string[], units: number): readonly string[] {
  let left = units;
  return pieces.flatMap((piece) => {
    const cut = Math.min(left, piece.length);
    left -= cut;
    return cut < piece.length ? [piece.slice(cut)] : [];
  });
}
