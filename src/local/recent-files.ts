/**
 * Files saved since the index was built: their tokens one after the other, chained like those of the
 * open document. A file saved again is appended and its older tokens are blanked out; when half of
 * the tokens are blank the stream is written anew.
 */
import { type Matches, TokenChains } from "./chained-tokens.ts";
import { TokenBuffer } from "./token-buffer.ts";
import { HOLE, SEPARATOR } from "./vocabulary.ts";

const LIMITS = { maxPairs: 96, maxSingles: 16 } as const;

export class RecentFiles {
  readonly #buffer = new TokenBuffer(1 << 10);
  readonly #chains = new TokenChains(1 << 16);
  /** Where each file lies in the buffer. */
  readonly #places = new Map<string, { readonly start: number; readonly end: number }>();
  #blank = 0;
  #hidden: { readonly start: number; readonly end: number } = { start: 0, end: 0 };

  constructor() {
    this.#restart();
  }

  get tokens(): Int32Array {
    return this.#buffer.tokens;
  }

  get bytes(): number {
    return this.#buffer.tokens.byteLength * 3;
  }

  /** Paths of the files, oldest first. */
  paths(): Iterable<string> {
    return this.#places.keys();
  }

  /** Number of files. */
  get count(): number {
    return this.#places.size;
  }

  /** The tokens of a file; empty when it is not here. */
  tokensOf(path: string): Int32Array {
    const place = this.#places.get(path);
    if (place === undefined) return new Int32Array(0);
    return this.#buffer.tokens.subarray(place.start, place.end);
  }

  /** Stores a file in place of what was stored under its path. */
  set(path: string, tokens: Int32Array): void {
    this.delete(path);
    const start = this.#buffer.length;
    this.#buffer.append(tokens);
    this.#buffer.push(SEPARATOR);
    this.#places.set(path, { start, end: start + tokens.length });
    this.#link(start);
  }

  /** Forgets a file; nothing happens when it is not here. */
  delete(path: string): void {
    const place = this.#places.get(path);
    if (place === undefined) return;
    this.#places.delete(path);
    this.#buffer.tokens.fill(HOLE, place.start, place.end);
    this.#blank += place.end - place.start;
    if (this.#blank * 2 > this.#buffer.length) this.#compact();
  }

  /** Leaves one file out of the searches that follow; `null` leaves none out. */
  hide(path: string | null): void {
    this.#hidden = (path === null ? undefined : this.#places.get(path)) ?? { start: 0, end: 0 };
  }

  /** True when a token stands in one of the files. */
  has(token: number): boolean {
    return this.#places.size > 0 && this.#chains.has(this.#buffer.tokens, token);
  }

  /** Adds the places that follow the last tokens of `context[0, end)`, the last saved first. */
  find(context: Int32Array, end: number, matches: Matches): void {
    if (this.#places.size === 0) return;
    const first = matches.count;
    this.#chains.find(this.#buffer.tokens, context, end, LIMITS, matches);
    const { start, end: stop } = this.#hidden;
    if (start < stop) matches.removeBetween(first, start, stop);
  }

  #compact(): void {
    const files = [...this.#places.keys()].map((path) => ({
      path,
      tokens: this.tokensOf(path).slice(),
    }));
    this.#places.clear();
    this.#restart();
    for (const file of files) this.set(file.path, file.tokens);
  }

  #restart(): void {
    this.#blank = 0;
    this.#chains.clear();
    this.#buffer.length = 0;
    this.#buffer.push(SEPARATOR);
    this.#buffer.push(SEPARATOR);
  }

  #link(start: number): void {
    this.#chains.reserve(this.#buffer.length);
    for (let at = start; at < this.#buffer.length; at++) this.#chains.link(this.#buffer.tokens, at);
  }
}
