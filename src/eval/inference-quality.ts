/** From stored answers to figures: exact match of each way, healing, calibration. Pure. */
import { afterLocal, afterModel, type ModelTextFacts, modelChance } from "../core/index.ts";
import { calibrationErrorByLuck, expectedCalibrationError } from "../stats/calibration.ts";
import { type BootstrapInterval, pairedBootstrap } from "../stats/paired-bootstrap.ts";
import { createRandom } from "../stats/random.ts";
import { mean } from "../stats/summary.ts";
import { isExactMatch } from "../stats/text-match.ts";
import type { InferenceAnswer } from "./inference-answers.ts";
import { calibrationBins } from "./line-quality.ts";

/** Exact match of the rest of the line, 0..1, for one package or all. */
export interface WayQuality {
  readonly name: string;
  readonly cursors: number;
  readonly plain: number;
  readonly ours: number;
  readonly local: number;
  readonly cascade: number;
  /** Share of the cursors at which the cascade asked the language model. */
  readonly asked: number;
  /** Of the chances of the model's texts. */
  readonly calibrationError: number;
  /** What of it luck would bring, see `calibrationErrorByLuck`. */
  readonly calibrationByLuck: number;
  /** Exact match less that of the plain call; files are drawn together. */
  readonly gains: Readonly<Record<"ours" | "local" | "cascade", BootstrapInterval>>;
}

/** What token healing does at one kind of cursor. */
export interface HealingQuality {
  readonly name: string;
  readonly cursors: number;
  readonly unhealed: number;
  readonly healed: number;
  /** Share of answers whose first word is none that the package has. */
  readonly brokenUnhealed: number;
  readonly brokenHealed: number;
}

/** The model's text in an answer, for the calibrator; `""` when there is none. */
export function answerFacts(answer: InferenceAnswer, model: string): ModelTextFacts {
  return {
    model,
    text: answer.ours ?? "",
    prefix: answer.linePrefix,
    suffix: "",
    multiline: false,
    triggerScore: answer.trigger,
    local: answer.local,
    sureness: answer.sureness,
  };
}

/** The chance of the model's text in an answer; 0 when there is none. */
export function answerChance(answer: InferenceAnswer, model: string): number {
  return answer.ours === null ? 0 : (modelChance(answerFacts(answer, model)) ?? 0);
}

/** What the cascade shows for an answer, and whether it asked. */
export function cascadeOf(
  answer: InferenceAnswer,
  model: string,
): { readonly text: string | null; readonly isAsked: boolean } {
  const local = answer.local.map(({ text, chance }) => ({ edit: editOf(text), chance }));
  const first = afterLocal(local);
  if (first !== null) return { text: first.edit.text, isAsked: false };
  const own =
    answer.ours === null
      ? null
      : { edit: editOf(answer.ours), chance: answerChance(answer, model) };
  const best = afterModel({ local, model: own, shown: null });
  return { text: best?.edit.text ?? null, isAsked: true };
}

/** The figures over some answers; those without the plain call are left out. */
export function qualityOf(
  name: string,
  answers: readonly InferenceAnswer[],
  model: string,
): WayQuality {
  const asked = answers.filter(({ plain }) => plain !== undefined);
  const share = (textOf: (answer: InferenceAnswer) => string | null | undefined): number =>
    mean(asked.map((answer) => (isRight(textOf(answer), answer) ? 1 : 0)));
  const gainOf = (
    textOf: (answer: InferenceAnswer) => string | null | undefined,
  ): BootstrapInterval =>
    pairedBootstrap(
      asked.map((answer) => ({
        left: isRight(answer.plain, answer) ? 1 : 0,
        right: isRight(textOf(answer), answer) ? 1 : 0,
        cluster: `${answer.package}:${answer.path}`,
      })),
      { random: createRandom(1) },
    );
  const rated = asked
    .filter(({ ours }) => ours !== null)
    .map((answer) => ({
      chance: answerChance(answer, model),
      isCorrect: isRight(answer.ours, answer),
    }));
  return {
    name,
    cursors: asked.length,
    plain: share(({ plain }) => plain),
    ours: share(({ ours }) => ours),
    local: share(({ local }) => local[0]?.text),
    cascade: share((answer) => cascadeOf(answer, model).text),
    asked: mean(asked.map((answer) => (cascadeOf(answer, model).isAsked ? 1 : 0))),
    calibrationError: expectedCalibrationError(rated, calibrationBins),
    calibrationByLuck: calibrationErrorByLuck(
      rated.map(({ chance }) => chance),
      { random: createRandom(1), binCount: calibrationBins },
    ),
    gains: {
      ours: gainOf(({ ours }) => ours),
      local: gainOf(({ local }) => local[0]?.text),
      cascade: gainOf((answer) => cascadeOf(answer, model).text),
    },
  };
}

/**
 * Healing inside of words, and after marks and blanks. `wordsOf` gives all words of a package. A
 * model may also make up a name, which counts as broken here: the share is an upper bound.
 */
export function healingOf(
  answers: readonly InferenceAnswer[],
  wordsOf: (packageName: string) => ReadonlySet<string>,
): readonly HealingQuality[] {
  const asked = answers.filter(({ unhealed }) => unhealed !== undefined);
  const kinds = [
    { name: "inside a word", isKind: (answer: InferenceAnswer) => answer.place === "word" },
    {
      name: "after a mark or blanks",
      isKind: ({ linePrefix }: InferenceAnswer) =>
        linePrefix !== "" && !/[\p{L}\p{N}_$]$/u.test(linePrefix),
    },
  ];
  return kinds.map(({ name, isKind }) => {
    const some = asked.filter(isKind);
    const share = (isTrue: (answer: InferenceAnswer) => boolean): number =>
      mean(some.map((answer) => (isTrue(answer) ? 1 : 0)));
    const isBroken = (text: string | null | undefined, answer: InferenceAnswer): boolean =>
      text !== null &&
      text !== undefined &&
      startsBroken(text, answer.linePrefix, wordsOf(answer.package));
    return {
      name,
      cursors: some.length,
      unhealed: share((answer) => isRight(answer.unhealed, answer)),
      healed: share((answer) => isRight(answer.ours, answer)),
      brokenUnhealed: share((answer) => isBroken(answer.unhealed, answer)),
      brokenHealed: share((answer) => isBroken(answer.ours, answer)),
    };
  });
}

/** True when the word at the cursor, as the text goes on with it, is none of `words`. */
export function startsBroken(
  text: string,
  linePrefix: string,
  words: ReadonlySet<string>,
): boolean {
  const before = /[\p{L}\p{N}_$]*$/u.exec(linePrefix)?.[0] ?? "";
  const after = /^[\p{L}\p{N}_$]*/u.exec(before === "" ? text.trimStart() : text)?.[0] ?? "";
  const word = before + after;
  return /^[\p{L}_$]/u.test(word) && !words.has(word);
}

/** All words of some texts. */
export function wordsIn(texts: Iterable<string>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.matchAll(/[\p{L}\p{N}_$]+/gu)) words.add(word);
  }
  return words;
}

function isRight(text: string | null | undefined, { target }: InferenceAnswer): boolean {
  return typeof text === "string" && isExactMatch(text, target);
}

function editOf(text: string): { text: string; replaceBefore: number; replaceAfter: number } {
  return { text, replaceBefore: 0, replaceAfter: 0 };
}
