/**
 * Backends that know the answers, to check the harness itself: with every filter off a perfect one
 * passes every task and an empty one none.
 */
import {
  type Backend,
  type BackendCapabilities,
  type BackendEvent,
  type BackendRequest,
  bareCapabilities,
} from "../../core/index.ts";
import { editorForm } from "./editor-form.ts";
import type { AskingWay } from "./infill-asker.ts";
import type { InfillTask } from "./infill-task.ts";

export type Script = "perfect" | "empty";

/** What a model that follows the script says to a task asked in this way. */
export function scriptedText(task: InfillTask, script: Script, way: AskingWay): string {
  if (script === "empty") return "";
  return way === "plain" ? task.target : editorForm(task).target;
}

/** Says one text, in one piece, whatever it is asked. */
export class ScriptedBackend implements Backend {
  readonly kind = "scripted";
  readonly address = "in this process";
  // As a llama-server that is asked for healed tokens does, it begins with what is demanded.
  readonly capabilities: BackendCapabilities = { ...bareCapabilities, forcedPrefix: true };
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  async *complete(request: BackendRequest): AsyncGenerator<BackendEvent> {
    const text = (request.forcedPrefix ?? "") + this.#text;
    if (text !== "") yield { kind: "text", text };
    const usage = { inputTokens: request.prompt.tokens, cachedTokens: 0, outputTokens: 1 };
    yield { kind: "done", finishReason: "stop", usage };
  }

  async listModels(): Promise<readonly string[]> {
    return ["scripted"];
  }
}
