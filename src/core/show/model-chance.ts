/**
 * The chance that a language model's text is right, so that it can be compared with a local
 * candidate: logistic regressions over what is seen of the text, one with and one without the
 * model's log-probabilities. Fitted by `scripts/train-model-calibrator.ts`; about a microsecond.
 */
import { isWordCode } from "../../base/text.ts";
import data from "./model-chance.data.json" with { type: "json" };
import type { Sureness } from "./token-scores.ts";

/** A model's text at a cursor. */
export interface ModelTextFacts {
  /** Id of the model as its backend knows it. */
  readonly model: string;
  /** After the filters; what is put in at the cursor. */
  readonly text: string;
  /** Text left of the cursor; its last line is looked at. */
  readonly prefix: string;
  /** Text right of the cursor; the rest of the line is looked at. */
  readonly suffix: string;
  readonly multiline: boolean;
  /** `triggerScore` of the position. */
  readonly triggerScore: number;
  /** What the local model offers there. */
  readonly local: readonly { readonly text: string; readonly chance: number | null }[];
  /** `null` where the backend reports no log-probabilities. */
  readonly sureness: Sureness | null;
}

/** A fitted regression: a weight for each feature, in the order of `features`. */
export interface ChanceWeights {
  readonly features: readonly string[];
  readonly bias: number;
  readonly weights: readonly number[];
  /** Mean log odds of the texts that it was fitted on. */
  readonly usual: number;
}

/** What the training script writes. */
export interface ModelChanceData {
  /** Models that it was fitted on: parts of their ids, lower case. */
  readonly models: readonly string[];
  readonly withSureness: ChanceWeights;
  readonly withoutSureness: ChanceWeights;
  /** Packages that it was fitted on; never those that judge it. */
  readonly trainedOn: readonly string[];
}

/**
 * Of a model that was never seen: the exact match of a line that code models of 1.5 billion weights
 * reach over whole repositories (RepoEval, CrossCodeEval), and how far its own text may move the
 * chance away from it, as a share of the log odds.
 */
const UNSEEN = { prior: 0.4, trust: 0.5 } as const;
/** Below this a text is as good as impossible; one odd token must not outweigh all others. */
const LEAST_TOTAL = -12;
const LEAST = -6;

/**
 * Chance, 0..1, that the text is what the person goes on to write. `null`, not calibrated, for a model
 * that was never seen and does not say how sure it is: what is left to look at tells too little.
 */
export function modelChance(facts: ModelTextFacts, fitted: ModelChanceData = data): number | null {
  const { withSureness, withoutSureness, models } = fitted;
  const weights = facts.sureness === null ? withoutSureness : withSureness;
  const values = modelTextFeatures(facts);
  let score = weights.bias;
  weights.features.forEach((name, i) => {
    score += (weights.weights[i] ?? 0) * (values.get(name) ?? 0);
  });
  const id = facts.model.toLowerCase();
  const isKnown = models.some((model) => id.includes(model));
  if (!isKnown && facts.sureness === null) return null;
  return chanceOf(isKnown ? score : shrunk(score - weights.usual));
}

/** Features by name; those of the sureness are missing without it. */
export function modelTextFeatures(facts: ModelTextFacts): ReadonlyMap<string, number> {
  const { text, prefix, suffix, local, sureness } = facts;
  const rest = suffix.slice(0, lineLength(suffix));
  const twin = local.find((candidate) => candidate.text === text);
  const best = Math.max(0, ...local.map(({ chance }) => chance ?? 0));
  const [firstLine = ""] = text.split("\n", 1);
  const values = new Map<string, number>([
    ["length", Math.log(1 + text.length)],
    ["inWord", flag(isWordCode(prefix.charCodeAt(prefix.length - 1)))],
    ["lineStart", flag(/(^|\n)[ \t]*$/.test(prefix.slice(-200)))],
    ["textRight", flag(rest.trim() !== "")],
    ["unbalanced", Math.min(3, Math.abs(openBrackets(lastLine(prefix) + firstLine + rest)))],
    ["multiline", flag(text.includes("\n") || facts.multiline)],
    ["trigger", facts.triggerScore],
    ["twin", flag(twin !== undefined)],
    ["twinChance", twin?.chance ?? 0],
    ["otherChance", twin === undefined ? best : 0],
  ]);
  if (sureness !== null) {
    values.set("total", Math.max(LEAST_TOTAL, sureness.total));
    values.set("ownChance", Math.exp(sureness.total));
    values.set("mean", Math.max(LEAST, sureness.mean));
    values.set("least", Math.max(LEAST, sureness.least));
    values.set("first", Math.max(LEAST, sureness.first));
  }
  return values;
}

/** A usual text of an unseen model has the prior; better and worse ones half the difference. */
function shrunk(difference: number): number {
  return Math.log(UNSEEN.prior / (1 - UNSEEN.prior)) + UNSEEN.trust * difference;
}

function chanceOf(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

function flag(value: boolean): number {
  return value ? 1 : 0;
}

function lineLength(text: string): number {
  const end = text.search(/[\r\n]/);
  return end < 0 ? text.length : end;
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

/** Brackets that a line opens, less those that it closes. */
function openBrackets(line: string): number {
  let open = 0;
  for (const character of line) {
    if ("([{".includes(character)) open++;
    else if (")]}".includes(character)) open--;
  }
  return open;
}
