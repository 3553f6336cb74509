/** What observers learn of a request besides its result: where it was, and what was judged. */
import { hashText } from "../base/hash.ts";
import type { CursorWindow, ShowFeatures } from "../core/index.ts";
import { featuresOf } from "./adapt-to.ts";
import type { Decision } from "./decision.ts";
import type { DocumentView } from "./documents.ts";
import type { EngineRequest } from "./types.ts";

/** Facts of one request. They hold offsets, hashes and numbers; the path is for hashing only. */
export interface RequestFacts {
  /** The document among `Engine.documents`; `null` for one that is not recognised again. */
  readonly documentKey: string | null;
  readonly path: string | null;
  readonly languageId: string;
  /** Of the cursor, in the document as it was when it was asked. */
  readonly offset: number;
  /** Hash of the text next to the cursor; `""` when the request ended before it was looked at. */
  readonly context: string;
  /** Request whose answer this is: an earlier one where its text was only typed along. */
  readonly suggestion: string;
  /** The text that was judged, shown or not; `null` when there was none. */
  readonly judged: JudgedOffer | null;
}

/** What the show rule knew of a text. */
export interface JudgedOffer {
  readonly chance: number | null;
  /** The chance after adapting to the person; `null` while that is off. */
  readonly adapted: number | null;
  readonly threshold: number;
  readonly features: ShowFeatures;
}

/** The place of a request; filled in on its way. */
export interface RequestPlace {
  view: DocumentView | null;
  window: CursorWindow | null;
  suggestion: string | null;
}

/** The facts of a request that has ended; `null` when it did not get as far as its document. */
export function factsOf(parts: {
  readonly id: string;
  readonly request: EngineRequest;
  readonly place: RequestPlace;
  readonly decision: Decision | null;
}): RequestFacts | null {
  const { id, request, place, decision } = parts;
  const { view, window } = place;
  if (view === null) return null;
  const judged = decision?.judged ?? null;
  return {
    documentKey: view.key,
    path: view.path,
    languageId: view.languageId,
    offset: view.offset,
    context: window === null ? "" : hashNear(window),
    suggestion: place.suggestion ?? id,
    judged:
      judged === null || decision === null || window === null
        ? null
        : {
            chance: judged.chance,
            adapted: decision.adapted,
            threshold: decision.threshold,
            features: featuresOf(judged, { window, trigger: request.trigger }),
          },
  };
}

/** So much on each side tells places apart; the whole window costs a tenth of a millisecond. */
const NEAR_UNITS = 512;

function hashNear({ prefix, suffix }: CursorWindow): string {
  return hashText(`${prefix.slice(-NEAR_UNITS)}\0${suffix.slice(0, NEAR_UNITS)}`);
}
