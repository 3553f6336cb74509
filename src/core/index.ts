/** The public names of the completion domain, one by one. */
export type { ErrorCode } from "./errors.ts";
export { CompletionError, errorTable } from "./errors.ts";
export type {
  Backend,
  BackendCapabilities,
  BackendEvent,
  BackendRequest,
  Clock,
  CursorRegion,
  HttpClient,
  HttpRequest,
  HttpResponse,
  Log,
  LogFields,
  OpenBracket,
  Scope,
  ScopeProbe,
  SymbolLookup,
} from "./ports.ts";
export type { FimPrompt } from "./prompt/prompt.ts";
export type {
  CompletionSource,
  CursorEdit,
  CursorWindow,
  FinishReason,
  MultilineMode,
  NoCompletionReason,
  Outcome,
  Snippet,
  TriggerKind,
  Usage,
} from "./types.ts";
export { noCompletionReasons } from "./types.ts";
