import {
  type Adaptation,
  adaptedChance,
  type CursorWindow,
  LEAST_LABELS,
  type ShowFeatures,
  showFeatures,
  type TriggerKind,
} from "../core/index.ts";
import type { KeptOffer, Offer } from "./offer.ts";

/** Where a text is offered. */
export interface OfferPlace {
  readonly window: CursorWindow;
  readonly trigger: TriggerKind;
}

/** What the show rule sees of a text at a place. */
export function featuresOf(offer: Offer, place: OfferPlace): ShowFeatures {
  return showFeatures({
    text: offer.kind === "kept" ? offer.edit.text : offer.raw,
    prefix: place.window.prefix,
    suffix: place.window.suffix,
    trigger: place.trigger,
    isModel: offer.model !== "local",
  });
}

/**
 * The chance of a text after adapting to the person; `null` while too little was learned and for a text
 * without a chance.
 */
export function adaptTo(
  adaptation: Adaptation | null,
  place: OfferPlace,
): (offer: KeptOffer) => number | null {
  return (offer) =>
    adaptation === null || adaptation.labels < LEAST_LABELS || offer.chance === null
      ? null
      : adaptedChance(offer.chance, featuresOf(offer, place), adaptation);
}
