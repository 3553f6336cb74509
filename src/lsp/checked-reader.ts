/**
 * Lets only messages through that the protocol library can take: one that is none would end the
 * process, and a cancellation without an id would throw where nobody catches it. A header that is none
 * closes the stream: nobody knows where the next message begins, and a client that is told by the end
 * of the server starts it again, where a silent one would be waited for.
 */
import {
  AbstractMessageReader,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
} from "vscode-languageserver/node";
import { CompletionError, type Log } from "../core/index.ts";

export class CheckedReader extends AbstractMessageReader implements MessageReader {
  readonly #reader: MessageReader;
  /** What the library makes of the rest of a stream that is being closed is nobody's concern. */
  #isOver = false;

  constructor(reader: MessageReader, log: Log) {
    super();
    this.#reader = reader;
    reader.onError((error) => {
      if (this.#isOver) return;
      this.fireError(error);
      // Such as a message that is too long, after which the stream ends by itself.
      if (error instanceof CompletionError) log.error(error.message, { code: error.code });
      if (!isFramingError(error)) return;
      this.#isOver = true;
      log.error(
        "the client sent a header that is none, such as one without Content-Length; good-bye",
      );
      this.fireClose();
    });
    reader.onClose(() => this.fireClose());
    reader.onPartialMessage((info) => this.firePartialMessage(info));
  }

  listen(callback: DataCallback): Disposable {
    return this.#reader.listen((message) => {
      if (isMessage(message)) callback(message);
      else this.fireError(new Error("a message that is none was dropped"));
    });
  }

  override dispose(): void {
    super.dispose();
    this.#reader.dispose();
  }
}

/**
 * The library has plain errors for headers only; a body that is no JSON is a `SyntaxError`, and what
 * happens to a stream has a code.
 */
function isFramingError(error: Error): boolean {
  return Object.getPrototypeOf(error) === Error.prototype && !("code" in error);
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (!("method" in value)) return "id" in value && isId(value.id);
  if (typeof value.method !== "string") return false;
  if ("id" in value && value.id !== null && !isId(value.id)) return false;
  const params = "params" in value ? value.params : undefined;
  if (value.method !== "$/cancelRequest") {
    // A request is refused by its handler, so that nobody waits for its answer.
    if ("id" in value) return true;
    return params === undefined || params === null || typeof params === "object";
  }
  const isObject = typeof params === "object" && params !== null;
  return isObject && "id" in params && isId(params.id);
}

function isId(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}
