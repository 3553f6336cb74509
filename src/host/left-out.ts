/** Why files and folders are left out, as a closed list; the words appear in reports and messages. */
export const leftOutReasons = [
  "denied",
  "ignored",
  "generated",
  "minified",
  "binary",
  "too-large",
  "over-cap",
  "symlink",
  "special",
  "unreadable",
  "vanished",
] as const;

/** One of `leftOutReasons`. */
export type LeftOutReason = (typeof leftOutReasons)[number];

/** Something that a person may want to mend. */
export interface FileProblem {
  /** Relative to the workspace. */
  readonly path: string;
  readonly message: string;
}

/** Examples beyond this many tell nothing new. */
const MAX_PROBLEMS = 20;

/** Counts what a walk leaves out. A folder counts once, whatever is in it. */
export class LeftOutTally {
  readonly #counts = new Map<LeftOutReason, number>();
  readonly #problems: FileProblem[] = [];

  add(reason: LeftOutReason): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  /** Counts, and keeps an example of, what is wrong rather than unwanted. */
  addProblem(reason: LeftOutReason, problem: FileProblem): void {
    this.add(reason);
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
  }

  /** Number per reason, in the order of the list; reasons that did not occur are absent. */
  get counts(): Readonly<Partial<Record<LeftOutReason, number>>> {
    const entries = leftOutReasons.flatMap((reason): [LeftOutReason, number][] => {
      const count = this.#counts.get(reason);
      return count === undefined ? [] : [[reason, count]];
    });
    return Object.fromEntries(entries);
  }

  /** The first 20 problems. */
  get problems(): readonly FileProblem[] {
    return this.#problems;
  }
}
