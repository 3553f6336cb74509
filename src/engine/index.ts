/** The public names of the engine, one by one. */
export type { DocumentChange, DocumentEdit, OpenDocument } from "./documents.ts";
export type { EngineEvent, EngineOptions, FollowedDocuments } from "./engine.ts";
export { Engine } from "./engine.ts";
export type { ModelUse } from "./model-use.ts";
export type { JudgedOffer, RequestFacts } from "./request-facts.ts";
export { requestFor } from "./request-for.ts";
export type { EngineSettings, LanguageModel } from "./settings.ts";
export type { CallOptions, TelemetryOptions } from "./telemetry.ts";
export { Telemetry } from "./telemetry.ts";
export type {
  EngineDocument,
  EngineRequest,
  EngineResult,
  ExplainedCandidate,
  Explanation,
  Timings,
} from "./types.ts";
