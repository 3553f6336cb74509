/**
 * Messages from a stream whose length has a bound: a header that announces more, that never ends or
 * that has no length would make the library wait, and keep what arrives, for as long as the client likes.
 */
import {
  type DataCallback,
  type Disposable,
  StreamMessageReader,
} from "vscode-languageserver/node";
import { byteSize } from "../base/byte-size.ts";
import { CompletionError } from "../core/index.ts";

/** Of one message; a document of a million lines fits. */
export const MAX_MESSAGE_BYTES = 64_000_000;
/** Of one header, which is two short lines. */
const MAX_HEADER_BYTES = 8_192;

/**
 * Reads messages; one that is too long is reported as an error with a code, a header that is none as
 * a plain error as the library does, and both end the stream.
 */
export class BoundedReader extends StreamMessageReader {
  readonly #stream: NodeJS.ReadableStream & { destroy(): unknown };

  constructor(stream: NodeJS.ReadableStream & { destroy(): unknown }) {
    super(stream);
    this.#stream = stream;
    // Its timer about half a message starts again and again, and would keep a process alive whose
    // client died in the middle of one.
    this.partialMessageTimeout = 0;
  }

  override listen(callback: DataCallback): Disposable {
    const frames = new FrameLimit();
    const check = (chunk: Buffer): void => {
      const fault = frames.faultIn(chunk);
      if (fault === null) return;
      this.#stream.off("data", check);
      this.fireError(fault);
      this.#stream.destroy();
    };
    // Before the library's own listener, so that it is asked first.
    this.#stream.on("data", check);
    return super.listen(callback);
  }
}

/** Follows where messages begin and end, and holds no more than a header. */
class FrameLimit {
  #header = "";
  #bodyBytesLeft = 0;

  /** What is wrong with a header; `null` while nothing is. */
  faultIn(chunk: Buffer): Error | null {
    for (let at = 0; at < chunk.length; ) {
      if (this.#bodyBytesLeft > 0) {
        const skipped = Math.min(this.#bodyBytesLeft, chunk.length - at);
        this.#bodyBytesLeft -= skipped;
        at += skipped;
        continue;
      }
      const known = this.#header.length;
      const header = this.#header + chunk.toString("latin1", at, at + MAX_HEADER_BYTES);
      const end = header.indexOf("\r\n\r\n");
      if (/\n\n/.test(header.slice(0, end < 0 ? undefined : end))) return noHeader();
      if (end < 0) {
        this.#header = header;
        at += header.length - known;
        if (header.length <= MAX_HEADER_BYTES) continue;
        return tooLong(`a header of the client is over ${byteSize(MAX_HEADER_BYTES)}`);
      }
      at += end + 4 - known;
      this.#header = "";
      const length = /^content-length:\s*(\d+)\s*$/im.exec(header.slice(0, end))?.[1];
      if (length === undefined) return noHeader();
      this.#bodyBytesLeft = Number(length);
      if (this.#bodyBytesLeft > MAX_MESSAGE_BYTES) {
        return tooLong(
          `a message of the client is announced with ${byteSize(this.#bodyBytesLeft)}, over the limit of ${byteSize(MAX_MESSAGE_BYTES)}`,
        );
      }
    }
    return null;
  }
}

function tooLong(what: string): CompletionError {
  return new CompletionError("BODY_TOO_LARGE", `${what}; good-bye`);
}

function noHeader(): Error {
  return new Error("a header without a length, or whose lines do not end in CR LF");
}
