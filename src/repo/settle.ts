/**
 * Which snippets stand in the prompt from one key press to the next.
 *
 * Whatever changes in front of the text around the cursor makes a server evaluate all that follows. So
 * what was chosen stays, and a change must be paid for: each key press earns a few tokens, and when what
 * a better choice costs has been earned, it is made. Thus snippets cause at most so many new prompt
 * tokens per key press, whatever a person types. Where the text is evaluated anew anyway, since its window moved,
 * only the snippets themselves count. Within a word nothing changes at all.
 */
import type { Snippet, TokenCounter } from "../core/index.ts";

/** What was chosen for a document, and what it has earned since. */
export interface Settled {
  readonly snippets: readonly Snippet[];
  /** Negative after a change on credit: the first choice, and one where the text moved anyway. */
  readonly earnedTokens: number;
}

/** What a change at this moment means. */
export interface SettlePlace {
  /** The cursor stands inside or at the end of a word that is being typed. */
  readonly isInWord: boolean;
  /** The text around the cursor is evaluated anew in any case. */
  readonly isMoved: boolean;
  /** The cursor is far from where the snippets were chosen: a change is made on credit. */
  readonly isFar: boolean;
  /** Tokens that follow the snippets in the prompt. */
  readonly followingTokens: number;
  readonly counter: TokenCounter;
}

/** Earned per key press; the goal is five new tokens, and the first choice is on credit. */
const EARNED_PER_KEY = 4;
/** What is not spent is worth no more than this, so that an hour's typing does not pay for a flurry. */
const MAX_EARNED = 6_000;

/** The choice for this key press. `found` is `null` where nothing was looked for. */
export function settle(
  previous: Settled | null,
  found: readonly Snippet[] | null,
  place: SettlePlace,
): Settled {
  const { counter, isMoved, followingTokens } = place;
  const tokensOf = (snippets: readonly Snippet[]): number =>
    snippets.reduce((sum, { text }) => sum + counter.count(text), 0);
  if (previous === null) {
    const snippets = found ?? [];
    return { snippets, earnedTokens: -tokensOf(snippets) };
  }
  const earnedTokens = Math.min(MAX_EARNED, previous.earnedTokens + EARNED_PER_KEY);
  const kept = { snippets: previous.snippets, earnedTokens };
  if (found === null || place.isInWord) return kept;
  const wanted = inOldOrder(previous.snippets, found);
  const firstChange = wanted.findIndex((snippet, i) => snippet !== previous.snippets[i]);
  const isSame = firstChange < 0 && wanted.length === previous.snippets.length;
  if (isSame) return kept;
  const changed = wanted.slice(firstChange < 0 ? wanted.length : firstChange);
  const cost = tokensOf(changed) + (isMoved ? 0 : followingTokens);
  if (earnedTokens < (isMoved || place.isFar ? 0 : cost)) return kept;
  return { snippets: wanted, earnedTokens: earnedTokens - cost };
}

/**
 * False where no find could change the choice at this key press: what `followingTokens` cost is not earned
 * yet. For places that are neither far nor moved.
 */
export function mayChange(previous: Settled, followingTokens: number): boolean {
  return previous.earnedTokens + EARNED_PER_KEY >= followingTokens;
}

/** What stays keeps its place and its object; what is new comes behind it. */
function inOldOrder(old: readonly Snippet[], found: readonly Snippet[]): readonly Snippet[] {
  const left = new Map(found.map((snippet) => [keyOf(snippet), snippet]));
  const stay = old.filter((snippet) => left.delete(keyOf(snippet)));
  return [...stay, ...left.values()];
}

function keyOf({ kind, path, text }: Snippet): string {
  return `${kind}\0${path}\0${text}`;
}
