import type { PostFilter } from "../filter.ts";
import { cutAt } from "../filter.ts";

/** Sentinels of every family and the caller's own stop strings end the text. */
export const stops: PostFilter = {
  name: "stops",
  origin: "all",
  apply(candidate, context) {
    return cutAt(candidate, firstStop(candidate.text, context.stops));
  },
};

/** Offset of the first stop string; the text's length when it holds none. Empty ones are ignored. */
export function firstStop(text: string, stopStrings: readonly string[]): number {
  let end = text.length;
  for (const stop of stopStrings) {
    if (stop === "") continue;
    const at = text.indexOf(stop);
    if (at >= 0 && at < end) end = at;
  }
  return end;
}
