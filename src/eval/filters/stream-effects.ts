/** What the stop rules spare while a text of several lines arrives: tokens that nobody would see. */
import { createStreamCutter, lexicalScopeProbe } from "../../core/index.ts";
import { windowOf } from "./filter-effects.ts";
import type { BlockText } from "./stored-texts.ts";

/** Counts of pieces, which are about tokens. */
export interface StreamedTexts {
  readonly texts: number;
  /** As many as the model writes when it is left alone. */
  readonly written: number;
  /** Taken until the stop rules are sure that the text is over. */
  readonly taken: number;
}

/** Streams each text piece by piece into the stop rules. */
export function streamEffects(
  texts: readonly BlockText[],
  options: { readonly stops: readonly string[] },
): StreamedTexts {
  let written = 0;
  let taken = 0;
  for (const text of texts) {
    const { languageId, multiline, pieces } = text;
    const place = { ...windowOf(text), languageId, multiline };
    const cutter = createStreamCutter({ ...place, ...options, scopes: lexicalScopeProbe });
    const last = pieces.findIndex((piece) => cutter.push(piece).done);
    written += pieces.length;
    taken += last < 0 ? pieces.length : last + 1;
  }
  return { texts: texts.length, written, taken };
}
