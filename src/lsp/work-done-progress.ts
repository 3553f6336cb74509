/** Progress that clients show, by `window/workDoneProgress`. */
import type { MessageConnection } from "vscode-languageserver/node";
import type { Dispose } from "../base/event.ts";

/** One piece of work that a client shows. */
export interface ProgressReport {
  step(done: number, total: number, message: string): void;
  end(): void;
}

export class ProgressReporter {
  readonly #connection: MessageConnection;
  readonly #isShown: boolean;
  readonly #onBusy: (title: string | null) => void;
  #count = 0;
  #running = 0;

  /** `isShown`: the client can show it. `onBusy` hears the newest title, and `null` when all ended. */
  constructor(
    connection: MessageConnection,
    options: { readonly isShown: boolean; readonly onBusy: (title: string | null) => void },
  ) {
    this.#connection = connection;
    this.#isShown = options.isShown;
    this.#onBusy = options.onBusy;
  }

  begin(title: string): ProgressReport {
    this.#running++;
    this.#onBusy(title);
    const token = `midspan-${this.#count++}`;
    const shown = this.#isShown ? this.#create(token, title) : null;
    let percentage = -1;
    let hasEnded = false;
    const send = (value: object): void => {
      // A client that is gone cannot be told; the connection's end is handled elsewhere.
      shown
        ?.then(() => this.#connection.sendNotification("$/progress", { token, value }))
        .catch(() => {});
    };
    const end: Dispose = () => {
      if (hasEnded) return;
      hasEnded = true;
      send({ kind: "end" });
      this.#running--;
      if (this.#running === 0) this.#onBusy(null);
    };
    return {
      step: (done, total, message) => {
        const now = total === 0 ? 100 : Math.floor((100 * done) / total);
        if (hasEnded || now === percentage) return;
        percentage = now;
        send({ kind: "report", message, percentage });
      },
      end,
    };
  }

  async #create(token: string, title: string): Promise<void> {
    await this.#connection.sendRequest("window/workDoneProgress/create", { token });
    const value = { kind: "begin", title, percentage: 0, cancellable: false };
    await this.#connection.sendNotification("$/progress", { token, value });
  }
}
