/** A backend that answers at once with the same line: what remains is the cost of everything else. */
import {
  type Backend,
  type BackendCapabilities,
  type BackendEvent,
  bareCapabilities,
} from "../core/index.ts";

/** Counts how often it was asked. Never fails; stops when its caller leaves. */
export class InstantBackend implements Backend {
  readonly kind = "instant";
  readonly address = "in this process";
  readonly capabilities: BackendCapabilities = bareCapabilities;
  readonly #text: string;
  #requests = 0;

  /** `text` is every answer. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Requests so far. */
  get requests(): number {
    return this.#requests;
  }

  async *complete(): AsyncGenerator<BackendEvent> {
    this.#requests++;
    yield { kind: "text", text: this.#text };
    const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    yield { kind: "done", finishReason: "stop", usage };
  }

  async listModels(): Promise<readonly string[]> {
    return ["qwen2.5-coder-1.5b"];
  }
}
