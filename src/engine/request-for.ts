import type { EngineDocument, EngineRequest } from "./types.ts";

/**
 * A request for one greedy text at a cursor, as typing asks for it; `options` says what differs.
 * The threshold and the output limit are those of the settings.
 */
export function requestFor(
  document: EngineDocument,
  options: Partial<Omit<EngineRequest, "document">> = {},
): EngineRequest {
  return {
    document,
    trigger: "automatic",
    multiline: "auto",
    maxTokens: null,
    temperature: 0,
    stop: [],
    count: 1,
    threshold: null,
    snippets: [],
    hasSelection: false,
    explain: false,
    isNoted: true,
    ...options,
  };
}
