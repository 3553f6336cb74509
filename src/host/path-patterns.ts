import ignore, { type Ignore } from "ignore";

/** So many paths and their folders take a few megabytes, and a walk seldom asks again after that many. */
const MAX_REMEMBERED = 2_000;

/**
 * Patterns of a `.gitignore`, in order, with git's meaning. Immutable to the eye. The library remembers
 * every path that it was ever asked about; a server is asked without end, so now and then a copy that
 * remembers nothing takes over.
 */
export class PathPatterns {
  readonly #isCaseIgnored: boolean;
  #rules: Ignore;
  #remembered = 0;

  private constructor(rules: Ignore, isCaseIgnored: boolean) {
    this.#rules = rules;
    this.#isCaseIgnored = isCaseIgnored;
  }

  /** The patterns of `lines`; none match nothing. */
  static of(lines: readonly string[], options: { readonly isCaseIgnored: boolean }): PathPatterns {
    const { isCaseIgnored } = options;
    return new PathPatterns(ignore({ ignoreCase: isCaseIgnored }).add(lines), isCaseIgnored);
  }

  /** These patterns and, stronger than they, those of `lines`. */
  with(lines: readonly string[]): PathPatterns {
    return new PathPatterns(this.#copy().add(lines), this.#isCaseIgnored);
  }

  /** Whether the patterns leave out a path or a folder above it. Folders end in `/`. */
  match(path: string): boolean {
    if (++this.#remembered > MAX_REMEMBERED) {
      this.#rules = this.#copy();
      this.#remembered = 1;
    }
    return this.#rules.ignores(path);
  }

  #copy(): Ignore {
    return ignore({ ignoreCase: this.#isCaseIgnored }).add(this.#rules);
  }
}
