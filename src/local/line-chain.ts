/**
 * Blocks: lines one after the other, each asked for as the first was, as long as the product of
 * their chances stays high. A block ends where it would leave the indentation of its first line,
 * where the text below the cursor begins, and behind the line that closes it.
 */
import type { CandidateSearch, Pool, PooledCandidate, RankedCandidate } from "./candidates.ts";
import { indentAfter } from "./lexer.ts";
import type { Sources } from "./sources.ts";
import type { LocalCandidate } from "./types.ts";

/** Least product of chances at which a block grows. */
const LEAST_CHANCE = 0.6;

export interface BlockRequest {
  readonly sources: Sources;
  readonly pool: Pool;
  /** The first line. */
  readonly best: RankedCandidate;
  readonly maxLines: number;
  /** `\n`, or `\r\n` as in the document. */
  readonly lineBreak: string;
  readonly search: CandidateSearch;
  readonly rank: (pool: Pool) => readonly RankedCandidate[];
}

/** A block of at least two lines that begins with the best line; `null` when it does not grow. */
export function growBlock(request: BlockRequest): LocalCandidate | null {
  const { sources, search } = request;
  const { vocabulary } = sources;
  const { indent: outerIndent } = request.pool.place;
  if (request.pool.lineEnd.hasRest) return null;
  let { pool } = request;
  let { candidate, chance } = request.best;
  let text = candidate.text;
  let indent = outerIndent;
  let lines = 1;
  while (lines < request.maxLines && chance >= LEAST_CHANCE) {
    const newline = search.newlineAfter(sources, candidate);
    if (newline === null) break;
    const nextIndent = indentAfter(vocabulary, newline.token, indent);
    if (nextIndent === null || !nextIndent.startsWith(outerIndent)) break;
    // The text below the cursor is as likely to come next: the block is complete.
    if (newline.token === pool.lineEnd.suffix[0] && Math.exp(candidate.suffixFit) > 0.5) break;
    const below = search.searchBelow(sources, pool, candidate, newline.token);
    const next = request.rank(below)[0];
    if (next === undefined) break;
    const isBack = nextIndent === outerIndent && indent !== outerIndent;
    if (isBack && !isCloser(next.candidate)) break;
    const product = chance * next.chance * newline.chance;
    if (product < LEAST_CHANCE) break;
    chance = product;
    candidate = next.candidate;
    indent = nextIndent;
    text += `${request.lineBreak}${indent}${candidate.text}`;
    lines++;
    pool = below;
    if (isBack) break;
  }
  return lines === 1 ? null : { text, chance, extent: "rest", origin: "both", lines };
}

/** True for a line that only closes what is open. */
function isCloser(candidate: PooledCandidate): boolean {
  return /^[)\]}]/.test(candidate.text);
}
