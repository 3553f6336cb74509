/**
 * The ways to ask a model for what is in a hole. `plain`: sentinels, prefix, suffix, its raw text, as
 * the literature does. `prompt`: our prompt with path and windows in an editor's place, its raw text.
 * `full`: the whole engine with every filter.
 */
import { TextBuffer } from "../../base/text-buffer.ts";
import {
  applyEdit,
  type Backend,
  type BuiltPrompt,
  buildPrompt,
  CompletionError,
  type FimFormat,
  type FimOrder,
  nextWindow,
  promptBudget,
  promptTokenCounter,
} from "../../core/index.ts";
import { type Engine, requestFor } from "../../engine/index.ts";
import { editorForm } from "./editor-form.ts";
import type { InfillTask } from "./infill-task.ts";

export type AskingWay = "plain" | "prompt" | "full";

/** `efim`: the order `psm` with the cursor's line, or the one above it, behind the last sentinel. */
export type AskingOrder = FimOrder | "efim";

/** What came back. */
export interface InfillAnswer {
  /** What stands in the hole now. */
  readonly text: string;
  /** The code around it and it. */
  readonly code: string;
  /** Filter or reason that left nothing; `null` when there is a text, or the model wrote none. */
  readonly refusedBy: string | null;
}

/** Asks once. Rejects with `CompletionError` when the backend fails. */
export type AskInfill = (
  task: InfillTask,
  options: { readonly signal: AbortSignal },
) => Promise<InfillAnswer>;

/** The model and how it is asked. */
export interface ModelCall {
  readonly backend: Backend;
  readonly model: string;
  readonly format: FimFormat;
  /** `null`: the one that the format prefers. */
  readonly order: AskingOrder | null;
  readonly temperature: number;
  /** Output, of single lines and of others. */
  readonly lineTokens: number;
  readonly blockTokens: number;
}

/** Asks plainly, or with our prompt, without any filter. */
export function rawAsker(way: "plain" | "prompt", call: ModelCall): AskInfill {
  return async (task, { signal }) => {
    const form = way === "plain" ? { ...task, before: "", after: "" } : editorForm(task);
    const path = way === "plain" ? null : pathOf(task.languageId);
    const { prompt, stops } = promptOf(
      { ...form, languageId: task.languageId, path },
      { task, call },
    );
    const request = {
      model: call.model,
      prompt,
      maxTokens: maxTokensOf(task, call),
      temperature: call.temperature,
      stop: stops,
    };
    let text = "";
    for await (const event of call.backend.complete(request, { signal })) {
      if (event.kind === "text") text += event.text;
    }
    const answer = form.before + text + form.after;
    return { text: answer, code: task.prefix + answer + task.suffix, refusedBy: null };
  };
}

/** Asks an engine that shows everything. A new one for each task, so that none profits from another. */
export function engineAsker(
  createEngine: () => Engine,
  limits: Pick<ModelCall, "temperature" | "lineTokens" | "blockTokens">,
): AskInfill {
  return async (task, { signal }) => {
    const form = editorForm(task);
    const engine = createEngine();
    try {
      const { outcome, explanation } = await engine.complete(
        requestFor(
          {
            kind: "text",
            prefix: form.prefix,
            suffix: form.suffix,
            path: pathOf(task.languageId),
            languageId: task.languageId,
            session: null,
            version: null,
          },
          {
            trigger: "invoked",
            multiline: task.isSingleLine ? "never" : "always",
            maxTokens: maxTokensOf(task, limits),
            temperature: limits.temperature,
            threshold: 0,
            explain: true,
          },
        ),
        { signal },
      );
      signal.throwIfAborted();
      if (outcome.kind === "none") {
        const refused = explanation?.candidates[0]?.rejectedBy;
        const code = form.prefix + form.suffix;
        return { text: "", code, refusedBy: refused ?? outcome.reason };
      }
      const code = applyEdit(form, outcome.edit);
      return { text: holeOf(task, code) ?? outcome.edit.text, code, refusedBy: null };
    } finally {
      engine.dispose();
    }
  };
}

/** What stands between prefix and suffix; `null` when an accept has changed one of them. */
function holeOf({ prefix, suffix }: InfillTask, code: string): string | null {
  const isWhole = prefix.length + suffix.length <= code.length;
  if (!isWhole || !code.startsWith(prefix) || !code.endsWith(suffix)) return null;
  return code.slice(prefix.length, code.length - suffix.length);
}

function maxTokensOf(
  task: InfillTask,
  { lineTokens, blockTokens }: Pick<ModelCall, "lineTokens" | "blockTokens">,
): number {
  return task.isSingleLine ? lineTokens : blockTokens;
}

function promptOf(
  place: {
    readonly prefix: string;
    readonly suffix: string;
    readonly languageId: string;
    readonly path: string | null;
  },
  about: { readonly task: InfillTask; readonly call: ModelCall },
): BuiltPrompt {
  const { prefix, suffix, languageId, path } = place;
  const { format, backend, order } = about.call;
  const { contextTokens, maxStops } = backend.capabilities;
  const counter = promptTokenCounter(format, languageId);
  const limits = [contextTokens, format.contextTokens].filter((limit) => limit !== null);
  const budget = promptBudget({
    contextTokens: limits.length === 0 ? null : Math.min(...limits),
    outputTokens: maxTokensOf(about.task, about.call),
  });
  const { prefixTokens, suffixTokens } = budget;
  const buffer = TextBuffer.from(prefix + suffix);
  const sizes = { prefixTokens, suffixTokens, counter, keepsSuffix: false };
  const window = nextWindow(null, { buffer, offset: prefix.length, ...sizes });
  return buildPrompt({
    format,
    order: order === "efim" ? "psm" : order,
    prefix: window.prefix,
    typedLength: order === "efim" ? lengthTyped(window.prefix) : 0,
    suffix: window.suffix,
    repository: null,
    path,
    languageId,
    snippets: [],
    budget,
    counter,
    multiline: !about.task.isSingleLine,
    stops: [],
    maxStops,
    writesBos: false,
  });
}

/** As if the cursor's line, or the one above when that is empty, was typed since the last prompt. */
function lengthTyped(prefix: string): number {
  const lineStart = prefix.lastIndexOf("\n") + 1;
  const start = lineStart < prefix.length ? lineStart : prefix.lastIndexOf("\n", lineStart - 2) + 1;
  return prefix.length - start;
}

const fileNames: Readonly<Record<string, string>> = {
  python: "solution.py",
  javascript: "solution.js",
  typescript: "solution.ts",
  java: "Solution.java",
  go: "solution.go",
  rust: "solution.rs",
  cpp: "solution.cpp",
};

function pathOf(languageId: string): string | null {
  return fileNames[languageId] ?? null;
}

/** Throws `CONFIG_INVALID` when the order is none of this family; names those that it has. */
export function checkOrder(format: FimFormat, order: AskingOrder | null): void {
  if (order === null || format.fim === "server") return;
  const orders = Object.keys(format.templates);
  if (orders.includes(order === "efim" ? "psm" : order)) return;
  const message = `${format.family} has no order ${order}; it has ${orders.join(", ")}`;
  throw new CompletionError("CONFIG_INVALID", message);
}
