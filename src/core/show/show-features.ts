/**
 * What the show rule sees of a text and its place, as numbers between about 0 and 5. Kept with events,
 * so that a filter can be trained later from records without text. Under 5 µs.
 */
import { isBlank, isWordCode } from "../../base/text.ts";
import type { TriggerKind } from "../types.ts";

/** A text at a cursor. */
export interface ShowPlace {
  readonly text: string;
  /** Text left of the cursor; its last line is looked at. */
  readonly prefix: string;
  /** Text right of the cursor; the rest of the line is looked at. */
  readonly suffix: string;
  readonly trigger: TriggerKind;
  /** True for a text of a language model, false for one of the model without weights. */
  readonly isModel: boolean;
}

/** Names of the features, in the order of their weights. */
export const showFeatureNames = [
  "length",
  "lines",
  "inWord",
  "lineStart",
  "textRight",
  "invoked",
  "model",
] as const;

/** One of `showFeatureNames`. */
export type ShowFeatureName = (typeof showFeatureNames)[number];

/** A value for each name. */
export type ShowFeatures = Readonly<Record<ShowFeatureName, number>>;

/** The features; lengths as logarithms, since the tenth character says more than the hundredth. */
export function showFeatures(place: ShowPlace): ShowFeatures {
  const { text, prefix, suffix } = place;
  const line = prefix.slice(prefix.lastIndexOf("\n") + 1);
  const [rest = ""] = suffix.split("\n", 1);
  return {
    length: logarithm(text.length),
    lines: logarithm(text.split("\n").length - 1),
    inWord: flag(isWordCode(prefix.charCodeAt(prefix.length - 1))),
    lineStart: flag(isBlank(line)),
    textRight: flag(!isBlank(rest)),
    invoked: flag(place.trigger === "invoked"),
    model: flag(place.isModel),
  };
}

function logarithm(count: number): number {
  return Math.round(Math.log(1 + count) * 1000) / 1000;
}

function flag(value: boolean): number {
  return value ? 1 : 0;
}
