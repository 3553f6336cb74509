/**
 * What a window that slides with the cursor is worth against one whose edges stay put: the same model is
 * asked for the rest of the line at held-out cursors with both. The anchored one is fresh, a quarter of
 * it left free, which is the least that typing ever shows; where both show the same, it is asked once.
 */
import { TextBuffer } from "../base/text-buffer.ts";
import { healingCut, nextWindow, promptTokenCounter } from "../core/index.ts";
import { type BootstrapInterval, pairedBootstrap } from "../stats/paired-bootstrap.ts";
import { createRandom } from "../stats/random.ts";
import { mean } from "../stats/summary.ts";
import { editSimilarity, isExactMatch } from "../stats/text-match.ts";
import { type AskingTime, askInTurns } from "./answer-lines.ts";
import type { Corpus } from "./corpus.ts";
import type { SampledCursor } from "./cursor-sample.ts";
import { drawQuestions, type SampleOptions } from "./held-out-sample.ts";
import { documentAt } from "./index-files.ts";
import { type PlainModel, piecesOf, plainRequest } from "./plain-prompt.ts";
import { rowOf } from "./run/json-lines.ts";
import { slidingWindow } from "./sliding-window.ts";

/** The first lines that the model wrote at one cursor. */
export interface WindowAnswer {
  readonly package: string;
  readonly path: string;
  readonly offset: number;
  readonly target: string;
  readonly anchored: string;
  readonly sliding: string;
  /** False where both windows show the same, as where the file fits. */
  readonly differs: boolean;
}

const readWindowAnswer = rowOf<WindowAnswer>({
  ...{ package: "string", path: "string", offset: "number", target: "string" },
  ...{ anchored: "string", sliding: "string", differs: "boolean" },
});

/** Both windows on the same cursors. Shares, 0..1. */
export interface WindowQuality {
  /** A package, or all. */
  readonly name: string;
  readonly cursors: number;
  /** Cursors at which the windows show different texts, and those with different first lines. */
  readonly differing: number;
  readonly changed: number;
  readonly anchored: WindowScore;
  readonly sliding: WindowScore;
  /** Sliding less anchored; files are drawn together. */
  readonly matchGain: BootstrapInterval;
  readonly similarityGain: BootstrapInterval;
}

export interface WindowScore {
  readonly exactMatch: number;
  readonly similarity: number;
}

/** The cursors of the sample in a random order, the same in each run; packages take turns. */
export async function askBothWindows(
  corpora: readonly Corpus[],
  options: AskingTime & SampleOptions & { readonly model: PlainModel },
): Promise<readonly WindowAnswer[]> {
  const { model, heldOutFiles, cursors, seed, ...time } = options;
  const queues = corpora.map(({ package: { name }, files }) => {
    const random = createRandom(seed);
    const drawn = drawQuestions(files, { heldOutFiles, cursors, random });
    const questions = drawn.flatMap((one) => one.cursors);
    return random.shuffled(questions).map((cursor) => ({ package: name, cursor }));
  });
  return askInTurns(queues, {
    ...time,
    read: readWindowAnswer,
    questionKey: ({ package: name, cursor }) => `${name}:${cursor.file.path}:${cursor.offset}`,
    answerKey: ({ package: name, path, offset }: WindowAnswer) => `${name}:${path}:${offset}`,
    ask: async ({ package: name, cursor }) => {
      const { file, offset, target } = cursor;
      const texts = await askAt(cursor, model);
      return { package: name, path: file.path, offset, target, ...texts };
    },
  });
}

async function askAt(
  cursor: SampledCursor,
  model: PlainModel,
): Promise<Pick<WindowAnswer, "anchored" | "sliding" | "differs">> {
  const { file, offset } = cursor;
  const { languageId } = file;
  const { backend, format, budget } = model;
  const buffer = documentAt(cursor, TextBuffer.from(file.text));
  const counter = promptTokenCounter(format, languageId);
  const { prefixTokens, suffixTokens } = budget;
  const limits = { prefixTokens, suffixTokens, counter, keepsSuffix: false };
  const still = nextWindow(null, { buffer, offset, ...limits });
  const moving = slidingWindow(buffer, offset, { budget, counter });
  const firstLine = async (window: typeof moving): Promise<string> => {
    const { prefix, suffix } = window;
    const cutLength = healingCut(prefix);
    const place = { prefix, suffix, languageId, path: null, multiline: false, cutLength };
    const text = (await piecesOf(backend, plainRequest(place, model))).join("");
    return text.slice(cutLength).split("\n")[0] ?? "";
  };
  const anchored = await firstLine(still);
  const differs = still.prefix !== moving.prefix || still.suffix !== moving.suffix;
  return { anchored, sliding: differs ? await firstLine(moving) : anchored, differs };
}

/** The figures over some answers. */
export function windowQuality(name: string, answers: readonly WindowAnswer[]): WindowQuality {
  const scored = (way: "anchored" | "sliding"): WindowScore => ({
    exactMatch: mean(answers.map((answer) => matchOf(answer, way))),
    similarity: mean(answers.map((answer) => editSimilarity(answer[way], answer.target))),
  });
  const gain = (
    score: (answer: WindowAnswer, way: "anchored" | "sliding") => number,
  ): BootstrapInterval =>
    pairedBootstrap(
      answers.map((answer) => ({
        left: score(answer, "anchored"),
        right: score(answer, "sliding"),
        cluster: `${answer.package}:${answer.path}`,
      })),
      { random: createRandom(1) },
    );
  return {
    name,
    cursors: answers.length,
    differing: answers.filter(({ differs }) => differs).length,
    changed: answers.filter(({ anchored, sliding }) => anchored.trimEnd() !== sliding.trimEnd())
      .length,
    anchored: scored("anchored"),
    sliding: scored("sliding"),
    matchGain: gain(matchOf),
    similarityGain: gain((answer, way) => editSimilarity(answer[way], answer.target)),
  };
}

function matchOf(answer: WindowAnswer, way: "anchored" | "sliding"): number {
  return isExactMatch(answer[way], answer.target) ? 1 : 0;
}
