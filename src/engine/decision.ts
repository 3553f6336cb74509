/** Which of the offers is shown, and in words why. */
import {
  type CompletionSource,
  type CursorEdit,
  type FinishReason,
  isWorthShowing,
  type NoCompletionReason,
  requiredChance,
} from "../core/index.ts";
import type { ShownAnswer } from "./document-history.ts";
import type { KeptOffer, Offer } from "./offer.ts";
import type { ExplainedCandidate } from "./types.ts";

/** The end of one request, before it gets its id, timings and usage. */
export interface Decision {
  readonly shown: KeptOffer | null;
  /** The text that was judged, shown or not; `null` when there was none. */
  readonly judged: Offer | null;
  /** `null` exactly when something is shown. */
  readonly reason: NoCompletionReason | null;
  readonly alternatives: readonly CursorEdit[];
  readonly candidates: readonly ExplainedCandidate[];
  /** The chance that the best text had to reach. */
  readonly threshold: number;
  /** The chance of the judged text after adapting to the person; `null` where nothing was learned. */
  readonly adapted: number | null;
  readonly words: string;
}

/** How offers are judged. */
export interface Judgement {
  /** Minimum chance, 0..1; 0 shows everything. */
  readonly threshold: number;
  /** How many texts the caller wants, the shown one included. */
  readonly count: number;
  /** What a request ends with that has no offer at all. */
  readonly reasonIfNone: NoCompletionReason;
  /** Chance of a text after adapting to the person; `null` where nothing was learned. */
  readonly adapt: (offer: KeptOffer) => number | null;
  /** A sentence to put first, such as that the language model failed; `""` for none. */
  readonly remark: string;
}

/** Decides over offers in the order of preference. */
export function decide(offers: readonly Offer[], judgement: Judgement): Decision {
  const { threshold, adapt } = judgement;
  const kept = offers.filter((offer): offer is KeptOffer => offer.kind === "kept");
  const shown = kept.find((offer) => isShown(offer, judgement)) ?? null;
  const best = shown ?? kept[0] ?? null;
  const required = best === null ? threshold : requiredChance(best.edit.text.length, threshold);
  const reason = shown === null ? reasonOf(offers, kept, judgement) : null;
  const alternatives = shown === null ? [] : alternativesTo(shown, kept, judgement.count);
  return {
    shown,
    judged: best ?? offers[0] ?? null,
    reason,
    alternatives,
    candidates: offers.map((offer) => explained(offer, [shown?.edit, ...alternatives], judgement)),
    threshold: required,
    adapted: best === null ? null : adapt(best),
    words: [
      judgement.remark,
      inWords(best, shown, required, reason, offers),
      best === null ? "" : adaptedWords(adapt(best)),
    ]
      .filter((sentence) => sentence !== "")
      .join(" "),
  };
}

/**
 * The decision where the language model had failed or was late (`deadline`): that is then the reason
 * why there is nothing, though the local model's text was judged too, and an answer that came after the
 * time limit says so.
 */
export function withFailure(decision: Decision, reason: "deadline" | "no-model"): Decision {
  const { shown } = decision;
  if (shown === null) return { ...decision, reason };
  return reason === "deadline"
    ? { ...decision, shown: { ...shown, finishReason: "timeout" } }
    : decision;
}

/** A decision without any offer. */
export function decideNone(reason: NoCompletionReason, words: string): Decision {
  return {
    shown: null,
    judged: null,
    reason,
    alternatives: [],
    candidates: [],
    threshold: 0,
    adapted: null,
    words,
  };
}

/** An answer that was given before and still fits. */
export function decideReuse(
  edit: CursorEdit,
  known: Pick<ShownAnswer, "chance" | "adapted" | "model" | "extent">,
  reuse: { readonly source: CompletionSource; readonly threshold: number },
): Decision {
  const { source, threshold } = reuse;
  const finishReason: FinishReason = "stop";
  const { chance, adapted, model, extent } = known;
  const text = { raw: edit.text, edit, chance, model, source, finishReason, extent };
  const shown: KeptOffer = { kind: "kept", ...text };
  return {
    shown,
    judged: shown,
    reason: null,
    alternatives: [],
    candidates: [{ text: edit.text, chance, source, rejectedBy: null }],
    threshold,
    adapted,
    words: "What was typed since agrees with the text that was shown, so nothing was asked.",
  };
}

/** True when the chance reaches what a text of this length needs; uncalibrated texts are shown. */
export function isShown(
  offer: KeptOffer,
  { threshold, adapt }: Pick<Judgement, "threshold" | "adapt">,
): boolean {
  const chance = adapt(offer) ?? offer.chance;
  return isWorthShowing({ chance, length: offer.edit.text.length, threshold });
}

function reasonOf(
  offers: readonly Offer[],
  kept: readonly KeptOffer[],
  judgement: Judgement,
): NoCompletionReason {
  if (kept.length > 0) return "below-threshold";
  const first = offers[0];
  return first?.kind === "rejected" ? first.reason : judgement.reasonIfNone;
}

function alternativesTo(
  shown: KeptOffer,
  kept: readonly KeptOffer[],
  count: number,
): readonly CursorEdit[] {
  const texts = new Set([shown.edit.text]);
  const alternatives: CursorEdit[] = [];
  for (const { edit, extent } of kept) {
    if (alternatives.length + 1 >= count) break;
    if (extent === "part" || texts.has(edit.text)) continue;
    texts.add(edit.text);
    alternatives.push(edit);
  }
  return alternatives;
}

function explained(
  offer: Offer,
  given: readonly (CursorEdit | undefined)[],
  judgement: Judgement,
): ExplainedCandidate {
  const { chance, source } = offer;
  if (offer.kind === "rejected") {
    return { text: offer.raw, chance, source, rejectedBy: offer.filter };
  }
  const stands = given.includes(offer.edit) || isShown(offer, judgement);
  return { text: offer.edit.text, chance, source, rejectedBy: stands ? null : "below-threshold" };
}

function inWords(
  best: KeptOffer | null,
  shown: KeptOffer | null,
  required: number,
  reason: NoCompletionReason | null,
  offers: readonly Offer[],
): string {
  if (shown !== null) {
    if (shown.chance === null)
      return `${shown.model} wrote it; its chance of being right is not known.`;
    return `Its chance of being right is ${percent(shown.chance)}, and a text of this length needs ${percent(required)}.`;
  }
  if (best !== null && best.chance !== null) {
    return `The best text has a chance of ${percent(best.chance)}; a text of this length needs ${percent(required)}.`;
  }
  const first = offers[0];
  if (first?.kind === "rejected") {
    return `The filter "${first.filter}" refused the best text (${reason}).`;
  }
  return `There is no text to show (${reason}).`;
}

function adaptedWords(adapted: number | null): string {
  return adapted === null
    ? ""
    : `Going by what you took and refused before, it counts as ${percent(adapted)}.`;
}

function percent(chance: number): string {
  return `${Math.round(chance * 100)} %`;
}
