import type { KeyPress } from "../key-press.ts";

/** One text of the list. `offered`: it is on screen, or one turns over to it. */
export interface CandidateRow {
  /** What is left of it to insert. */
  readonly text: string;
  readonly chance: number | null;
  readonly source: string;
  readonly state: "offered" | "not-offered" | "refused";
  /** The filter or rule that refused it; `""` in the other states. */
  readonly refusedBy: string;
}

/**
 * What was considered for a key press. A text that was typed along has only what is still offered,
 * and of it only what is left: the rest of the answer was not considered again.
 */
export function candidateRows(keyPress: KeyPress): readonly CandidateRow[] {
  if (keyPress.kind !== "answered" && keyPress.kind !== "typed-through") return [];
  const { reply, offered } = keyPress;
  const candidates = reply.candidates ?? [];
  if (keyPress.kind === "typed-through") {
    return offered.map(({ text, whole }) => {
      const known = candidates.find((one) => one.text === whole && one.rejected_by === null);
      const { chance = null, source = reply.source ?? "" } = known ?? {};
      return { text, chance, source, state: "offered", refusedBy: "" };
    });
  }
  return candidates.map(({ text, chance, source, rejected_by }) => {
    if (rejected_by !== null) {
      return { text, chance, source, state: "refused", refusedBy: rejected_by };
    }
    const state = offered.some(({ whole }) => whole === text) ? "offered" : "not-offered";
    return { text, chance, source, state, refusedBy: "" };
  });
}
