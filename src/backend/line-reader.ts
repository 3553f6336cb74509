/**
 * Bytes to lines, for server-sent events and for one JSON value a line. Chunk borders may fall
 * anywhere, inside a character or between CR and LF too.
 */
export class LineReader {
  readonly #decoder = new TextDecoder("utf-8");
  #rest = "";
  #skipsLineFeed = false;

  /** Length of the unfinished line; whoever feeds bytes bounds it. */
  get pendingLength(): number {
    return this.#rest.length;
  }

  /** The lines that end in this chunk, without their line ends (LF, CRLF or CR). */
  push(bytes: Uint8Array): string[] {
    return this.#split(this.#decoder.decode(bytes, { stream: true }));
  }

  /** What is left when the bytes are over: at most one line without an end. */
  end(): string[] {
    const lines = this.#split(this.#decoder.decode());
    if (this.#rest !== "") lines.push(this.#rest);
    this.#rest = "";
    return lines;
  }

  #split(text: string): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let offset = 0; offset < text.length; offset++) {
      const code = text.charCodeAt(offset);
      if (code === LF && this.#skipsLineFeed) {
        start = offset + 1;
      } else if (code === LF || code === CR) {
        lines.push(this.#rest + text.slice(start, offset));
        this.#rest = "";
        start = offset + 1;
      }
      this.#skipsLineFeed = code === CR;
    }
    this.#rest += text.slice(start);
    return lines;
  }
}

const LF = 10;
const CR = 13;
