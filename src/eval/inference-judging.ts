/** The parts of `midspan bench inference` that ask the model whose answers mean something. */
import { promptBudget } from "../core/index.ts";
import type { AskingTime } from "./answer-lines.ts";
import { askBlocks, BLOCK_TOKENS, blocksFile } from "./block-answers.ts";
import type { Corpus } from "./corpus.ts";
import { defaultSample } from "./held-out-sample.ts";
import { ANSWER_TOKENS, askCursors } from "./inference-answers.ts";
import {
  BATCH_TOKENS,
  type InferenceBenchOptions,
  type InferencePart,
  SLOT_TOKENS,
  withServer,
} from "./inference-options.ts";
import { healingOf, qualityOf, wordsIn } from "./inference-quality.ts";
import type { InferenceBenchReport } from "./inference-report.ts";
import type { PlainModel } from "./plain-prompt.ts";
import { askBothWindows, windowQuality } from "./window-answers.ts";

/** Of the quality model's prompt and answer: half of the length that it was trained with; time is short. */
export const QUALITY_TOKENS = 384;
/** Of its prompt where windows are compared, and where several lines are missing. */
const WINDOW_TOKENS = 448;
const asksQuality: ReadonlySet<InferencePart> = new Set(["quality", "windows", "blocks"]);

/** Asks the parts that are wanted, one after the other; nothing when there is none. */
export async function judge(
  corpora: readonly Corpus[],
  options: InferenceBenchOptions,
): Promise<Pick<InferenceBenchReport, "quality" | "healing" | "windows" | "blocks">> {
  const { parts, models, formats, createBackend, createEngine, clock, answersFile } = options;
  const nothing = { quality: [], healing: [], windows: [], blocks: null };
  if (!parts.some((part) => asksQuality.has(part))) return nothing;
  const model = models.quality;
  const format = formats.quality;
  const size = { slots: 2, batchTokens: BATCH_TOKENS, threads: options.threads };
  const names = corpora.map((corpus) => corpus.package.name);
  const sample = { ...defaultSample, cursors: options.cursors };
  return withServer(options, { ...size, model }, async ({ url }) => {
    const { http } = options;
    const backend = createBackend({ url, http, contextTokens: SLOT_TOKENS, isPinned: true });
    const timeOf = (label: string, file: string): AskingTime => ({
      file,
      untilMs: Date.now() + options.qualityMinutes * 60_000,
      onProgress: (done, total) => options.reporter.progress({ label, done, total }),
    });
    const plain = (promptTokens: number, maxTokens: number): PlainModel => {
      const contextTokens = promptTokens + maxTokens;
      const budget = promptBudget({ contextTokens, outputTokens: maxTokens });
      return { backend, model, format, budget, maxTokens };
    };
    const has = (part: InferencePart): boolean => parts.includes(part);
    const answers = has("quality")
      ? await askCursors(corpora, {
          ...sample,
          ...timeOf("cursors", answersFile),
          parts: {
            ...{ backend, model, format, contextTokens: QUALITY_TOKENS, compares: true },
            createEngine: (own) =>
              createEngine({
                ...own,
                ...{ model, format, local: null, isPrefetched: false },
                ...{ contextTokens: QUALITY_TOKENS, clock },
              }),
          },
        })
      : [];
    const windows = has("windows")
      ? await askBothWindows(corpora, {
          ...sample,
          ...timeOf("windows", `${answersFile}.windows`),
          model: plain(WINDOW_TOKENS, ANSWER_TOKENS),
        })
      : [];
    const blocks = has("blocks")
      ? await askBlocks(corpora, {
          ...{ heldOutFiles: sample.heldOutFiles, count: sample.cursors, seed: sample.seed },
          ...timeOf("holes of several lines", blocksFile(answersFile)),
          model: plain(WINDOW_TOKENS, BLOCK_TOKENS),
        })
      : null;
    return {
      quality: byPackage(names, answers, (name, some) => qualityOf(name, some, model)),
      healing: answers.length === 0 ? [] : healingOf(answers, wordsOfPackages(corpora)),
      windows: byPackage(names, windows, windowQuality),
      blocks: blocks === null ? null : blocks.length,
    };
  });
}

/** Figures of each package and of all; none without answers. */
function byPackage<Answer extends { readonly package: string }, Figures>(
  names: readonly string[],
  answers: readonly Answer[],
  figuresOf: (name: string, answers: readonly Answer[]) => Figures,
): readonly Figures[] {
  if (answers.length === 0) return [];
  const own = names.map((name) => {
    return figuresOf(
      name,
      answers.filter((answer) => answer.package === name),
    );
  });
  return [...own, figuresOf("all", answers)];
}

function wordsOfPackages(corpora: readonly Corpus[]): (name: string) => ReadonlySet<string> {
  const words = new Map(
    corpora.map(({ package: { name }, files }) => [name, wordsIn(files.map(({ text }) => text))]),
  );
  return (name) => words.get(name) ?? new Set();
}
