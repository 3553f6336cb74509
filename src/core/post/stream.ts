/**
 * Stop rules while tokens arrive, so that the model is aborted when its text is final.
 * A rule fires at a position of the text, never at a chunk's border: any chunking gives the same
 * text. Rules: a stop string, the line end in single-line mode, a closing fence, the end of the
 * enclosing block, a loop, lines that the document has below. Cost: O(text), each line seen once.
 */
import { withoutLineEnd } from "../../base/text.ts";
import type { ScopeProbe } from "../ports.ts";
import { indentWidthAt } from "../scope/indentation.ts";
import { lexicalRulesOf } from "../scope/lexical-rules.ts";
import { Scanner } from "../scope/scanner.ts";
import { BlockWatch } from "./block.ts";
import { PostContext } from "./context.ts";
import { repeatedIndent } from "./filters/first-indent.ts";
import { isLoop } from "./filters/repetition.ts";
import { EchoWatch, LoopWatch } from "./line-watches.ts";
import { Opening } from "./opening.ts";
import { StopStrings } from "./stop-strings.ts";

/** Where the text goes, and what ends it. */
export interface StreamOptions {
  /** Sentinels and the caller's stop strings; empty ones are ignored. */
  readonly stops: readonly string[];
  /** False: the text ends with its first line. */
  readonly multiline: boolean;
  readonly prefix: string;
  readonly suffix: string;
  readonly languageId: string;
  readonly scopes: ScopeProbe;
}

/** What is known after a chunk. */
export interface StreamText {
  /** The text so far; an end that may become a stop string is held back. It only grows until `done`. */
  readonly text: string;
  /** True: the text is final, and the model may be stopped. */
  readonly done: boolean;
}

/** Applies the stop rules to one answer. */
export interface StreamCutter {
  /** Takes the next piece. After `done` more pieces change nothing. */
  push(chunk: string): StreamText;
  /** The whole text when the model has ended by itself, with what was held back. */
  finish(): string;
}

/** Length of a line at which it is first looked at for a loop; then each time it has doubled. */
const FIRST_LOOP_CHECK = 128;

/** A cutter for one answer. */
export function createStreamCutter(options: StreamOptions): StreamCutter {
  return new Cutter(options);
}

class Cutter implements StreamCutter {
  readonly #context: PostContext;
  readonly #stops: StopStrings;
  readonly #opening: Opening;
  readonly #loops = new LoopWatch();
  readonly #echo: EchoWatch;
  #scanner: Scanner | null = null;
  #block: BlockWatch | null = null;
  /** What was handed out, and what may yet become a stop string. Ropes: nothing is copied per chunk. */
  #text = "";
  #held = "";
  /** The unfinished line and where it starts. */
  #line = "";
  #lineStart = 0;
  /** Line length at which the next look for a loop is due. */
  #nextLoopCheck = FIRST_LOOP_CHECK;
  #bodyStart = -1;
  /** Length of the final text; -1 while it is open. */
  #end = -1;

  constructor(options: StreamOptions) {
    this.#context = new PostContext(options);
    this.#stops = new StopStrings(options.stops);
    this.#opening = new Opening(this.#context);
    this.#echo = new EchoWatch(this.#context);
  }

  push(chunk: string): StreamText {
    if (this.#end < 0) this.#take(chunk);
    return { text: this.#text, done: this.#end >= 0 };
  }

  finish(): string {
    return this.#end >= 0 ? this.#text : this.#text + this.#held;
  }

  #take(chunk: string): void {
    const chunkStart = this.#text.length + this.#held.length;
    const stop = this.#stops.find(this.#held + chunk, this.#text.length);
    const limit = stop?.end ?? chunkStart + chunk.length;
    for (let from = 0; this.#end < 0; ) {
      const lineEnd = chunk.indexOf("\n", from);
      const isWhole = lineEnd >= 0 && chunkStart + lineEnd < limit;
      this.#line += chunk.slice(from, isWhole ? lineEnd : limit - chunkStart);
      if (this.#isLooping() || !isWhole) break;
      this.#seeLine(chunkStart + lineEnd);
      this.#line = "";
      this.#lineStart = chunkStart + lineEnd + 1;
      this.#nextLoopCheck = FIRST_LOOP_CHECK;
      from = lineEnd + 1;
    }
    if (this.#end < 0 && stop !== null) this.#end = stop.start;

    const all = this.#held + chunk;
    if (this.#end >= 0) {
      this.#text = (this.#text + all).slice(0, this.#end);
    } else {
      const kept = all.length - this.#stops.beginningAtEnd(all);
      this.#text += all.slice(0, kept);
      this.#held = all.slice(kept);
    }
  }

  /** Looks at the unfinished line each time its length has doubled. */
  #isLooping(): boolean {
    while (this.#line.length >= this.#nextLoopCheck) {
      if (isLoop(this.#line.slice(0, this.#nextLoopCheck))) {
        this.#end = this.#lineStart + this.#nextLoopCheck;
        return true;
      }
      this.#nextLoopCheck *= 2;
    }
    return false;
  }

  /** Sees the line that ends at `lineEnd`, and decides whether the text ends with or before it. */
  #seeLine(lineEnd: number): void {
    const line = withoutLineEnd(this.#line);
    const kind = this.#opening.see(line);
    if (kind === "wrapper") {
      this.#bodyStart = -1;
      return;
    }
    if (this.#bodyStart < 0) this.#startBody(line);
    if (kind === "closing-fence" || !this.#context.multiline) {
      this.#end = lineEnd;
      return;
    }
    const isFirst = this.#lineStart === this.#bodyStart;
    if (this.#leavesBlock(line, isFirst)) return;
    const raw = isFirst ? this.#context.head + line : line;
    const isLoopOrEcho = [this.#loops.see(line), this.#echo.see(raw)].includes(true);
    if (isLoopOrEcho) this.#end = lineEnd;
  }

  #startBody(line: string): void {
    this.#bodyStart = this.#lineStart;
    const context = this.#context;
    if (!context.multiline || context.language.blocks === "none") return;
    this.#scanner = new Scanner(lexicalRulesOf(context.languageId), context.scope);
    this.#block = new BlockWatch(context, line.trim() === "");
  }

  #leavesBlock(line: string, isFirst: boolean): boolean {
    if (this.#scanner === null || this.#block === null) return false;
    const { head, headIsBlank, prefix } = this.#context;
    const skipped = isFirst ? repeatedIndent(line, this.#context) : 0;
    const text = line.slice(skipped);
    const depthBefore = this.#scanner.depth;
    const startsInCode = this.#scanner.enclosure === null;
    const base = prefix.length + this.#lineStart - this.#bodyStart;
    const firstLineIndent = indentWidthAt(headIsBlank ? head + text : head);
    this.#scanner.scan(`${text}\n`, isFirst ? { base, firstLineIndent } : { base });
    const start = this.#lineStart + skipped;
    const depthAfter = this.#scanner.depth;
    const isOver = this.#block.see({ text, start, startsInCode, depthBefore, depthAfter });
    if (isOver) this.#end = this.#block.end;
    return isOver;
  }
}
