/**
 * The prompt format of a model whose vocabulary can be looked into: its own metadata and tokens
 * decide over the name of a file or an id on a server, which anybody can change.
 */
import { CompletionError } from "../errors.ts";
import { formatRows } from "./fim-format.ts";
import type { ClientFimFormat, FimFormat, FormatRow } from "./format-row.ts";
import { resolveFormat, rowOf } from "./model-family.ts";

/** What is known of a model beyond its id. */
export interface ModelEvidence {
  /** Names in its own metadata, the most telling first; empty where it has none or none can be read. */
  readonly names: readonly string[];
  /** Id of a control token; `null` where the text is no single token of the vocabulary. */
  readonly tokenId: (text: string) => number | null;
  /** `null` when unknown. */
  readonly vocabularySize: number | null;
}

type Vocabulary = Pick<ModelEvidence, "tokenId" | "vocabularySize">;

const clientRows: readonly ClientFimFormat[] = formatRows.flatMap((row) =>
  row.fim === "client" ? [row] : [],
);

/** Every text whose token may matter, no duplicates: what to look up before `formatByEvidence`. */
export const telltaleTokens: readonly string[] = [
  ...new Set(clientRows.flatMap((row) => row.specials)),
];

/** SentencePiece vocabularies hold `▁<PRE>` where prompts have `<PRE>`. */
export function spellingsOf(token: string): readonly string[] {
  return [token, `\u2581${token}`];
}

/** Our own models: their tokens stand where no other model has them, whatever a file is called. */
const fingerprints: readonly {
  readonly family: string;
  readonly vocabularySize: number;
  readonly ids: Readonly<Record<string, number>>;
}[] = [
  {
    family: "tiny-fim",
    vocabularySize: 8_192,
    ids: { "<|fim_prefix|>": 8_186, "<|fim_middle|>": 8_187, "<|fim_suffix|>": 8_188 },
  },
  {
    family: "smol-fim",
    vocabularySize: 49_152,
    ids: { "<fim_prefix>": 8, "<fim_suffix>": 9, "<fim_middle>": 10 },
  },
];

/**
 * The format of a model, in this order: what a person named; the tokens of a model of ours; its
 * metadata; its id; what its tokens fit, if that is one form of prompt only. A name counts only if
 * the vocabulary has its sentinels. Throws as `resolveFormat` does, `MODEL_WITHOUT_FIM` also for a
 * vocabulary without sentinels.
 */
export function formatByEvidence(options: {
  readonly model: string;
  /** `Backend.kind`. */
  readonly backendKind: string;
  readonly override: string | null;
  readonly evidence: ModelEvidence;
}): FimFormat {
  const { model, backendKind, override, evidence } = options;
  if (override !== null) {
    const row = resolveFormat({ model, backendKind, override });
    const missing = row.fim === "client" ? missingSentinel(row, evidence) : null;
    if (missing === null) return row;
    const message = `The model ${JSON.stringify(model)} has no token ${missing}, which --format ${override} needs; leave --format out, or take another model`;
    throw new CompletionError("MODEL_WITHOUT_FIM", message);
  }
  const own = fingerprints.find((print) => isSame(print, evidence));
  if (own !== undefined) return resolveFormat({ model, backendKind, override: own.family });
  let refused: string | null = null;
  for (const name of [...evidence.names, model]) {
    const row = rowOf(name, backendKind);
    if (row?.fim === "none") {
      refused ??= name;
      // A name such as `gpt2` says little, one of a family that was not trained for it says all.
      if (row.kind !== "chat") break;
    } else if (row !== null && missingSentinel(row, evidence) === null) {
      return row;
    }
  }
  if (refused !== null) return resolveFormat({ model: refused, backendKind, override });
  return rowByTokens(model, evidence);
}

function isSame(
  print: (typeof fingerprints)[number],
  { tokenId, vocabularySize }: Vocabulary,
): boolean {
  // Not every server tells the size of its vocabulary; the ids alone are telling enough.
  const hasSize = vocabularySize === null || vocabularySize === print.vocabularySize;
  return hasSize && Object.entries(print.ids).every(([text, id]) => tokenId(text) === id);
}

/** A sentinel that the vocabulary lacks; `null` when it has all. */
function missingSentinel(row: FormatRow, { tokenId }: Vocabulary): string | null {
  if (row.fim !== "client") return null;
  const { prefix, suffix, middle } = row.sentinels;
  const needed = [prefix, suffix, middle].flatMap((text) => text?.replace(/^\u2581/, "") ?? []);
  return needed.find((text) => tokenId(text) === null) ?? null;
}

/** The row whose tokens are all there; of several the one with the most. */
function rowByTokens(model: string, evidence: ModelEvidence): FimFormat {
  const shown = JSON.stringify(model);
  const possible = clientRows.filter((row) => missingSentinel(row, evidence) === null);
  if (possible.length === 0) {
    const message = `The model ${shown} has no fill-in-the-middle tokens; take another model, such as one of midspan model list`;
    throw new CompletionError("MODEL_WITHOUT_FIM", message);
  }
  const whole = possible.filter((row) =>
    row.specials.every((text) => evidence.tokenId(text) !== null),
  );
  const most = Math.max(...whole.map((row) => row.specials.length));
  const fitting = whole.filter((row) => row.specials.length === most);
  const [first] = fitting;
  // A chat model may have the tokens of its base model without having learnt to use them.
  const isChat = /instruct|chat|\bit\b/i.test([model, ...evidence.names].join(" "));
  if (first !== undefined && !isChat && fitting.every((row) => hasSamePrompt(row, first))) {
    return first;
  }
  const families = (fitting.length > 0 ? fitting : possible).map((row) => row.family).join(", ");
  const message = `No prompt format is known for the model ${shown}, whose tokens are those of ${families}; name its family with --format FAMILY`;
  throw new CompletionError("MODEL_UNKNOWN", message);
}

function hasSamePrompt(a: ClientFimFormat, b: ClientFimFormat): boolean {
  const promptOf = ({ order, templates, files, stops }: ClientFimFormat): string =>
    JSON.stringify([order, templates[order], files, stops]);
  return promptOf(a) === promptOf(b);
}
