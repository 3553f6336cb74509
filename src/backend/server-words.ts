/** What a server says about a failure, made fit for a message of ours. */
import { at, textAt } from "./json-value.ts";

/** What must never stand in a message. */
export interface Confidential {
  readonly apiKey: string | null;
  /** The prompt: servers that validate their input like to quote it. */
  readonly prompt: string;
}

const MAX_LENGTH = 200;
/** A run of this many characters of the prompt counts as a quotation. */
const QUOTE_LENGTH = 24;

/**
 * One line of at most 200 characters, without key and source text; `""` when the body holds no
 * sentence for people. Reads the shapes of OpenAI, FastAPI, llama.cpp, Ollama and TGI.
 */
export function serverWords(body: string, confidential: Confidential): string {
  return shownWords(sentenceOf(body), confidential);
}

/** As `serverWords`, of a text that is shown as it is. */
export function shownWords(text: string, confidential: Confidential): string {
  const words = text.replace(/[\p{C}\s]+/gu, " ").trim();
  const { apiKey, prompt } = confidential;
  const withoutKey = apiKey === null ? words : words.replaceAll(apiKey, "…");
  if (quotes(withoutKey, prompt)) return "its message quotes the prompt";
  const short = withoutKey.slice(0, MAX_LENGTH).trim();
  return (short.length < withoutKey.length ? `${short}…` : short).replace(/\.$/, "");
}

function sentenceOf(body: string): string {
  if (/^\s*</.test(body)) return "";
  const value = parsed(body);
  if (value === undefined) return body;
  return (
    textAt(value, "error", "message") ??
    textAt(value, "error") ??
    textAt(value, "message") ??
    textAt(value, "detail") ??
    fieldFault(at(value, "detail", 0)) ??
    fieldFault(at(value, "message", "detail", 0)) ??
    ""
  );
}

/** FastAPI's `{"loc": ["body", "suffix"], "msg": "Extra inputs are not permitted"}`. */
function fieldFault(fault: unknown): string | undefined {
  const message = textAt(fault, "msg");
  const field = textAt(fault, "loc", 1);
  return message === undefined || field === undefined ? message : `${field}: ${message}`;
}

function quotes(words: string, prompt: string): boolean {
  for (let start = 0; start + QUOTE_LENGTH <= words.length; start++) {
    if (prompt.includes(words.slice(start, start + QUOTE_LENGTH))) return true;
  }
  return false;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
