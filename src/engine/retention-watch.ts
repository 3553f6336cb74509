/** Looks again at what was accepted, 15 seconds to ten minutes later, while its document is open. */
import type { Dispose } from "../base/event.ts";
import {
  type Clock,
  movedOffset,
  type Retention,
  retentionOf,
  retentionSeconds,
} from "../core/index.ts";
import type { DocumentEdit } from "./documents.ts";
import type { FollowedDocuments } from "./engine.ts";

/** What was accepted and where. */
export interface WatchedText {
  readonly documentKey: string;
  readonly text: string;
  /** Offset at which the text stands, or is about to. */
  readonly anchor: number;
}

/** Accepted texts that are looked after at the same time; the oldest goes. */
const MAX_WATCHES = 256;

interface Watch {
  readonly documentKey: string;
  readonly text: string;
  readonly tell: (afterSec: number, retention: Retention) => void;
  readonly acceptedAtMs: number;
  anchor: number;
  /** Number of looks taken. */
  looks: number;
  stopTimer: Dispose;
}

/** The accepted texts of one engine. */
export class RetentionWatch {
  readonly #clock: Clock;
  readonly #documents: FollowedDocuments;
  readonly #watches = new Set<Watch>();

  constructor(clock: Clock, documents: FollowedDocuments) {
    this.#clock = clock;
    this.#documents = documents;
  }

  /** Watches a text; `tell` is called at most once for each of `retentionSeconds`, in their order. */
  add(text: WatchedText, tell: Watch["tell"]): void {
    const [oldest] = this.#watches;
    if (this.#watches.size >= MAX_WATCHES && oldest !== undefined) this.#end(oldest);
    const acceptedAtMs = this.#clock.now();
    const watch: Watch = { ...text, tell, acceptedAtMs, looks: 0, stopTimer: () => {} };
    this.#watches.add(watch);
    this.#schedule(watch);
  }

  /** The document was edited. */
  edited(documentKey: string, edits: readonly DocumentEdit[]): void {
    for (const watch of this.#watches) {
      if (watch.documentKey !== documentKey) continue;
      for (const edit of edits) watch.anchor = movedOffset(watch.anchor, edit);
    }
  }

  /** The document was closed: nothing more is known of its texts. */
  closed(documentKey: string): void {
    for (const watch of this.#watches) if (watch.documentKey === documentKey) this.#end(watch);
  }

  /** Stops all timers. */
  dispose(): void {
    for (const watch of this.#watches) this.#end(watch);
  }

  #schedule(watch: Watch): void {
    const afterSec = retentionSeconds[watch.looks];
    if (afterSec === undefined) {
      this.#end(watch);
      return;
    }
    const waitMs = watch.acceptedAtMs + afterSec * 1000 - this.#clock.now();
    watch.stopTimer = this.#clock.after(waitMs, () => this.#look(watch, afterSec));
  }

  #look(watch: Watch, afterSec: number): void {
    const buffer = this.#documents.bufferOf(watch.documentKey);
    if (buffer === null) {
      this.#end(watch);
      return;
    }
    const retention = retentionOf(buffer, watch);
    watch.tell(afterSec, retention);
    watch.looks++;
    if (retention.present) this.#schedule(watch);
    else this.#end(watch);
  }

  #end(watch: Watch): void {
    watch.stopTimer();
    this.#watches.delete(watch);
  }
}
