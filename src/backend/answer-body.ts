/** After this time a server that has said everything and still does not end its answer is cut off. */
const END_WAIT_MS = 1_000;

/**
 * The bytes of an answer. Leaving the loop closes the connection, which tells the server to stop. An
 * answer that was read to its last word ends by itself a moment later, and its connection can be
 * used again, so nobody waits for that moment and nothing is closed.
 */
export class AnswerBody implements AsyncIterable<Uint8Array> {
  readonly #bytes: AsyncIterable<Uint8Array>;
  #isSaid = false;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#bytes = bytes;
  }

  /** Everything of interest was read: leaving the loop no longer closes the connection. */
  letEnd(): void {
    this.#isSaid = true;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.#bytes[Symbol.asyncIterator]();
    try {
      for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) {
        yield chunk.value;
      }
    } finally {
      // Not awaited: nobody waits for the end of an answer that is complete. It never rejects.
      if (this.#isSaid) void drained(chunks);
      else await chunks.return?.();
    }
  }
}

async function drained(chunks: AsyncIterator<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void chunks.return?.(), END_WAIT_MS);
  try {
    while (!(await chunks.next()).done);
  } catch {
    // A connection that breaks now took nothing with it.
  } finally {
    clearTimeout(timer);
  }
}
