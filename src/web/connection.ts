import type { HealthReply } from "../protocol/workspace.ts";
import { getHealth, ServerError } from "./api.ts";
import { Cell } from "./cell.ts";

export type ConnectionState =
  | { readonly kind: "connecting" }
  | { readonly kind: "connected"; readonly health: HealthReply }
  | { readonly kind: "gone" }
  /** The server is there and wants a token that this page does not have. */
  | { readonly kind: "locked" };

const STEADY_MS = 5_000;
/** While something is about to change: the index grows, or the server is to come back. */
const RESTLESS_MS = 700;
/** A server that accepts and then says nothing for this long counts as gone. */
const LIMIT_MS = 4_000;

/** Knows whether the server is there, asks again by itself, and finds it when it is back. */
export class Connection {
  readonly state: Cell<ConnectionState> = new Cell<ConnectionState>({ kind: "connecting" });
  #timer = 0;

  /** Asks now, and from then on at an interval that depends on the answer. */
  async check(): Promise<void> {
    window.clearTimeout(this.#timer);
    try {
      const health = await getHealth(AbortSignal.timeout(LIMIT_MS));
      this.state.set({ kind: "connected", health });
    } catch (error) {
      const isLocked = error instanceof ServerError && error.code === "UNAUTHORIZED";
      const kind = isLocked ? "locked" : "gone";
      if (this.state.value.kind !== kind) this.state.set({ kind });
    }
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.check(), this.#intervalMs());
  }

  #intervalMs(): number {
    const state = this.state.value;
    const steady = state.kind === "connected" && state.health.local.state !== "indexing";
    return steady ? STEADY_MS : RESTLESS_MS;
  }
}
