/** A prompt without anything of ours but a window: sentinels, text before and after, greedy. */
import {
  type Backend,
  type BackendRequest,
  buildPrompt,
  type FimFormat,
  type PromptBudget,
  type PromptWindow,
  promptTokenCounter,
} from "../core/index.ts";

/** The model, and how long its prompt and its answer may be. */
export interface PlainModel {
  readonly backend: Backend;
  readonly model: string;
  readonly format: FimFormat;
  readonly budget: PromptBudget;
  readonly maxTokens: number;
}

/** The place of a prompt. */
export interface PlainPlace extends Pick<PromptWindow, "prefix" | "suffix"> {
  readonly languageId: string;
  /** `null` where the prompt names no file. */
  readonly path: string | null;
  /** False: the text ends with its first line. */
  readonly multiline: boolean;
  /** Units at the end of `prefix` that the prompt leaves out and the answer must begin with. */
  readonly cutLength?: number;
}

/** The request for a place. */
export function plainRequest(
  { prefix, suffix, languageId, path, multiline, cutLength = 0 }: PlainPlace,
  { model, format, budget, maxTokens }: Omit<PlainModel, "backend">,
): BackendRequest {
  const forced = prefix.slice(prefix.length - cutLength);
  const counter = promptTokenCounter(format, languageId);
  const { prompt, stops } = buildPrompt({
    ...{ format, order: null, prefix, suffix, cutLength, repository: null, path, languageId },
    ...{ snippets: [], budget, counter, multiline, stops: multiline ? [] : ["\n"] },
    ...{ maxStops: null, writesBos: false },
  });
  return {
    ...{ model, prompt, maxTokens: maxTokens + counter.count(forced), temperature: 0, stop: stops },
    ...(forced === "" ? {} : { forcedPrefix: forced }),
  };
}

/** The text of a request in the pieces in which it arrived. */
export async function piecesOf(
  backend: Backend,
  request: BackendRequest,
): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const pieces: string[] = [];
  for await (const event of backend.complete(request, { signal })) {
    if (event.kind === "text") pieces.push(event.text);
  }
  return pieces;
}
