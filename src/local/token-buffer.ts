/** A growing list of token ids that holds no boxed numbers. */
export class TokenBuffer {
  /** Ids in `[0, length)`; what stands behind is left over. Replaced when the buffer grows. */
  tokens: Int32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.tokens = new Int32Array(capacity);
  }

  push(token: number): void {
    if (this.length === this.tokens.length) this.#grow(this.length + 1);
    this.tokens[this.length++] = token;
  }

  append(tokens: Int32Array): void {
    if (this.length + tokens.length > this.tokens.length) this.#grow(this.length + tokens.length);
    this.tokens.set(tokens, this.length);
    this.length += tokens.length;
  }

  /** A copy of the ids. */
  toArray(): Int32Array {
    return this.tokens.slice(0, this.length);
  }

  #grow(needed: number): void {
    const grown = new Int32Array(Math.max(needed, this.tokens.length * 2));
    grown.set(this.tokens.subarray(0, this.length));
    this.tokens = grown;
  }
}
