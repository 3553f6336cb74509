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

/** A text for the rest of a line, and what really stands there. */
export interface FilteredText {
  /** As the model wrote it. */
  readonly raw: string;
  readonly target: string;
  /** The document up to the cursor, and from the end of the cursor's line on. */
  readonly prefix: string;
  readonly suffix: string;
  readonly languageId: string;
  readonly origin: PostInput["origin"];
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
}

/** Texts before and after all filters. */
export interface FilteredTexts {
  readonly texts: number;
  readonly rightBefore: number;
  readonly rightAfter: number;
  readonly wrongBefore: number;
  readonly wrongAfter: number;
  /** Of the filters that did anything, in their order. */
  readonly effects: readonly FilterEffect[];
}

type Verdict = "right" | "wrong" | "nothing";

/** The product's windows are about as long. */
const WINDOW_UNITS = 8_000;

/** Right: after the text is accepted the line reads as it really does, blanks at its end aside. */
export function filterEffects(
  texts: readonly FilteredText[],
  options: { readonly stopsOf: (origin: PostInput["origin"]) => readonly string[] },
): FilteredTexts {
  const effects = new Map(
    postFilters.map(({ name }) => [
      name,
      { filter: name, acted: 0, rightLost: 0, rightWon: 0, wrongHidden: 0 },
    ]),
  );
  const before = { right: 0, wrong: 0, nothing: 0 };
  const after = { right: 0, wrong: 0, nothing: 0 };
  for (const text of texts) {
    const place = windowOf(text);
    const input: PostInput = {
      ...{ raw: text.raw, finishReason: "stop", languageId: text.languageId, multiline: false },
      ...{ ...place, stops: options.stopsOf(text.origin), scopes: lexicalScopeProbe },
      origin: text.origin,
    };
    const verdict = (filters: typeof postFilters): Verdict =>
      verdictOn(runFilters(filters, input), { ...place, target: text.target });
    before[verdict([])]++;
    const result = runFilters(postFilters, input);
    const withAll = verdictOn(result, { ...place, target: text.target });
    after[withAll]++;
    for (const name of actingFilters(result)) {
      const effect = effects.get(name);
      if (effect === undefined) continue;
      const without = verdict(postFilters.filter((filter) => filter.name !== name));
      effect.acted++;
      if (without === "right" && withAll !== "right") effect.rightLost++;
      if (without !== "right" && withAll === "right") effect.rightWon++;
      if (without === "wrong" && withAll === "nothing") effect.wrongHidden++;
    }
  }
  return {
    texts: texts.length,
    rightBefore: before.right,
    rightAfter: after.right,
    wrongBefore: before.wrong,
    wrongAfter: after.wrong,
    effects: [...effects.values()].filter(({ acted }) => acted > 0),
  };
}

function actingFilters(result: PostResult): readonly string[] {
  return result.kind === "rejected" ? [result.filter] : result.applied;
}

function verdictOn(
  result: PostResult,
  place: { readonly prefix: string; readonly suffix: string; readonly target: string },
): Verdict {
  if (result.kind === "rejected" || result.edit.text.trim() === "") return "nothing";
  const { prefix, suffix, target } = place;
  return visible(applyEdit(place, result.edit)) === visible(prefix + target + suffix)
    ? "right"
    : "wrong";
}

function windowOf({ prefix, suffix }: FilteredText): {
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
