/** Between the wire of `POST /v1/autocomplete` and the engine's types, by hand, in both directions. */
import type { CursorEdit, FinishReason, NoCompletionReason } from "../core/index.ts";
import { noCompletionReasons } from "../core/index.ts";
import type { EngineRequest, EngineResult } from "../engine/index.ts";
import type { AutocompleteBody } from "../protocol/autocomplete.ts";
import { arrayItems, type Fields, objectFields, requiredString } from "../protocol/decode.ts";

const sources = ["local", "model", "cache", "type-through", "prefetch"] as const;
const MAX_UNITS = 1_000_000;

/** The text around a cursor, and which document it is. */
export interface SharedText {
  readonly prefix: string;
  readonly suffix: string;
  readonly path: string | null;
  readonly languageId: string;
  /**
   * Names this client, which with the path names the document, and orders its questions; `null` for a
   * text that is no version of a document.
   */
  readonly known: { readonly session: string; readonly version: number } | null;
}

/** The body of a question to the server. */
export function bodyOf(text: SharedText, request: EngineRequest): AutocompleteBody {
  return {
    prefix: text.prefix,
    suffix: text.suffix,
    language: text.languageId === "" ? undefined : text.languageId,
    path: text.path ?? undefined,
    ...text.known,
    multiline: request.multiline,
    trigger: request.trigger,
    n: request.count,
    selection: request.hasSelection,
    context: request.snippets.flatMap(({ path, text: snippet, kind }) =>
      kind === "open" || kind === "edit" ? [{ path, text: snippet, kind }] : [],
    ),
    explain: request.explain,
    noted: request.isNoted,
  };
}

/** Throws `DecodeError` for what is no answer. */
export function resultOfReply(reply: unknown, totalMs: number): EngineResult {
  const fields = objectFields(reply, "reply");
  const id = requiredString(fields.id, "reply.id", MAX_UNITS);
  const edit = editOf(fields);
  const chance = typeof fields.confidence === "number" ? fields.confidence : null;
  const alternatives = Array.isArray(fields.alternatives)
    ? arrayItems(fields.alternatives, "reply.alternatives", 10).map((alternative) =>
        editOf(objectFields(alternative, "reply.alternatives")),
      )
    : [];
  const { finish_reason: finish } = fields;
  const finishReason: FinishReason = finish === "length" || finish === "timeout" ? finish : "stop";
  return {
    id,
    outcome:
      edit.text === ""
        ? { kind: "none", reason: reasonOf(fields.reason) }
        : { kind: "completion", edit, chance },
    source: sources.find((source) => source === fields.source) ?? null,
    model: typeof fields.model === "string" ? fields.model : null,
    finishReason,
    alternatives,
    timings: { ...noTimings, totalMs },
    usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
    explanation:
      typeof fields.decision === "string"
        ? {
            ...{ prompt: null, snippets: [], candidates: [] },
            threshold: typeof fields.threshold === "number" ? fields.threshold : 0,
            decision: fields.decision,
          }
        : null,
  };
}

const noTimings = {
  ...{ queueMs: 0, contextMs: 0, promptMs: 0, localMs: 0, ttftMs: 0, decodeMs: 0, postMs: 0 },
} as const;

function editOf(fields: Fields): CursorEdit {
  return {
    text: requiredString(fields.completion, "reply.completion", MAX_UNITS),
    replaceBefore: countOf(fields.replace_before),
    replaceAfter: countOf(fields.replace_after),
  };
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 0;
}

function reasonOf(value: unknown): NoCompletionReason {
  return noCompletionReasons.find((reason) => reason === value) ?? "empty";
}
