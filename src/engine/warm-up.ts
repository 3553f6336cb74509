/**
 * Has the model server read the stable part of a document's prompt before the first question of it,
 * so that the question evaluates little more than what was typed. Once for each document and each
 * change of its snippets, while nothing else is asked, and given up as soon as somebody asks: what the
 * server has read by then stays in its cache.
 */
import type { Backend, BackendRequest, Clock, Snippet } from "../core/index.ts";
import type { DocumentHistory } from "./document-history.ts";

export class WarmUp {
  readonly #backend: Backend;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #running: AbortController | null = null;

  constructor(backend: Backend, clock: Clock, timeoutMs: number) {
    this.#backend = backend;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Sends the prompt of a request; what was sent before is given up. Failures are nobody's. */
  start(request: BackendRequest): void {
    this.stop();
    const controller = new AbortController();
    this.#running = controller;
    void this.#run(request, controller).catch(() => {
      // Nobody waits for it: the question itself will fail, or not, when it comes.
    });
  }

  /** Gives up what runs. */
  stop(): void {
    this.#running?.abort(new Error("no longer useful"));
    this.#running = null;
  }

  async #run(request: BackendRequest, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const stopTimer = this.#clock.after(this.#timeoutMs, () => controller.abort());
    try {
      for await (const event of this.#backend.complete(warmUpOf(request), { signal })) void event;
    } finally {
      stopTimer();
      if (this.#running === controller) this.#running = null;
    }
  }
}

/** True when these snippets were sent for the document already; remembers them otherwise. */
export function wasSent(history: DocumentHistory, snippets: readonly Snippet[]): boolean {
  const { sentSnippets } = history;
  const isSame =
    sentSnippets !== null &&
    sentSnippets.length === snippets.length &&
    sentSnippets.every((text, i) => text === snippets[i]?.text);
  if (!isSame) history.sentSnippets = snippets.map(({ text }) => text);
  return isSame;
}

/** One token, the least that every server takes, and nothing that only its text is for. */
function warmUpOf({ model, prompt }: BackendRequest): BackendRequest {
  return { model, prompt, maxTokens: 1, temperature: 0, stop: [], priority: "warm-up" };
}
