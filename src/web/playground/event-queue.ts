/** What the page tells the server of its ghost text, in batches; see `POST /v1/events`. */
import type { EventsBody, EventsReply, WireEvent } from "../../protocol/events.ts";

/** What happened; the queue adds the id and the time. */
export type GhostEvent = DistributiveOmit<WireEvent, "id" | "ts">;

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** What the queue needs from the page. */
export interface EventPort {
  /** Sends a batch. `isLast`: the page is about to go, and nobody will read the answer. */
  readonly send: (body: EventsBody, options: { readonly isLast: boolean }) => Promise<EventsReply>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back once after so many milliseconds; the returned function cancels that. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** Unique words. */
  readonly nextId: () => string;
}

const BATCH_MS = 1_000;
/** While the server is away, so many are kept; the oldest go. */
const MAX_WAITING = 500;

/**
 * How a suggestion ends is told at once, with what waits: the same text may be offered again within the
 * second, and is a new suggestion only where the server knows that the first one is over.
 */
const endings: ReadonlySet<WireEvent["type"]> = new Set(["accepted", "rejected"]);

/** Collects events and sends them a second later. A batch that failed is sent with the next. */
export class EventQueue {
  readonly #port: EventPort;
  #waiting: WireEvent[] = [];
  #cancel: (() => void) | null = null;
  #isSending = false;
  /** The server keeps no events. */
  #isOff = false;

  constructor(port: EventPort) {
    this.#port = port;
  }

  add(event: GhostEvent): void {
    if (this.#isOff) return;
    const { nextId, now } = this.#port;
    this.#waiting = [...this.#waiting, { ...event, id: nextId(), ts: now() }].slice(-MAX_WAITING);
    if (endings.has(event.type)) void this.#send();
    else this.#sendSoon();
  }

  /** Sends what waits, without waiting for the answer: the page is about to go. */
  leave(): void {
    if (this.#waiting.length === 0) return;
    this.#port.send(this.#body(this.#waiting), { isLast: true }).catch(() => {
      // Nobody is left to try again.
    });
    this.#waiting = [];
  }

  #sendSoon(): void {
    this.#cancel ??= this.#port.after(BATCH_MS, () => {
      this.#cancel = null;
      void this.#send();
    });
  }

  async #send(): Promise<void> {
    if (this.#isSending || this.#waiting.length === 0) return;
    this.#isSending = true;
    this.#cancel?.();
    this.#cancel = null;
    const batch = this.#waiting;
    let isSent = false;
    try {
      const { enabled } = await this.#port.send(this.#body(batch), { isLast: false });
      this.#isOff = !enabled;
      this.#waiting = enabled ? this.#waiting.filter((event) => !batch.includes(event)) : [];
      isSent = true;
    } catch {
      // The server is away or refuses; its ids make it safe to send the same again.
    } finally {
      this.#isSending = false;
    }
    if (isSent && this.#waiting.some(({ type }) => endings.has(type))) void this.#send();
    else if (this.#waiting.length > 0) this.#sendSoon();
  }

  #body(events: readonly WireEvent[]): EventsBody {
    return { sent_at: this.#port.now(), client: "playground", events };
  }
}
