import { spellingsOf } from "../core/index.ts";
import type { Tokenize } from "./tokenize.ts";

/** A line end stands between the texts: no control token contains one. */
const BORDER = "\n";

/**
 * Ids of those texts that are one control token of the model, all by one request. Texts that are
 * several tokens, or none, are absent.
 */
export async function lookUpTokens(
  tokenize: Tokenize,
  texts: readonly string[],
  options: { readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, number>> {
  const how = { add_special: false, parse_special: true };
  const border = (await tokenize({ content: BORDER, ...how }, options)).at(-1);
  if (border === undefined) return new Map();
  const spelled = texts.flatMap((text) =>
    spellingsOf(text).map((spelling) => ({ text, spelling })),
  );
  const content = spelled.flatMap(({ spelling }) => [spelling, border]);
  const lists: number[][] = [[]];
  for (const id of await tokenize({ content, ...how }, options)) {
    if (id === border) lists.push([]);
    else lists.at(-1)?.push(id);
  }
  const found = new Map<string, number>();
  spelled.forEach(({ text }, i) => {
    const [id, ...others] = lists[i] ?? [];
    if (id !== undefined && others.length === 0 && !found.has(text)) found.set(text, id);
  });
  return found;
}
