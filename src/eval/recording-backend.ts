import {
  type Backend,
  type BackendCapabilities,
  type BackendEvent,
  type BackendRequest,
  bareCapabilities,
} from "../core/index.ts";

/** A backend that says nothing and keeps the text of the last prompt. */
export class RecordingBackend implements Backend {
  readonly kind = "recording";
  readonly address = "in this process";
  readonly capabilities: BackendCapabilities = bareCapabilities;
  /** Text of the last prompt; `""` before the first. */
  prompt = "";

  async *complete({ prompt }: BackendRequest): AsyncGenerator<BackendEvent> {
    this.prompt = prompt.kind === "rendered" ? prompt.text : prompt.prefix + prompt.suffix;
    const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    yield { kind: "done", finishReason: "stop", usage };
  }

  async listModels(): Promise<readonly string[]> {
    return ["qwen2.5-coder-1.5b"];
  }
}
