/**
 * What each filter is worth: a text goes through all filters, and again without each one that did
 * something to it. What differs is that filter's doing: a right answer that it spoils, one that it
 * makes right, a wrong one that it hides. Cost: one run more for each filter that acts.
 */
import {
  applyEdit,
  lexicalScopeProbe,
  type PostInput,
  type PostResult,
  postFilters,
  runFilters,
} from "../../core/index.ts";

/** A text for the rest of a line, or for several lines, and what really stands there. */
export interface FilteredText {
  /** As the model wrote it. */
  readonly raw: string;
  readonly target: string;
  /** The document up to the cursor, and from the end of the cursor's line on. */
  readonly prefix: string;
  readonly suffix: string;
  readonly languageId: string;
  readonly origin: PostInput["origin"];
  readonly multiline: boolean;
}

/** Counts of texts. */
export interface FilterEffect {
  readonly filter: string;
  /** It changed or refused them. */
  readonly acted: number;
  /** Right without it, and not with it. */
  readonly rightLost: number;
  /** Right with it, and not without it. */
  readonly rightWon: number;
  /** Wrong without it, and nothing with it. */
  readonly wrongHidden: number;
  /** Lines that are shown without it and not with it; see `LineCounts`. */
  readonly rightLinesLost: number;
  readonly wrongLinesHidden: number;
}

/** Lines of texts. Right: the text is right up to the end of that line. */
export interface LineCounts {
  readonly right: number;
  readonly wrong: number;
}

/** Texts before and after all filters. */
export interface FilteredTexts {
  readonly texts: number;
  readonly rightBefore: number;
  readonly rightAfter: number;
  readonly wrongBefore: number;
  readonly wrongAfter: number;
  readonly linesBefore: LineCounts;
  readonly linesAfter: LineCounts;
  /** Of the filters that did anything, in their order. */
  readonly effects: readonly FilterEffect[];
}

type Verdict = "right" | "wrong" | "nothing";

interface Judged {
  readonly verdict: Verdict;
  readonly lines: LineCounts;
}

/** The product's windows are about as long. */
const WINDOW_UNITS = 8_000;

/** Right: after the text is accepted the document reads as it really does, blanks at line ends aside. */
export function filterEffects(
  texts: readonly FilteredText[],
  options: { readonly stopsOf: (origin: PostInput["origin"]) => readonly string[] },
): FilteredTexts {
  const effects = new Map(postFilters.map(({ name }) => [name, { filter: name, ...noEffect }]));
  const before = new Tally();
  const after = new Tally();
  for (const text of texts) {
    const place = windowOf(text);
    const input: PostInput = {
      ...{ raw: text.raw, finishReason: "stop", languageId: text.languageId },
      ...{ ...place, stops: options.stopsOf(text.origin), scopes: lexicalScopeProbe },
      ...{ origin: text.origin, multiline: text.multiline },
    };
    const judge = (result: PostResult): Judged => judged(result, { ...place, target: text.target });
    before.add(judge(runFilters([], input)));
    const result = runFilters(postFilters, input);
    const withAll = judge(result);
    after.add(withAll);
    for (const name of actingFilters(result)) {
      const effect = effects.get(name);
      if (effect === undefined) continue;
      const others = postFilters.filter((filter) => filter.name !== name);
      const without = judge(runFilters(others, input));
      effect.acted++;
      if (without.verdict === "right" && withAll.verdict !== "right") effect.rightLost++;
      if (without.verdict !== "right" && withAll.verdict === "right") effect.rightWon++;
      if (without.verdict === "wrong" && withAll.verdict === "nothing") effect.wrongHidden++;
      effect.rightLinesLost += without.lines.right - withAll.lines.right;
      effect.wrongLinesHidden += without.lines.wrong - withAll.lines.wrong;
    }
  }
  return {
    texts: texts.length,
    rightBefore: before.right,
    rightAfter: after.right,
    wrongBefore: before.wrong,
    wrongAfter: after.wrong,
    linesBefore: before.lines,
    linesAfter: after.lines,
    effects: [...effects.values()].filter(({ acted }) => acted > 0),
  };
}

const noEffect = {
  ...{ acted: 0, rightLost: 0, rightWon: 0, wrongHidden: 0 },
  ...{ rightLinesLost: 0, wrongLinesHidden: 0 },
};

class Tally {
  right = 0;
  wrong = 0;
  readonly lines = { right: 0, wrong: 0 };

  add({ verdict, lines }: Judged): void {
    if (verdict === "right") this.right++;
    if (verdict === "wrong") this.wrong++;
    this.lines.right += lines.right;
    this.lines.wrong += lines.wrong;
  }
}

function actingFilters(result: PostResult): readonly string[] {
  return result.kind === "rejected" ? [result.filter] : result.applied;
}

function judged(
  result: PostResult,
  place: { readonly prefix: string; readonly suffix: string; readonly target: string },
): Judged {
  if (result.kind === "rejected" || result.edit.text.trim() === "") {
    return { verdict: "nothing", lines: { right: 0, wrong: 0 } };
  }
  const { prefix, suffix, target } = place;
  const { text, replaceBefore } = result.edit;
  const left = prefix.slice(0, prefix.length - replaceBefore);
  const isRight = visible(applyEdit(place, result.edit)) === visible(prefix + target + suffix);
  return {
    verdict: isRight ? "right" : "wrong",
    lines: linesOf(left + text, prefix + target, left.split("\n").length - 1),
  };
}

/** Lines of `shown` from line `first` on, and how many of them `real` has in their place. */
function linesOf(shown: string, real: string, first: number): LineCounts {
  const ours = visible(shown).split("\n").slice(first);
  const theirs = visible(real).split("\n").slice(first);
  const differing = ours.findIndex((line, i) => line !== theirs[i]);
  const right = differing < 0 ? ours.length : differing;
  return { right, wrong: ours.length - right };
}

/** What the product would see of the document around a text. */
export function windowOf({ prefix, suffix }: Pick<FilteredText, "prefix" | "suffix">): {
  readonly prefix: string;
  readonly suffix: string;
} {
  const near = prefix.slice(-WINDOW_UNITS);
  const isWhole = near.length === prefix.length;
  return {
    prefix: isWhole ? prefix : near.slice(near.indexOf("\n") + 1),
    suffix: suffix.slice(0, WINDOW_UNITS),
  };
}

function visible(code: string): string {
  return code.replace(/[ \t]+$/gm, "");
}
