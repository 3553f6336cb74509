/**
 * What was offered and what becomes of it, told to telemetry. Clients that say when they show a text
 * are believed; for the others a text counts as shown when it was answered and for 50 ms nothing
 * happened in its document. Of an entry in a list nobody knows whether a person saw it: it counts only
 * when it was taken.
 */
import type { Dispose } from "../base/event.ts";
import { LruMap } from "../base/lru.ts";
import type { Clock, IgnoreReason } from "../core/index.ts";
import type { ClientProfile } from "./client-profile.ts";
import { acceptedUnits, isSameText, type OfferedItem } from "./offered-item.ts";
import type { InlineQuestion } from "./params.ts";
import type { Feedback } from "./ports.ts";

/** As many as existing servers remember. */
const MAX_ITEMS = 100;

/** An editor has drawn a text by then. */
const SHOWN_AFTER_MS = 50;

interface Offered {
  readonly item: OfferedItem;
  /** `null` where nobody keeps events. */
  readonly feedback: Feedback | null;
  /** Units that were taken in pieces so far. */
  taken: number;
}

export class Suggestions {
  readonly #clock: Clock;
  readonly #profile: ClientProfile;
  readonly #items = new LruMap<string, Offered>(MAX_ITEMS);
  /** By document: ends the wait for a text that may be on screen. */
  readonly #waiting = new Map<string, Dispose>();
  /** By document: the last text that was offered there. */
  readonly #newest = new Map<string, OfferedItem>();
  #reportsShown: boolean;

  constructor(clock: Clock, profile: ClientProfile) {
    this.#clock = clock;
    this.#profile = profile;
    this.#reportsShown = profile.reportsShown;
  }

  /** Texts that go to the client now. */
  offer(
    items: readonly OfferedItem[],
    options: { readonly feedback: Feedback | null } & Pick<InlineQuestion, "shownAs">,
  ): void {
    const { feedback, shownAs } = options;
    const [first] = items;
    if (first === undefined) return;
    for (const item of items) this.#items.set(item.id, { item, feedback, taken: 0 });
    this.#newest.set(first.uri, first);
    if (this.#reportsShown || shownAs === "list") return;
    const stop = this.#clock.after(SHOWN_AFTER_MS, () => {
      this.#waiting.delete(first.uri);
      feedback?.telemetry.shown(first.requestId, { visibleIndex: 0, isInferred: true });
    });
    this.#waiting.set(first.uri, stop);
  }

  /** A new request of a document: what was offered before it was seen too shortly to count. */
  asked(uri: string): void {
    this.#stopWaiting(uri);
    this.#endWithEntry(uri, "superseded");
  }

  /** The document changed. */
  changed(uri: string): void {
    this.#stopWaiting(uri);
  }

  /** The client shows a text. False for one that is not known. */
  shown(id: string): boolean {
    const offered = this.#items.get(id);
    if (!this.#reportsShown) {
      this.#reportsShown = true;
      for (const stop of this.#waiting.values()) stop();
      this.#waiting.clear();
    }
    if (offered === undefined) return false;
    const { item, feedback } = offered;
    feedback?.telemetry.shown(item.requestId, { visibleIndex: item.index, isInferred: false });
    return true;
  }

  /**
   * The whole text was taken. False for one that is not known. What is acknowledged is kept, so it
   * resolves when it is.
   */
  async accepted(id: string): Promise<boolean> {
    const offered = this.#items.get(id);
    if (offered === undefined) return false;
    this.#stopWaiting(offered.item.uri);
    const { item, feedback } = this.#latest(offered);
    feedback?.telemetry.accepted(item.requestId, { kind: "full", visibleIndex: item.index });
    // A full disk is said by the journal; the text was taken all the same.
    await feedback?.flush().catch(() => {});
    return true;
  }

  /** `length` units from the start of the item's text were taken, all pieces together. */
  acceptedUpTo(id: string, length: number): boolean {
    const offered = this.#items.get(id);
    if (offered === undefined) return false;
    return this.#taken(offered, acceptedUnits(offered.item, this.#profile, length));
  }

  /** As `acceptedUpTo`, counted from the cursor. */
  acceptedAfterCursor(id: string, length: number): boolean {
    const offered = this.#items.get(id);
    return offered !== undefined && this.#taken(offered, length);
  }

  /** A person refused it. */
  rejected(id: string): boolean {
    const offered = this.#items.get(id);
    if (offered === undefined) return false;
    const { item, feedback } = offered;
    if (this.#waiting.has(item.uri)) {
      // Who refuses a text has seen it, however quickly.
      this.#stopWaiting(item.uri);
      feedback?.telemetry.shown(item.requestId, { visibleIndex: item.index, isInferred: true });
    }
    feedback?.telemetry.rejected(item.requestId);
    return true;
  }

  /** The person looks at another document. */
  left(uri: string): void {
    const item = this.#newest.get(uri);
    this.#stopWaiting(uri);
    if (item === undefined) return;
    this.#items.get(item.id)?.feedback?.telemetry.ignored(item.requestId, "blur");
  }

  closed(uri: string): void {
    this.#stopWaiting(uri);
    this.#endWithEntry(uri, "document-closed");
    this.#newest.delete(uri);
  }

  /** Stops every wait. */
  dispose(): void {
    for (const stop of this.#waiting.values()) stop();
    this.#waiting.clear();
  }

  #stopWaiting(uri: string): void {
    this.#waiting.get(uri)?.();
    this.#waiting.delete(uri);
  }

  /** The engine sees no end of a text that is made for no document of its own. */
  #endWithEntry(uri: string, why: IgnoreReason): void {
    const item = this.#newest.get(uri);
    if (item?.hasEntry !== true) return;
    this.#items.get(item.id)?.feedback?.telemetry.ignored(item.requestId, why);
  }

  /** An editor may leave an older answer on screen when a newer one says the same. */
  #latest(offered: Offered): Offered {
    const newest = this.#newest.get(offered.item.uri);
    if (newest === undefined || offered.item.index > 0) return offered;
    if (!isSameText(newest, offered.item)) return offered;
    return this.#items.get(newest.id) ?? offered;
  }

  #taken(offered: Offered, length: number): boolean {
    const { item, feedback } = offered;
    const chars = length - offered.taken;
    this.#stopWaiting(item.uri);
    if (chars <= 0) return true;
    offered.taken = length;
    const piece = item.edit.text.slice(length - chars, length);
    const kind = piece.endsWith("\n") ? "line" : "word";
    feedback?.telemetry.acceptedPartly(item.requestId, { kind, chars });
    return true;
  }
}
