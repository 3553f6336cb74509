/**
 * How likely a suggestion at a position is right, before any model is asked: a logistic regression
 * over what can be seen at the cursor and what became of the last suggestion. The features follow
 * the contextual filter of Copilot's client of 2022; the weights are ours, fitted by
 * `scripts/fit-trigger-score.ts` on replayed typing and kept in `trigger-score.data.json`.
 */
import trained from "./trigger-score.data.json" with { type: "json" };

/** What became of the last suggestion that a person saw. */
export interface LastOutcome {
  readonly wasAccepted: boolean;
  /** Seconds since then. */
  readonly secondsAgo: number;
}

/** A position as the score sees it. */
export interface TriggerPosition {
  /** Text left of the cursor: a window from a line start. */
  readonly prefix: string;
  /** Text right of the cursor: a window up to a line end. */
  readonly suffix: string;
  readonly languageId: string;
  /** Of the whole document, in UTF-16 units. */
  readonly documentLength: number;
  /** Of the cursor in the whole document. */
  readonly offset: number;
  /** `null` when nothing was shown yet. */
  readonly lastOutcome: LastOutcome | null;
}

/** A weight for each feature that has one; a feature without a weight counts nothing. */
export type TriggerWeights = Readonly<Record<string, number>>;

/** An outcome is forgotten after an hour. */
const MAX_SECONDS_AGO = 3_600;

/** The weights in use. */
export const triggerWeights: TriggerWeights = trained.weights;

/** Half of all key presses have a score below this one. */
export const usualScore: number = trained.usualScore;

/**
 * The score, 0..1: the share of such positions at which the best answer was right when the weights
 * were fitted. Costs a few lookups; looks at the cursor's line alone.
 */
export function triggerScore(
  position: TriggerPosition,
  weights: TriggerWeights = triggerWeights,
): number {
  let sum = 0;
  for (const [name, value] of triggerFeatures(position)) sum += (weights[name] ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}

/** Names and values of the features that are not 0. */
export function triggerFeatures(position: TriggerPosition): readonly (readonly [string, number])[] {
  const { prefix, suffix, languageId, documentLength, offset, lastOutcome } = position;
  const line = prefix.slice(prefix.lastIndexOf("\n") + 1);
  const text = prefix.trimEnd();
  const written = text.slice(text.lastIndexOf("\n") + 1);
  const lineEnd = suffix.indexOf("\n");
  const rest = lineEnd < 0 ? suffix : suffix.slice(0, lineEnd);
  const seen =
    lastOutcome === null
      ? []
      : ([
          [lastOutcome.wasAccepted ? "accepted" : "rejected", 1],
          [
            "secondsAgo",
            Math.log1p(Math.max(0, Math.min(lastOutcome.secondsAgo, MAX_SECONDS_AGO))),
          ],
        ] as const);
  return [
    ["bias", 1],
    ...seen,
    ["blankAfter", rest.trim() === "" ? 1 : 0],
    ["lineLength", Math.log1p(line.length)],
    ["writtenLength", Math.log1p(written.length)],
    ["documentLength", Math.log1p(documentLength)],
    ["place", (offset + 0.5) / (1 + documentLength)],
    [`language:${languageId}`, 1],
    [`${relation(line)}:${unitClass(text)}`, 1],
  ];
}

/** Where the last thing that was written stands: above a fresh line, before a blank, or right here. */
function relation(line: string): "above" | "before" | "at" {
  if (line.trim() === "") return "above";
  return /\s$/.test(line) ? "before" : "at";
}

/** The class of a text's last unit: punctuation stands for itself, the rest in groups. */
function unitClass(text: string): string {
  const unit = text.slice(-1);
  if (unit === "") return "start";
  if (/[a-z]/.test(unit)) return "lower";
  if (/[A-Z]/.test(unit)) return "upper";
  if (/[0-9]/.test(unit)) return "digit";
  return unit > "~" ? "other" : unit;
}
