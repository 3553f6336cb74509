/** The public names of the engine, one by one. */
export type { DocumentEdit, OpenDocument } from "./documents.ts";
export type { EngineEvent, EngineOptions } from "./engine.ts";
export { Engine } from "./engine.ts";
export { requestFor } from "./request-for.ts";
export type { EngineSettings, LanguageModel } from "./settings.ts";
export type {
  EngineDocument,
  EngineRequest,
  EngineResult,
  ExplainedCandidate,
  Explanation,
  Timings,
} from "./types.ts";
