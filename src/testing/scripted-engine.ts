import type { EngineRequest, EngineResult } from "../engine/index.ts";
import type { EngineLike } from "../server/ports.ts";

/** What a scripted engine does with a request. */
export type EngineScript = (
  request: EngineRequest,
  options: Parameters<EngineLike["complete"]>[1],
) => EngineResult | Promise<EngineResult>;

/** An engine for tests of transports: it does what its script says and remembers each request. */
export class ScriptedEngine implements EngineLike {
  /** Replace it to change what the next request gets. */
  script: EngineScript;
  readonly requests: EngineRequest[] = [];

  constructor(script: EngineScript = () => engineResult("answer")) {
    this.script = script;
  }

  /** As the port; a throwing script rejects. */
  async complete(
    request: EngineRequest,
    options: Parameters<EngineLike["complete"]>[1],
  ): Promise<EngineResult> {
    this.requests.push(request);
    return await this.script(request, options);
  }
}

/** A complete result with the given text, from the local model; `changes` replaces fields. */
export function engineResult(text: string, changes: Partial<EngineResult> = {}): EngineResult {
  return {
    id: "completion-1",
    outcome: {
      kind: "completion",
      edit: { text, replaceBefore: 0, replaceAfter: 0 },
      chance: 0.5,
    },
    source: "local",
    model: "local",
    finishReason: "stop",
    alternatives: [],
    timings: {
      queueMs: 0,
      contextMs: 0.1234,
      promptMs: 0,
      localMs: 2.345,
      ttftMs: 0,
      decodeMs: 0,
      postMs: 0.5,
      totalMs: 3,
    },
    usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
    explanation: null,
    ...changes,
  };
}
