/** Ways to ask a question: through an engine, or of the local model that has read nothing but context. */
import { TextBuffer } from "../../base/text-buffer.ts";
import {
  CompletionError,
  type ContextSource,
  type SnippetKind,
  snippetKinds,
} from "../../core/index.ts";
import { type Engine, type EngineResult, requestFor } from "../../engine/index.ts";
import { localLine } from "../local-line.ts";
import type { MeteredCall } from "../replay/metered-backend.ts";
import type { LineAnswer } from "./line-answer.ts";
import type { LineQuestion } from "./line-question.ts";

export type WayAnswer = Pick<LineAnswer, "outcome" | "context">;

export interface LineWay {
  readonly name: string;
  /** The suffix of the question is what the model may see. `null` when it was interrupted. */
  readonly ask: (
    question: LineQuestion,
    options: { readonly signal: AbortSignal },
  ) => Promise<WayAnswer | null>;
}

/** Nothing is remembered from one question to the next, so that a run can be continued anywhere. */
export function engineWay(
  name: string,
  parts: {
    readonly engine: Engine;
    /** Calls of the backend so far; empty without one. */
    readonly calls: readonly MeteredCall[];
    /** What the engine takes its context from; the document is closed after each question. */
    readonly source: Pick<ContextSource, "forget"> | null;
  },
): LineWay {
  const { engine, calls, source } = parts;
  const ask: LineWay["ask"] = async ({ path, languageId, prefix, suffix }, { signal }) => {
    const request = requestFor(
      { kind: "text", prefix, suffix, path, languageId, session: null, version: null },
      { trigger: "invoked", multiline: "never", threshold: 0, explain: source !== null },
    );
    const firstCall = calls.length;
    try {
      const result = await engine.complete(request, { signal });
      if (signal.aborted) return null;
      // The local model may have answered in place of a backend that failed.
      const failure = calls.slice(firstCall).find((call) => call.failure !== null)?.failure ?? null;
      if (failure !== null) return failed(failure);
      return { outcome: outcomeOf(result, prefix), context: contextOf(result) };
    } catch (error) {
      if (!(error instanceof CompletionError)) throw error;
      return failed(error.code);
    }
  };
  return {
    name,
    ask: (question, options) => ask(question, options).finally(() => source?.forget(question.path)),
  };
}

/** Whether what a line is made of stands in the document or in the passages, without a language model. */
export function readerWay(name: string, source: ContextSource): LineWay {
  return {
    name,
    async ask({ path, languageId, prefix, suffix }, { signal }) {
      const buffer = TextBuffer.from(prefix + suffix);
      const place = { path, languageId, buffer, offset: prefix.length, sent: [] };
      source.see({ path, languageId, buffer });
      const first = source.find(place);
      await first.late;
      const snippets = first.late === null ? first.snippets : source.find(place).snippets;
      source.forget(path);
      if (signal.aborted) return null;
      const text = localLine(place, snippets);
      const kinds = new Set(snippets.map(({ kind }) => kind));
      return {
        outcome:
          text.trim() === ""
            ? { kind: "none", reason: "empty" }
            : { kind: "text", text, chance: null, source: "local" },
        context: snippetKinds.filter((kind) => kinds.has(kind)),
      };
    },
  };
}

function failed(code: string): WayAnswer {
  return { outcome: { kind: "failed", code }, context: null };
}

function contextOf({ explanation }: EngineResult): readonly SnippetKind[] | null {
  if (explanation === null || explanation.prompt === null) return null;
  const sources = new Set(explanation.snippets.map(({ source }) => source));
  return snippetKinds.filter((kind) => sources.has(kind));
}

function outcomeOf({ outcome, source }: EngineResult, prefix: string): LineAnswer["outcome"] {
  if (outcome.kind === "none") return { kind: "none", reason: outcome.reason };
  const { edit, chance } = outcome;
  const text = textFrom(prefix, edit);
  return text.trim() === ""
    ? { kind: "none", reason: "empty" }
    : { kind: "text", text, chance, source: source ?? "model" };
}

/**
 * The text from the cursor on. One that changes what stands left of the cursor comes whole: it can
 * equal no target, which is as it should be.
 */
function textFrom(
  prefix: string,
  edit: { readonly text: string; readonly replaceBefore: number },
): string {
  const replaced = prefix.slice(prefix.length - edit.replaceBefore);
  return edit.text.startsWith(replaced) ? edit.text.slice(replaced.length) : edit.text;
}
