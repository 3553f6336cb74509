/**
 * Messages from a stream whose length has a bound: a header that announces more, or that never ends,
 * would make the library wait, and keep what arrives, for as long as the client likes.
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

/** Reads messages; one that is too long is reported as an error with a code, and ends the stream. */
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
      this.fireError(new CompletionError("BODY_TOO_LARGE", fault));
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
  /** After a header without a length, which the library refuses, nothing can be followed. */
  #isLost = false;

  /** What is too long, in words; `null` while nothing is. */
  faultIn(chunk: Buffer): string | null {
    for (let at = 0; at < chunk.length && !this.#isLost; ) {
      if (this.#bodyBytesLeft > 0) {
        const skipped = Math.min(this.#bodyBytesLeft, chunk.length - at);
        this.#bodyBytesLeft -= skipped;
        at += skipped;
        continue;
      }
      const known = this.#header.length;
      const header = this.#header + chunk.toString("latin1", at, at + MAX_HEADER_BYTES);
      const end = header.indexOf("\r\n\r\n");
      if (end < 0) {
        this.#header = header;
        at += header.length - known;
        if (header.length <= MAX_HEADER_BYTES) continue;
        return `a header of the client is over ${byteSize(MAX_HEADER_BYTES)}; good-bye`;
      }
      at += end + 4 - known;
      this.#header = "";
      const length = /^content-length:\s*(\d+)\s*$/im.exec(header.slice(0, end))?.[1];
      this.#isLost = length === undefined;
      this.#bodyBytesLeft = Number(length ?? 0);
      if (this.#bodyBytesLeft > MAX_MESSAGE_BYTES) {
        return `a message of the client is announced with ${byteSize(this.#bodyBytesLeft)}, over the limit of ${byteSize(MAX_MESSAGE_BYTES)}; good-bye`;
      }
    }
    return null;
  }
}
