/**
 * The models that Midspan knows by name, from `catalogue.data.json`. Whether one can fill in the
 * middle is not stated there: the table of formats decides. What is not known stands as `null`.
 */
import { assert } from "../../base/assert.ts";
import { nearest } from "../../config/nearest.ts";
import { CompletionError, resolveFormat } from "../../core/index.ts";
import data from "./catalogue.data.json" with { type: "json" };

/** A file that can be fetched. */
export interface ModelFile {
  /** Such as `Q8_0`. */
  readonly quantisation: string;
  /** `OWNER/NAME` on the mirror. */
  readonly repository: string;
  /** A commit where one is recorded, else a branch. */
  readonly revision: string;
  readonly file: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Where these facts come from: a key of `catalogueSources`. */
  readonly source: string;
}

export interface CatalogueModel {
  readonly name: string;
  readonly title: string;
  /** Parameters in billions, as published. */
  readonly billions: number;
  readonly licence: string;
  /** Prompt and output together. */
  readonly contextTokens: number;
  /** Memory of one token in the KV cache at 16 bits a number, from layers and heads as published. */
  readonly cacheBytesPerToken: number | null;
  /** The repository of the original weights, for vLLM and SGLang. */
  readonly weights: string | null;
  /**
   * Published exact match of the missing line on SantaCoder-FIM (Python, Java, JavaScript; first
   * line, weighted by rows). Figures of other protocols cannot be compared and do not stand here.
   */
  readonly exactMatch: { readonly percent: number; readonly source: string } | null;
  readonly note: string;
  readonly files: readonly ModelFile[];
}

/** Every model, in no order of merit. */
export const catalogue: readonly CatalogueModel[] = data.models;

/** What the keys of `source` stand for. */
export const catalogueSources: Readonly<Record<string, string>> = data.sources;

/** Whether a model can be used, by the table of formats. */
export type FimVerdict =
  | { readonly kind: "yes"; readonly family: string }
  | { readonly kind: "no"; readonly reason: string };

export function fimVerdict(name: string): FimVerdict {
  try {
    const { family } = resolveFormat({ model: name, backendKind: "llama.cpp", override: null });
    return { kind: "yes", family };
  } catch (error) {
    assert(error instanceof CompletionError, "a format is found or refused");
    // "The model "x" (x) cannot be used: reason"
    return { kind: "no", reason: error.message.replace(/^.*?cannot be used: /, "") };
  }
}

/** The model of that name. Throws `MODEL_NOT_FOUND`, with the name that was probably meant. */
export function findInCatalogue(name: string): CatalogueModel {
  const wanted = name.toLowerCase();
  const found = catalogue.find((model) => model.name === wanted);
  if (found !== undefined) return found;
  const base = wanted.replace(/-(instruct|chat|it)$/, "").replace(/-base$/, "");
  const isTuned = base !== wanted && catalogue.some((model) => model.name === base);
  const meant = isTuned ? base : nearestName(wanted);
  const why =
    isTuned && !wanted.endsWith("-base")
      ? "; models tuned for chat fill in the middle badly, so only base models are listed"
      : "";
  const next = meant === null ? "midspan model list shows all" : `did you mean ${meant}?`;
  throw new CompletionError("MODEL_NOT_FOUND", `there is no model ${name}${why}; ${next}`);
}

/** `nearest` takes dots for the dots of a setting's key. */
function nearestName(name: string): string | null {
  const withoutDots = (text: string): string => text.replaceAll(".", "-");
  const found = nearest(
    withoutDots(name),
    catalogue.map((model) => withoutDots(model.name)),
  );
  return catalogue.find((model) => withoutDots(model.name) === found)?.name ?? null;
}

/** Bits that one parameter takes; the blocks of a quantisation hold a scale too. */
const bitsPerParameter: Readonly<Record<string, number>> = { F16: 16, Q8_0: 8.5 };

/** Size of a file; reckoned from the number of parameters where it is not recorded. */
export function fileSize(
  model: CatalogueModel,
  file: ModelFile,
): { readonly bytes: number; readonly isExact: boolean } {
  if (file.bytes !== null) return { bytes: file.bytes, isExact: true };
  const bits = bitsPerParameter[file.quantisation] ?? 16;
  return { bytes: (model.billions * 1e9 * bits) / 8, isExact: false };
}

/**
 * Program, buffers and the scores of one batch: 190 MB with a vocabulary of 49,000 tokens and batches
 * of 512 (measured on smol-fim with llama-server 0.7.0), more with larger vocabularies.
 */
const SERVER_BYTES = 300_000_000;

/** A token of the KV cache where the layers are not known: as in Qwen2.5-Coder 7B. */
const USUAL_CACHE_BYTES = 57_344;

/** Memory that a server needs for a model and so many tokens of context, all slots together. */
export function memoryNeed(options: {
  readonly weightBytes: number;
  readonly cacheBytesPerToken: number | null;
  readonly contextTokens: number;
}): number {
  const { weightBytes, cacheBytesPerToken, contextTokens } = options;
  return weightBytes + contextTokens * (cacheBytesPerToken ?? USUAL_CACHE_BYTES) + SERVER_BYTES;
}
