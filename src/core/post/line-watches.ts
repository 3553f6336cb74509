/** Rules over the whole lines of a stream, each with a constant amount of work per line. */
import type { PostContext } from "./context.ts";
import { isSameLine, MIN_RUN_INSIDE } from "./filters/lines-below.ts";
import { loopTurns, MAX_BLOCK_LINES } from "./filters/repetition.ts";
import { hasWord } from "./lines.ts";

/** Notices lines, or blocks of lines, that come again and again. */
export class LoopWatch {
  /** The last lines that are not blank, oldest first. */
  readonly #last: string[] = [];
  /** For each period: lines in a row that equal the one so many lines before. */
  readonly #equal = new Array<number>(MAX_BLOCK_LINES + 1).fill(0);

  /** Sees the next line; true when the text has looped often enough. */
  see(line: string): boolean {
    const content = line.trim();
    if (content === "") return false;
    let isLoop = false;
    for (let period = 1; period <= MAX_BLOCK_LINES; period++) {
      const isEqual = this.#last[this.#last.length - period] === content;
      const run = isEqual ? (this.#equal[period] ?? 0) + 1 : 0;
      this.#equal[period] = run;
      if (run >= period * (loopTurns(period) - 1)) isLoop = true;
    }
    this.#last.push(content);
    if (this.#last.length > MAX_BLOCK_LINES) this.#last.shift();
    return isLoop;
  }
}

/** Notices that the text has come to the lines that the document has below the cursor. */
export class EchoWatch {
  readonly #context: PostContext;
  #matched = 0;
  #words = 0;
  #first = "";
  #areDifferent = false;

  constructor(context: PostContext) {
    this.#context = context;
  }

  /** Sees the next line, with its indentation; true when a run of different lines is there already. */
  see(raw: string): boolean {
    const content = raw.trim();
    if (content === "") return false;
    const below = this.#context.linesBelow;
    if (!this.#isNext(raw, content, below[this.#matched])) {
      this.#matched = 0;
      this.#words = 0;
      if (!this.#isNext(raw, content, below[0])) return false;
    }
    if (this.#matched === 0) this.#first = content;
    if (this.#matched === 1) this.#areDifferent = content !== this.#first;
    this.#matched++;
    if (hasWord(content)) this.#words++;
    return this.#matched >= 2 && this.#areDifferent && this.#words >= MIN_RUN_INSIDE;
  }

  #isNext(raw: string, content: string, other: string | undefined): boolean {
    return other !== undefined && isSameLine(raw, content, other, this.#context);
  }
}
