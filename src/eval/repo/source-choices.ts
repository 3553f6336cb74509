/** Which sources of context a run is asked with, so that the worth of each is a row. */
import type { SnippetKind } from "../../core/index.ts";

export interface SourceChoice {
  readonly name: string;
  readonly kinds: readonly SnippetKind[];
}

/** What finds something in a repository where no other document is open and nobody types or copies. */
const findableKinds: readonly SnippetKind[] = ["head", "import", "definition", "search"];

/**
 * Without any, what the others are held against; then the given ones without each of them, with each
 * further one, and each alone.
 */
export function sourceChoices(set: readonly SnippetKind[]): readonly SourceChoice[] {
  const isSet = (kind: SnippetKind): boolean => set.includes(kind);
  return [
    { name: "no sources", kinds: [] },
    ...findableKinds.map((kind) =>
      isSet(kind)
        ? { name: `without ${kind}`, kinds: set.filter((other) => other !== kind) }
        : { name: `with ${kind}`, kinds: [...set, kind] },
    ),
    ...findableKinds.map((kind) => ({ name: `${kind} alone`, kinds: [kind] })),
  ];
}
