/**
 * Stands in for a language model where only everything around it is looked at: it answers after a
 * fixed simulated time with the line that the person goes on to write, or with a wrong one. Its
 * answers are the same for the same place, whoever asks. It reads the person's mind: its figures say
 * nothing about any model.
 */
import {
  type Backend,
  type BackendCapabilities,
  type BackendEvent,
  type BackendRequest,
  bareCapabilities,
  type Clock,
  type FimFormat,
  resolveFormat,
} from "../../core/index.ts";
import { createRandom } from "../../stats/random.ts";
import { pause } from "./pause.ts";
import type { TypingScript } from "./typing-script.ts";

/** What a stand-in is like. */
export interface StandIn {
  /** From the request to the first text. */
  readonly ttftMs: number;
  /** Share of places at which it is right, 0..1. */
  readonly rightShare: number;
}

/** Any model with a prompt format will do. */
const MODEL = "qwen2.5-coder-1.5b";
const UNITS_PER_TOKEN = 4;

/** The stand-in for a script and its person. */
export function createStandIn(
  { ttftMs, rightShare }: StandIn,
  parts: { readonly script: TypingScript; readonly clock: Clock; readonly seed: number },
): Backend {
  const { script, clock, seed } = parts;
  async function* complete(
    request: BackendRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<BackendEvent> {
    const { upcoming, written } = script;
    const line = upcoming.slice(0, endOfLine(upcoming));
    const isRight = createRandom(seed * 1_000_003 + written).next() < rightShare;
    const text = isRight ? line : wrongLine(line);
    await pause(clock, ttftMs, signal);
    // What is asked ahead is about a place that this one cannot see.
    const said = request.priority === "prefetch" ? "" : (request.forcedPrefix ?? "") + text;
    yield { kind: "text", text: said };
    signal.throwIfAborted();
    const outputTokens = Math.ceil(said.length / UNITS_PER_TOKEN);
    const usage = { inputTokens: request.prompt.tokens, cachedTokens: 0, outputTokens };
    yield { kind: "done", finishReason: "stop", usage };
  }
  const capabilities: BackendCapabilities = { ...bareCapabilities, forcedPrefix: true };
  return {
    kind: "stand-in",
    address: "in this process",
    capabilities,
    complete,
    listModels: async () => [MODEL],
  };
}

/** The model that the stand-in pretends to be. */
export function standInModel(): { readonly id: string; readonly format: FimFormat } {
  const format = resolveFormat({ model: MODEL, backendKind: "stand-in", override: null });
  return { id: MODEL, format };
}

function endOfLine(text: string): number {
  const end = text.indexOf("\n");
  return end < 0 ? text.length : end;
}

/** Begins as the right one does, as wrong answers of models do. */
function wrongLine(line: string): string {
  return `${line.slice(0, line.length >> 1)}other${line.length}`;
}
