/**
 * Lets only messages through that the protocol library can take: one that is none would end the
 * process, and a cancellation without an id would throw where nobody catches it.
 */
import {
  AbstractMessageReader,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
} from "vscode-languageserver/node";

export class CheckedReader extends AbstractMessageReader implements MessageReader {
  readonly #reader: MessageReader;

  constructor(reader: MessageReader) {
    super();
    this.#reader = reader;
    reader.onError((error) => this.fireError(error));
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

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (!("method" in value)) return "id" in value && isId(value.id);
  if (typeof value.method !== "string") return false;
  if ("id" in value && value.id !== null && !isId(value.id)) return false;
  const params = "params" in value ? value.params : undefined;
  if (value.method !== "$/cancelRequest") {
    return params === undefined || params === null || typeof params === "object";
  }
  const isObject = typeof params === "object" && params !== null;
  return isObject && "id" in params && isId(params.id);
}

function isId(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}
