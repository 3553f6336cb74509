/** Whether a shown text is what a person goes on to write, and how much of it. */
import { commonPrefixLength } from "../../base/text.ts";
import { acceptLine, acceptWord, type CursorEdit, isSubsequence } from "../../core/index.ts";
import type { AcceptedText, TypingScript } from "./typing-script.ts";

/** A step by which a person takes a text: with one key. */
export interface AcceptStep {
  readonly edit: CursorEdit;
  readonly accepted: AcceptedText;
}

/** The text around the cursor, up to the ends of its line at least. */
export interface Surroundings {
  readonly prefix: string;
  readonly suffix: string;
}

/** A piece that saves fewer characters a key is typed. */
const MIN_UNITS_PER_KEY = 3;
/** The whole is worth its key from here on. */
const MIN_WHOLE_UNITS = 2;

/**
 * The keys that take what is right of a shown text: one for the whole, else one for its first line,
 * else one for each of its first words; `[]` when nothing is worth a key.
 */
export function acceptSteps(
  edit: CursorEdit,
  script: Pick<TypingScript, "upcoming" | "closers">,
  around: Surroundings,
): readonly AcceptStep[] {
  const whole = rightStep(edit, script, around);
  if (whole !== null) return whole.accepted.units < MIN_WHOLE_UNITS ? [] : [whole];
  const line = rightStep(acceptLine(edit, around).now, script, around);
  if (line !== null && line.accepted.units >= MIN_UNITS_PER_KEY) return [line];
  return rightWords(edit, script, around);
}

function rightWords(
  edit: CursorEdit,
  script: Pick<TypingScript, "upcoming" | "closers">,
  around: Surroundings,
): readonly AcceptStep[] {
  const steps: AcceptStep[] = [];
  let { upcoming, closers } = script;
  let { prefix, suffix } = around;
  let rest: CursorEdit | null = edit;
  let units = 0;
  while (rest !== null) {
    const piece = acceptWord(rest, { prefix, suffix });
    const step = rightStep(piece.now, { upcoming, closers }, { prefix, suffix });
    if (step === null) break;
    steps.push(step);
    const { accepted } = step;
    units += accepted.units;
    upcoming = upcoming.slice(accepted.units);
    closers = closers.slice(accepted.closers);
    const { replaceBefore, replaceAfter, text } = piece.now;
    prefix = prefix.slice(0, prefix.length - replaceBefore) + text;
    suffix = suffix.slice(replaceAfter);
    rest = piece.rest;
  }
  return units < steps.length * MIN_UNITS_PER_KEY ? [] : steps;
}

/** `null` unless all of the edit is right. */
function rightStep(
  edit: CursorEdit,
  { upcoming, closers }: Pick<TypingScript, "upcoming" | "closers">,
  { prefix }: Surroundings,
): AcceptStep | null {
  const { text, replaceBefore, replaceAfter } = edit;
  const again = prefix.slice(prefix.length - replaceBefore);
  if (!text.startsWith(again) || replaceAfter > closers.length) return null;
  const units = text.length - replaceBefore;
  if (units === 0 || commonPrefixLength(text.slice(replaceBefore), upcoming) < units) return null;
  // Closers that are left must be needed on the line, or they would have to be deleted.
  const lineEnd = upcoming.indexOf("\n", units);
  const line = upcoming.slice(units, lineEnd < 0 ? upcoming.length : lineEnd);
  if (!isSubsequence(closers.slice(replaceAfter), line)) return null;
  return { edit, accepted: { units, closers: replaceAfter } };
}
