/**
 * The prompt of one request.
 *
 * What changes least stands first, because servers keep the KV cache of an unchanged beginning:
 * name of the repository, snippets, path, then the fill-in-the-middle parts. Prefix and suffix come
 * from `nextWindow` and are never cut here. Cost: O(prompt), well under a millisecond for 4,096 tokens.
 */
import { CompletionError } from "../errors.ts";
import type { Snippet } from "../types.ts";
import type { PromptBudget } from "./budget.ts";
import type { FimFormat, FimOrder } from "./format-row.ts";
import type { PromptLayout } from "./layout.ts";
import { layoutOf } from "./layout.ts";
import { headerOf, snippetPieces } from "./pieces.ts";
import type { FimPrompt, PromptPiece } from "./prompt.ts";
import type { PackedSnippet } from "./snippets.ts";
import { packSnippets } from "./snippets.ts";
import type { TemplatePart } from "./template.ts";
import { fillTemplate } from "./template.ts";
import type { TokenCounter } from "./tokens.ts";

/** What a prompt is made of. */
export interface PromptInput {
  readonly format: FimFormat;
  /** `null`: the format's own choice. CONFIG_INVALID when the family has no such order. */
  readonly order: FimOrder | null;
  readonly prefix: string;
  /**
   * So many units at the end of `prefix` follow the last sentinel instead, as the beginning of the
   * answer; see `freezePrefix`. Only with the order `psm`. Absent: none.
   */
  readonly typedLength?: number;
  /** Units at the end of `prefix` that are left out for token healing. Absent: none. */
  readonly cutLength?: number;
  readonly suffix: string;
  /** Name of the repository; `null` leaves it out. */
  readonly repository: string | null;
  /** Of the document, relative to the workspace; `null` when unknown. */
  readonly path: string | null;
  readonly languageId: string;
  /** Definitions in any order; neighbours with the newest last. */
  readonly snippets: readonly Snippet[];
  readonly budget: PromptBudget;
  readonly counter: TokenCounter;
  /** Several lines may come back; some families are told. */
  readonly multiline: boolean;
  /** The caller's stop strings. */
  readonly stops: readonly string[];
  /** At most so many stop strings go to the server; `null` for no limit. */
  readonly maxStops: number | null;
  /** Begins with the family's begin-of-text token. False, except where no tokenizer adds it. */
  readonly writesBos: boolean;
}

/** A prompt, and what belongs to it. */
export interface BuiltPrompt {
  readonly prompt: FimPrompt;
  /** The caller's stop strings, then the family's, the most telling first, within `maxStops`. */
  readonly stops: readonly string[];
  /** In the order of the prompt. */
  readonly snippets: readonly PackedSnippet[];
}

/** Steps in which prefix and suffix take room from snippets: finer ones would move them on each key. */
const RESERVED_STEPS = 4;

/**
 * Builds the prompt. User text in it holds no sentinel of the family.
 * Invariant: `prompt.tokens` is at most `budget.totalTokens`. Throws CONTEXT_TOO_SMALL when prefix,
 * suffix and the sentinels alone are over it; path and repository are left out before that.
 */
export function buildPrompt(input: PromptInput): BuiltPrompt {
  const { format, budget, counter } = input;
  const layout = layoutOf(format);
  const parts = partsOf(input, layout);
  const end = input.prefix.length - (input.cutLength ?? 0);
  const typedStart = Math.min(end, input.prefix.length - (input.typedLength ?? 0));
  const prefix = layout.neutralise(input.prefix.slice(0, typedStart));
  const typed = layout.neutralise(input.prefix.slice(typedStart, end));
  const suffix = layout.neutralise(input.suffix);
  // The texts as the window has counted them: what is cut is counted too, which is on the safe side.
  const prefixTokens =
    typed === ""
      ? counter.count(input.prefix)
      : counter.count(input.prefix.slice(0, typedStart)) + counter.count(typed);
  const suffixTokens = counter.count(input.suffix);
  const bareTokens = prefixTokens + suffixTokens + countPieces(fillTemplate(parts, {}), counter);

  const header = headerOf(input, layout);
  const headerTokens = countPieces(header.all, counter);
  const roomTokens = budget.totalTokens - bareTokens - headerTokens;
  const hasRoom = roomTokens >= 0;
  if (bareTokens > budget.totalTokens || (!hasRoom && layout.form.when === "always")) {
    throw new CompletionError(
      "CONTEXT_TOO_SMALL",
      `The text around the cursor has ${bareTokens} tokens, ` +
        `the whole prompt may have ${budget.totalTokens}`,
    );
  }
  const snippets = !hasRoom
    ? []
    : packSnippets(input.snippets, {
        budgetTokens:
          roomTokens -
          growth(prefixTokens, budget.prefixTokens) -
          growth(suffixTokens, budget.suffixTokens),
        definitionTokens: budget.definitionTokens,
        counter: { count: (text) => counter.count(layout.neutralise(text)) },
        wholeTokens: (snippet) => wholeTokens(snippet, { layout, counter }),
        frameTokens: (snippet) => countPieces(snippetPieces(snippet, "", layout), counter),
        path: input.path,
        prefix: input.prefix,
        suffix: input.suffix,
      });

  const hasHeader = hasRoom && isFormUsed(input, layout, snippets.length > 0);
  const files = snippets.flatMap(({ snippet, text }) => snippetPieces(snippet, text, layout));
  const context = hasHeader ? [...header.repository, ...files, ...header.current] : [];
  const isBefore = layout.form.place === "before";
  const prefixPieces = [
    ...(isBefore ? [] : context),
    ...(hasHeader ? header.inPrefix : []),
    { isSentinel: false, text: prefix },
  ];
  const tokens =
    bareTokens +
    (hasHeader ? headerTokens : 0) +
    snippets.reduce((sum, snippet) => sum + snippet.tokens, 0);
  const stops = stopsOf(input, snippets.length > 0);
  if (format.fim === "server") {
    return {
      prompt: { kind: "parts", prefix: joined(prefixPieces) + typed, suffix, tokens },
      stops,
      snippets,
    };
  }
  const pieces = merged([
    ...(hasHeader ? header.start : []),
    ...(isBefore ? context : []),
    ...fillTemplate(parts, { prefix: prefixPieces, suffix }),
    { isSentinel: false, text: typed },
  ]);
  const cursorPiece = typed === "" ? cursorPieceOf(pieces, prefix) : pieces.length - 1;
  const prompt: FimPrompt = { kind: "rendered", text: joined(pieces), pieces, tokens };
  return { prompt: cursorPiece < 0 ? prompt : { ...prompt, cursorPiece }, stops, snippets };
}

/** The parts around prefix and suffix; none where the server writes them. */
function partsOf(input: PromptInput, layout: PromptLayout): readonly TemplatePart[] {
  const { format, order, writesBos } = input;
  if (format.fim === "server") return [];
  const parts = layout.orders.get(order ?? format.order);
  if (parts === undefined) {
    throw new CompletionError(
      "CONFIG_INVALID",
      `${format.family} has no order ${order}; it has ${[...layout.orders.keys()].join(", ")}`,
    );
  }
  if (!writesBos || format.bos === null) return parts;
  return [{ kind: "text", isSentinel: true, text: format.bos }, ...parts];
}

function isFormUsed(input: PromptInput, { form }: PromptLayout, hasSnippets: boolean): boolean {
  switch (form.when) {
    case "always":
      return true;
    case "path":
      return hasSnippets || input.path !== null;
    case "repository":
      return hasSnippets || (input.path !== null && input.repository !== null);
    case "snippets":
      return hasSnippets;
  }
}

/** Tokens kept free for a text to grow into before the snippets must make room. */
function growth(tokens: number, capTokens: number): number {
  const step = Math.max(1, Math.ceil(capTokens / RESERVED_STEPS));
  return Math.max(0, Math.min(capTokens, Math.ceil(tokens / step) * step) - tokens);
}

function wholeTokens(
  snippet: Snippet,
  { layout, counter }: { readonly layout: PromptLayout; readonly counter: TokenCounter },
): number {
  let known = layout.snippetTokens.get(counter);
  if (known === undefined) {
    known = new WeakMap();
    layout.snippetTokens.set(counter, known);
  }
  const tokens =
    known.get(snippet) ?? countPieces(snippetPieces(snippet, snippet.text, layout), counter);
  known.set(snippet, tokens);
  return tokens;
}

/** A sentinel is one token, whatever its length. */
function countPieces(pieces: readonly PromptPiece[], counter: TokenCounter): number {
  return pieces.reduce((sum, piece) => sum + (piece.isSentinel ? 1 : counter.count(piece.text)), 0);
}

/** The caller's stops first: they end texts which the family's own would let run on. */
function stopsOf(input: PromptInput, hasSnippets: boolean): readonly string[] {
  const { format, stops, maxStops } = input;
  const own =
    format.fim === "client" ? [...(hasSnippets ? format.contextStops : []), ...format.stops] : [];
  const all = [...new Set([...stops, ...own])].filter((stop) => stop !== "");
  return maxStops === null ? all : all.slice(0, maxStops);
}

/** A suffix that ends as the prefix does is taken for it only where neither tells much. */
function cursorPieceOf(pieces: readonly PromptPiece[], prefix: string): number {
  if (prefix === "") return -1;
  return pieces.findIndex(({ isSentinel, text }) => !isSentinel && text.endsWith(prefix));
}

/** Neighbouring texts in one piece: a tokenizer must see them together. */
function merged(pieces: readonly PromptPiece[]): readonly PromptPiece[] {
  const result: PromptPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.text === "") continue;
    if (last === undefined || last.isSentinel || piece.isSentinel) result.push(piece);
    else result[result.length - 1] = { isSentinel: false, text: last.text + piece.text };
  }
  return result;
}

function joined(pieces: readonly PromptPiece[]): string {
  return pieces.map((piece) => piece.text).join("");
}
