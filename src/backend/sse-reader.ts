/**
 * Lines to the data of server-sent events, as the HTML standard reads them
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html), with two leniencies: an event at
 * the end needs no blank line, and the field `error` of older llama.cpp servers counts as data.
 */
export class SseReader {
  #data: string[] = [];

  /** The data of the event that this line ends; `null` when it ends none. */
  push(line: string): string | null {
    if (line === "") return this.end();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    // A line that begins with a colon is a comment: servers send them to keep the connection.
    if (field === "data") this.#data.push(valueAfter(line, colon));
    else if (field === "error") this.#data.push(`{"error":${valueAfter(line, colon)}}`);
    return null;
  }

  /** The data of an event whose blank line is missing; `null` when nothing is left. */
  end(): string | null {
    if (this.#data.length === 0) return null;
    const data = this.#data.join("\n");
    this.#data = [];
    return data;
  }
}

function valueAfter(line: string, colon: number): string {
  if (colon < 0) return "";
  return line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1);
}
