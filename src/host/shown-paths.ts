/**
 * Which files snippets may come from: those that the rules of the workspace let in. Rules are read from
 * files, so an answer may have to be found first; until then it is no.
 */
import type { FolderRules } from "./folder-rules.ts";

/** Paths are forgotten beyond this many. */
const MAX_PATHS = 10_000;

export class ShownPaths {
  readonly #rules: () => Promise<FolderRules>;
  readonly #isIndexed: (path: string) => boolean;
  #loading: Promise<FolderRules> | null = null;
  #known = new Map<string, boolean>();

  /** `rules` reads the rules at the top of the workspace; `isIndexed` knows files that were let in. */
  constructor(options: {
    readonly rules: () => Promise<FolderRules>;
    readonly isIndexed: (path: string) => boolean;
  }) {
    this.#rules = options.rules;
    this.#isIndexed = options.isIndexed;
  }

  /** False for what a rule keeps out, for paths that lead out of the workspace, and until it is known. */
  mayShow(path: string): boolean {
    if (this.#isIndexed(path)) return true;
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_PATHS) this.#known = new Map();
    this.#known.set(path, false);
    if (isInside(path)) void this.#find(path);
    return false;
  }

  /** The rules may have changed: everything is asked anew. */
  forget(): void {
    // What is on its way was asked of the old rules: it goes where nobody looks.
    this.#known = new Map();
    this.#loading = null;
  }

  async #find(path: string): Promise<void> {
    const known = this.#known;
    this.#loading ??= this.#rules();
    try {
      const rules = await this.#loading;
      known.set(path, (await rules.leavesOutPath(path)) === null);
    } catch {
      // Unreadable rules let nothing in.
    }
  }
}

function isInside(path: string): boolean {
  const steps = path.split("/");
  return path !== "" && !/^(?:[a-z]+:|[\\/])/i.test(path) && !steps.includes("..");
}
