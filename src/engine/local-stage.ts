/** Asks the model without weights and runs its candidates through the filters. */
import type { CursorWindow, ScopeProbe, SyntaxJudge, TokenCounter } from "../core/index.ts";
import type { LocalModel } from "../local/index.ts";
import type { DocumentView } from "./documents.ts";
import { type KeptOffer, type Offer, offerOf } from "./offer.ts";
import type { Trace } from "./trace.ts";

/** Candidates that are considered; more than are ever shown, since filters refuse some. */
const CANDIDATES = 5;
/** Parts of lines that are considered behind them. */
const PARTS = 4;
/** Lines that a multi-line answer of the local model may chain. */
const MAX_LINES = 4;

export interface LocalStageInput {
  readonly local: LocalModel;
  readonly view: DocumentView;
  readonly window: CursorWindow;
  readonly multiline: boolean;
  readonly maxTokens: number;
  readonly stops: readonly string[];
  readonly scopes: ScopeProbe;
  /** Judges the texts that may be shown; `null` where there is no parser. */
  readonly syntax: SyntaxJudge | null;
  /** Whether an offer that passed the filters would be shown; what is not shown is not judged. */
  readonly isShown: (offer: KeptOffer) => boolean;
  /** Texts that are shown at most, alternatives included. */
  readonly count: number;
  readonly counter: TokenCounter;
  readonly trace: Trace;
}

/** Its offers, best first; `[]` when it has nothing to say. */
export function askLocal(input: LocalStageInput): readonly Offer[] {
  const { local, view, window, multiline, trace, counter, stops, scopes } = input;
  const candidates = trace.time("local", () =>
    local.complete({
      document: view.buffer,
      offset: view.offset,
      path: view.path,
      languageId: view.languageId,
      maxLines: multiline ? MAX_LINES : 1,
      maxCandidates: CANDIDATES,
      maxParts: PARTS,
    }),
  );
  let shown = 0;
  return trace.time("post", () =>
    candidates.map(({ text, chance, extent: of }) => {
      const raw = withinTokens(text, input.maxTokens, counter);
      const finishReason = raw.length < text.length ? "length" : "stop";
      const extent = of === "part" ? "part" : "whole";
      const known = { source: "local", model: "local" } as const;
      const candidate = { raw, chance, ...known, finishReason, extent } as const;
      const place = { window, multiline, stops, scopes, origin: "local" } as const;
      const offer = offerOf(candidate, { ...place, syntax: null });
      // A parse costs more than all other filters: only what would reach the screen is judged.
      if (offer.kind === "rejected" || shown >= input.count || !input.isShown(offer)) return offer;
      const judged =
        input.syntax === null ? offer : offerOf(candidate, { ...place, syntax: input.syntax });
      if (judged.kind === "kept") shown++;
      return judged;
    }),
  );
}

/** The longest start of `text` within a number of tokens. */
function withinTokens(text: string, maxTokens: number, counter: TokenCounter): string {
  // A token has at least one unit, so most texts need no counting.
  if (text.length <= maxTokens || counter.count(text) <= maxTokens) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (counter.count(text.slice(0, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low);
}
