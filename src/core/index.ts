/** The public names of the completion domain, one by one. */

export { bareCapabilities } from "./bare-capabilities.ts";
export type { AroundCursor } from "./cursor-edit.ts";
export { applyEdit, brokenLaw, isSubsequence } from "./cursor-edit.ts";
export type { ErrorCode } from "./errors.ts";
export { CompletionError, errorTable } from "./errors.ts";
export type {
  AcceptKind,
  EventBase,
  EventOf,
  EventSink,
  EventType,
  IgnoreReason,
  JudgedText,
  TelemetryEvent,
} from "./events.ts";
export {
  acceptKinds,
  eventTypes,
  filterReasons,
  ignoreReasons,
  retentionSeconds,
} from "./events.ts";
export type { GhostPart, GhostText } from "./ghost/ghost-text.ts";
export { ghostText } from "./ghost/ghost-text.ts";
export type { PartialAccept } from "./ghost/partial-accept.ts";
export { acceptLine, acceptWord } from "./ghost/partial-accept.ts";
export { languageOf, languageOfPath, languages } from "./language.ts";
export type { BlockStyle, Language } from "./language-table.ts";
export type {
  Backend,
  BackendCapabilities,
  BackendEvent,
  BackendRequest,
  Clock,
  ContextFinding,
  ContextPlace,
  ContextSource,
  CursorRegion,
  HttpClient,
  HttpRequest,
  HttpResponse,
  Log,
  LogFields,
  OpenBracket,
  RequestPriority,
  Scope,
  ScopeProbe,
  SymbolLookup,
  SyntaxJudge,
} from "./ports.ts";
export { entropy, issuedKeys } from "./post/filters/secrets.ts";
export { indentUnitOf } from "./post/indent-unit.ts";
export type { MultilineQuestion } from "./post/multiline.ts";
export { decideMultiline } from "./post/multiline.ts";
export type { PostInput, PostResult } from "./post/pipeline.ts";
export { postFilters, postProcess, runFilters } from "./post/pipeline.ts";
export { privateKeyStart, secretNames, standIns } from "./post/secret-names.ts";
export type { StreamCutter, StreamOptions, StreamText } from "./post/stream.ts";
export { createStreamCutter } from "./post/stream.ts";
export { balancedGrammar } from "./prompt/balanced-grammar.ts";
export type { PromptBudget } from "./prompt/budget.ts";
export { promptBudget } from "./prompt/budget.ts";
export type { BuiltPrompt, PromptInput } from "./prompt/build.ts";
export { buildPrompt } from "./prompt/build.ts";
export { harmlessText, promptTokenCounter, remembering } from "./prompt/counter.ts";
export { formatRows, sentinelsToCut } from "./prompt/fim-format.ts";
export { forcingGrammar, isOnlyBlanks } from "./prompt/forcing-grammar.ts";
export type { FimFormat, FimOrder, ServerFimFormat } from "./prompt/format-row.ts";
export type { FrozenPrefix } from "./prompt/frozen-prefix.ts";
export { freezePrefix } from "./prompt/frozen-prefix.ts";
export { healingCut } from "./prompt/healing.ts";
export { commentMarks, languageName } from "./prompt/layout.ts";
export type { ModelEvidence } from "./prompt/model-evidence.ts";
export { formatByEvidence, spellingsOf, telltaleTokens } from "./prompt/model-evidence.ts";
export { resolveFormat } from "./prompt/model-family.ts";
export type { FimPrompt, PromptPiece } from "./prompt/prompt.ts";
export { blockCounter, tokenBlocks } from "./prompt/token-blocks.ts";
export type { TokenCounter } from "./prompt/tokens.ts";
export { estimatedTokenCounter } from "./prompt/tokens.ts";
export type { PromptWindow } from "./prompt/window.ts";
export { nextWindow } from "./prompt/window.ts";
export type { AnswerCacheLimits, ModelAnswer } from "./request/answer-cache.ts";
export { AnswerCache, answerCacheLimits, answerKey } from "./request/answer-cache.ts";
export type { Breaker } from "./request/breaker.ts";
export {
  admit,
  afterFailure,
  afterRefusal,
  afterSuccess,
  closedBreaker,
} from "./request/breaker.ts";
export type { BothAnswers, CascadeRules, Scored } from "./request/cascade.ts";
export { afterLocal, afterModel, cascadeRules } from "./request/cascade.ts";
export type { CursorView, TypedSince } from "./request/cursor-view.ts";
export { typedSince, viewAt } from "./request/cursor-view.ts";
export type { RequestRhythm } from "./request/debounce.ts";
export { afterAnswer, afterKey, initialRhythm, waitMs } from "./request/debounce.ts";
export type {
  InflightAction,
  InflightEvent,
  InflightOptions,
  InflightState,
  InflightStep,
  Question,
  SupersedePolicy,
} from "./request/inflight.ts";
export { idleInflight, nextInflight } from "./request/inflight.ts";
export type { AskDecision, AskPosition, PolicyRuleName } from "./request/policy.ts";
export { decideAsk } from "./request/policy.ts";
export type { PolicyObservation, PolicyShares, RefusalCount } from "./request/policy-shares.ts";
export { countRefusals } from "./request/policy-shares.ts";
export type { AnswerRing, RememberedAnswer } from "./request/reuse.ts";
export { mayStillFit, recall, remainingEdit, remember } from "./request/reuse.ts";
export type { LastOutcome, TriggerPosition, TriggerWeights } from "./request/trigger-score.ts";
export { triggerFeatures, triggerScore } from "./request/trigger-score.ts";
export type { AcceptedText, Retention } from "./retention.ts";
export { movedOffset, retentionOf } from "./retention.ts";
export { indentWidthAt } from "./scope/indentation.ts";
export { lexicalScopeProbe } from "./scope/lexical-scope-probe.ts";
export { structureOf } from "./scope/text-structure.ts";
export type { Adaptation, AdaptationLabel } from "./show/adaptation.ts";
export {
  adaptationFrom,
  adaptedChance,
  LEAST_LABELS,
  noAdaptation,
  shareOf,
} from "./show/adaptation.ts";
export type { ChanceWeights, ModelChanceData, ModelTextFacts } from "./show/model-chance.ts";
export { modelChance, modelTextFeatures } from "./show/model-chance.ts";
export type { ShowFeatures, ShowPlace } from "./show/show-features.ts";
export { showFeatureNames, showFeatures } from "./show/show-features.ts";
export { breakEvenChance, isWorthShowing, requiredChance } from "./show/show-rule.ts";
export type { Sureness, TokenScore } from "./show/token-scores.ts";
export { surenessOf, TokenScoreList } from "./show/token-scores.ts";
export { storageError, storageWords } from "./storage-error.ts";
export type {
  CompletionSource,
  CursorEdit,
  CursorWindow,
  FinishReason,
  MultilineMode,
  NoCompletionReason,
  Outcome,
  Snippet,
  SnippetKind,
  TriggerKind,
  Usage,
} from "./types.ts";
export { noCompletionReasons, snippetKinds } from "./types.ts";
