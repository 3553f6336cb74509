/** The choices of sources that the bench of context compares. */
import type { SnippetKind } from "../core/index.ts";

const all: readonly SnippetKind[] = ["head", "import", "definition", "similar", "search"];

const allBut = (kind: SnippetKind): readonly SnippetKind[] => all.filter((other) => other !== kind);

/** None, all, all that are on by default, and each source alone. */
export const soloChoices: readonly (readonly SnippetKind[])[] = [
  [],
  all,
  allBut("similar"),
  ...all.map((kind) => [kind]),
];

/** Those, and all but each. */
export const contextChoices: readonly (readonly SnippetKind[])[] = [
  ...soloChoices,
  ...all.filter((kind) => kind !== "similar").map(allBut),
];

/** `none`, `all`, `search`, `all but search`. */
export function choiceName(kinds: readonly SnippetKind[]): string {
  if (kinds.length === 0) return "none";
  if (kinds.length === all.length) return "all";
  const missing = all.find((kind) => !kinds.includes(kind));
  return kinds.length === 1 ? kinds.join() : `all but ${missing}`;
}
