/** What sources of context are worth: ways to ask, held against the first on the same places. */
import { type BootstrapInterval, pairedBootstrap } from "../stats/paired-bootstrap.ts";
import type { Random } from "../stats/random.ts";
import { mean } from "../stats/summary.ts";
import { editSimilarity, isExactMatch } from "../stats/text-match.ts";

/** What was written at one place in one way. */
export interface WorthText {
  /** Name of the place, the same in each way. */
  readonly place: string;
  /** Places of one file are drawn together. */
  readonly cluster: string;
  readonly sources: string;
  readonly target: string;
  /** The rest of the line; `""` when nothing was written. */
  readonly text: string;
}

/** One way against the first, on the places that both have. */
export interface WorthRow {
  readonly sources: string;
  readonly places: number;
  /** Shares, 0 to 1. */
  readonly exactMatch: number;
  readonly similarity: number;
  /** This way less the first. */
  readonly matchGain: BootstrapInterval;
  readonly similarityGain: BootstrapInterval;
}

/** Rows in the order of the ways, the first of which is what the others are held against. */
export function worthRows(
  texts: readonly WorthText[],
  ways: readonly string[],
  random: Random,
): readonly WorthRow[] {
  const [first] = ways;
  const without = new Map(
    texts.filter(({ sources }) => sources === first).map((one) => [one.place, one]),
  );
  return ways.flatMap((sources): WorthRow[] => {
    const own = texts.filter((text) => text.sources === sources);
    if (own.length === 0) return [];
    const gain = (score: (text: WorthText) => number): BootstrapInterval =>
      pairedBootstrap(
        own.flatMap((text) => {
          const before = without.get(text.place);
          if (before === undefined) return [];
          return [{ left: score(before), right: score(text), cluster: text.cluster }];
        }),
        { random },
      );
    return [
      {
        sources,
        places: own.length,
        exactMatch: mean(own.map(matchOf)),
        similarity: mean(own.map(similarityOf)),
        matchGain: gain(matchOf),
        similarityGain: gain(similarityOf),
      },
    ];
  });
}

function matchOf({ text, target }: WorthText): number {
  return isExactMatch(text, target) ? 1 : 0;
}

function similarityOf({ text, target }: WorthText): number {
  return editSimilarity(text, target);
}
