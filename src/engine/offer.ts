/** One text on its way to being shown: from the local model or the language model, after the filters. */
import {
  type CompletionSource,
  type CursorEdit,
  type CursorWindow,
  type FinishReason,
  type NoCompletionReason,
  postProcess,
  type ScopeProbe,
  type SyntaxJudge,
} from "../core/index.ts";

/** A text and what became of it. */
export type Offer = {
  /** As the model wrote it. */
  readonly raw: string;
  /** Calibrated chance of being right; `null` where uncalibrated. */
  readonly chance: number | null;
  readonly source: CompletionSource;
  readonly model: string;
  readonly finishReason: FinishReason;
  /** `part`: the beginning of a line that the local model is surer of than of any whole. */
  readonly extent: "whole" | "part";
} & (
  | { readonly kind: "kept"; readonly edit: CursorEdit }
  | { readonly kind: "rejected"; readonly reason: NoCompletionReason; readonly filter: string }
);

/** A text that passed the filters. */
export type KeptOffer = Extract<Offer, { kind: "kept" }>;

/** The raw text of a model and where it stands. */
export interface RawText {
  readonly raw: string;
  readonly chance: number | null;
  readonly source: CompletionSource;
  readonly model: string;
  readonly finishReason: FinishReason;
  readonly extent: "whole" | "part";
}

/** Runs the filters over a raw text at a place. */
export function offerOf(
  text: RawText,
  place: {
    readonly window: CursorWindow;
    readonly multiline: boolean;
    readonly stops: readonly string[];
    readonly scopes: ScopeProbe;
    /** `null` where no parser judges the text. */
    readonly syntax: SyntaxJudge | null;
    readonly origin: "local" | "model";
  },
): Offer {
  const { window } = place;
  const result = postProcess({
    raw: text.raw,
    finishReason: text.finishReason,
    prefix: window.prefix,
    suffix: window.suffix,
    languageId: window.languageId,
    multiline: place.multiline,
    stops: place.stops,
    scopes: place.scopes,
    ...(place.syntax !== null && { syntax: place.syntax }),
    origin: place.origin,
  });
  return result.kind === "kept"
    ? { ...text, kind: "kept", edit: result.edit }
    : { ...text, kind: "rejected", reason: result.reason, filter: result.filter };
}
