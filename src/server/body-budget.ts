/**
 * What the bodies of all requests hold together, from their first byte to their answer. One body has a
 * limit of its own; a hundred slow senders, or a queue before a slow model, need this one. The largest
 * body gives way, so that nobody who types in a file of usual size is refused for the sake of a flood.
 */
import { byteSize } from "../base/byte-size.ts";
import { CompletionError } from "../core/index.ts";

/** The share of one request. */
export interface HeldBody {
  /** More of it arrived. May refuse this body or another, in which case its owner is told. */
  add(bytes: number): void;
  /** The request is answered. */
  release(): void;
}

interface Share {
  bytes: number;
  readonly refuse: (error: CompletionError) => void;
}

export class BodyBudget {
  readonly #maxBytes: number;
  /** Oldest first. */
  readonly #shares = new Set<Share>();
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are held now; never over the limit once `add` has returned. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** `refuse` is called with OVERLOADED at most once, when this body has to give way. */
  hold(refuse: (error: CompletionError) => void): HeldBody {
    const share: Share = { bytes: 0, refuse };
    this.#shares.add(share);
    return {
      add: (bytes) => {
        if (!this.#shares.has(share)) return;
        share.bytes += bytes;
        this.#heldBytes += bytes;
        while (this.#heldBytes > this.#maxBytes) this.#refuseLargest();
      },
      release: () => this.#release(share),
    };
  }

  #refuseLargest(): void {
    let largest: Share | null = null;
    for (const share of this.#shares) {
      if (largest === null || share.bytes > largest.bytes) largest = share;
    }
    if (largest === null) return;
    this.#release(largest);
    largest.refuse(
      new CompletionError(
        "OVERLOADED",
        `the bodies of all requests hold over ${byteSize(this.#maxBytes)} together, and the largest gives way; send this one again later`,
      ),
    );
  }

  #release(share: Share): void {
    if (this.#shares.delete(share)) this.#heldBytes -= share.bytes;
  }
}
