/** How much of what was accepted is still there, per accepted edit. */
import { ratio } from "./acceptance.ts";
import type { ShownRecord } from "./completion-record.ts";
import { mean } from "./summary.ts";

/** Retention a while after the accept. */
export interface RetentionAt {
  readonly afterSec: number;
  /** Edits whose fate at this time is known: looked at, or seen to be gone before. */
  readonly edits: number;
  /** Share of them that is present: at most half of its words changed. */
  readonly present: number | null;
  /** Mean share of characters that is unchanged, 0 for what is gone. */
  readonly kept: number | null;
}

/** Retention at each of these times. What was gone stays gone. */
export function retentionAt(
  shown: readonly ShownRecord[],
  seconds: readonly number[],
): readonly RetentionAt[] {
  return seconds.map((afterSec) => {
    const shares = shown.flatMap(({ looks }) => {
      const look = looks.find((one) => one.afterSec === afterSec);
      const end = looks.find((one) => one.afterSec < afterSec && !one.present);
      if (end !== undefined) return [0];
      return look === undefined ? [] : [look.present ? 1 - look.charDiff : 0];
    });
    const present = shares.filter((share) => share > 0).length;
    return {
      afterSec,
      edits: shares.length,
      present: ratio(present, shares.length),
      kept: shares.length === 0 ? null : mean(shares),
    };
  });
}

/**
 * Units that were accepted and, at the last look, still there. An edit that nobody looked at counts
 * as nothing: its document was closed at once, or its editor does not let us look.
 */
export function retainedChars({ acceptedChars, looks }: ShownRecord): number {
  const last = looks.at(-1);
  return last?.present === true ? acceptedChars * (1 - last.charDiff) : 0;
}
