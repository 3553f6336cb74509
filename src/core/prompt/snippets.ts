/**
 * Which snippets go into the prompt, and in which order.
 *
 * Chosen by use, written by stability: a server's KV cache holds up to the first change, so the order
 * must not follow scores, which move. Definitions come first, sorted by path, then the neighbours in
 * the order in which the caller keeps them, an append-only list with the newest at its end.
 */
import { withoutLineEnd } from "../../base/text.ts";
import type { Snippet } from "../types.ts";
import type { TokenCounter } from "./tokens.ts";

/** A snippet as it goes into the prompt; `text` may be shorter than the original, at a line end. */
export interface PackedSnippet {
  readonly snippet: Snippet;
  readonly text: string;
  /** Tokens of `text` and of what is written around it. */
  readonly tokens: number;
}

/** What is packed into, and beside what. */
export interface SnippetLimits {
  readonly budgetTokens: number;
  /** Cap on all definitions together. */
  readonly definitionTokens: number;
  readonly counter: TokenCounter;
  /** Tokens of a whole snippet with what is written around it. */
  readonly wholeTokens: (snippet: Snippet) => number;
  /** Tokens of what is written around the text of a snippet. */
  readonly frameTokens: (snippet: Snippet) => number;
  /** The document; a snippet that its window shows already is left out. */
  readonly path: string | null;
  readonly prefix: string;
  readonly suffix: string;
}

/**
 * The snippets that fit, whole; the most useful one is cut at a line end when not even it fits.
 * Blank and repeated ones are left out, and those that the window shows. Empty when nothing fits.
 */
export function packSnippets(
  snippets: readonly Snippet[],
  limits: SnippetLimits,
): readonly PackedSnippet[] {
  const useful = unseen(snippets, limits);
  const definitions = take(
    useful.filter(isDefinition).toSorted(byPath),
    Math.min(limits.definitionTokens, limits.budgetTokens),
    limits,
  );
  const neighbours = take(
    useful.filter((snippet) => !isDefinition(snippet)),
    limits.budgetTokens - definitions.reduce((sum, { tokens }) => sum + tokens, 0),
    limits,
  );
  return [...definitions, ...neighbours];
}

/** Takes the best that fit, best first, and returns them in the order of `snippets`. */
function take(
  snippets: readonly Snippet[],
  budgetTokens: number,
  limits: SnippetLimits,
): readonly PackedSnippet[] {
  const best = snippets
    .map((snippet, index) => ({ snippet, index }))
    .sort((a, b) => b.snippet.score - a.snippet.score || b.index - a.index);
  const taken = new Map<Snippet, PackedSnippet>();
  let leftTokens = budgetTokens;
  for (const { snippet } of best) {
    const tokens = limits.wholeTokens(snippet);
    if (tokens <= leftTokens) {
      taken.set(snippet, { snippet, text: snippet.text, tokens });
      leftTokens -= tokens;
    } else if (taken.size === 0) {
      const frameTokens = limits.frameTokens(snippet);
      const cut = linesWithin(snippet.text, leftTokens - frameTokens, limits.counter);
      if (cut.text === "") continue;
      taken.set(snippet, { snippet, text: cut.text, tokens: cut.tokens + frameTokens });
      leftTokens -= cut.tokens + frameTokens;
    }
  }
  return snippets.flatMap((snippet) => taken.get(snippet) ?? []);
}

/** The lines from the start that fit; `""` when the first does not. */
function linesWithin(
  text: string,
  maxTokens: number,
  counter: TokenCounter,
): { readonly text: string; readonly tokens: number } {
  let end = 0;
  let tokens = 0;
  while (end < text.length) {
    const lineEnd = text.indexOf("\n", end) + 1 || text.length;
    const lineTokens = counter.count(text.slice(end, lineEnd));
    if (tokens + lineTokens > maxTokens) break;
    tokens += lineTokens;
    end = lineEnd;
  }
  return { text: text.slice(0, end), tokens };
}

function unseen(snippets: readonly Snippet[], limits: SnippetLimits): readonly Snippet[] {
  const seen = new Set<string>();
  return snippets.filter((snippet) => {
    const body = snippet.text.trim();
    if (body === "" || seen.has(body) || isShown(snippet, body, limits)) return false;
    seen.add(body);
    return true;
  });
}

/** True when the window shows the text: repeated, it would cost tokens and invite copying. */
function isShown(snippet: Snippet, body: string, { path, prefix, suffix }: SnippetLimits): boolean {
  if (prefix.includes(body) || suffix.includes(body)) return true;
  if (path === null || snippet.path !== path) return false;
  // A piece of the document itself that the cursor or an edge of the window cuts in two.
  const lines = body.split("\n").map((line) => withoutLineEnd(line).trim());
  const telling = lines.filter((line) => /[\p{L}\p{N}]/u.test(line));
  const shown = telling.filter((line) => prefix.includes(line) || suffix.includes(line));
  return 2 * shown.length >= telling.length;
}

/** What changes least: the document's own head, and what other files define. */
function isDefinition({ kind }: Snippet): boolean {
  return kind === "head" || kind === "import" || kind === "definition";
}

function byPath(a: Snippet, b: Snippet): number {
  return a.path === b.path ? 0 : a.path < b.path ? -1 : 1;
}
