/**
 * Typing replayed over source files, key by key, as an editor sees it: brackets close by themselves,
 * a new line comes with its indentation, a right suggestion is taken now and then, a wrong one is
 * typed over. For figures about single key presses: whom to ask, and what it costs not to.
 *
 * Three of four sessions write a line that is not there yet, the fourth writes some tokens of a line
 * whose rest stands already, as edits do.
 */
import { TextBuffer } from "../base/text-buffer.ts";
import type { LastOutcome } from "../core/index.ts";
import type { Random } from "../stats/random.ts";
import { codeTokens } from "./code-token.ts";
import type { SourceFile } from "./source-file.ts";

/** What the model that is replayed against answers; `null` when it has nothing. */
export type ReplayedModel = (
  document: TextBuffer,
  offset: number,
) => { readonly text: string; readonly chance: number } | null;

/** The state after one key press, and whether the best answer there is right. */
export interface TypedKey {
  /** A window that starts at a line start. */
  readonly prefix: string;
  /** Up to the end of the cursor's line. */
  readonly suffix: string;
  readonly languageId: string;
  readonly documentLength: number;
  readonly offset: number;
  readonly lastOutcome: LastOutcome | null;
  /** Chance of the model's best text; 0 when it has none. */
  readonly chance: number;
  /** The model's best text is all that the person goes on to write here, two characters at least. */
  readonly isRight: boolean;
}

/** How the person works. */
export interface ReplayOptions {
  readonly model: ReplayedModel;
  /** Sessions of one line each. */
  readonly sessions: number;
  readonly random: Random;
}

/** From this chance on a suggestion is shown. */
const SHOWN_CHANCE = 0.25;
/** One of so many key presses makes the person look at what is shown and take it if it is right. */
const KEYS_PER_LOOK = 5;
const KEY_SECONDS = 0.2;
const NEW_LINE_SECONDS = 1;
const WINDOW_LINES = 100;
const MIN_TARGET_UNITS = 2;
/** Nobody types longer lines: they hold data. */
const MAX_LINE_UNITS = 200;
const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Replays sessions at random lines of the file. Deterministic for a random generator's seed. */
export function* replayTyping(file: SourceFile, options: ReplayOptions): Generator<TypedKey> {
  const whole = TextBuffer.from(file.text);
  const person = new Person();
  const lines = Array.from({ length: whole.lineCount }, (_, line) => line).filter((line) => {
    const { length } = whole.lineAt(line).trim();
    return MIN_TARGET_UNITS <= length && length <= MAX_LINE_UNITS;
  });
  const drawn = options.random.shuffled(lines).slice(0, options.sessions);
  for (const line of drawn.sort((a, b) => a - b)) {
    const isEdit = options.random.below(4) === 0;
    const session =
      (isEdit ? insertionIn(whole, line, options.random) : null) ?? lineOf(whole, line);
    yield* writeSession(file, session, { ...options, person });
  }
}

/** What one person remembers from one session to the next. */
class Person {
  seconds = 0;
  lastOutcome: { readonly wasAccepted: boolean; readonly at: number } | null = null;

  /** Looks at the outcome of a suggestion. */
  judge(wasAccepted: boolean): void {
    this.lastOutcome = { wasAccepted, at: this.seconds };
  }
}

/** A piece of text that is to be written. */
interface Session {
  /** The document without it. */
  readonly document: TextBuffer;
  readonly offset: number;
  readonly target: string;
  /** True when the rest of the line stands right of it. */
  readonly isInsertion: boolean;
}

function lineOf(whole: TextBuffer, line: number): Session {
  const text = whole.lineAt(line).trimEnd();
  const written = text.trimStart();
  const end = whole.lineStart(line) + text.length;
  const offset = end - written.length;
  return { document: whole.edit(offset, end, ""), offset, target: written, isInsertion: false };
}

/** One to three tokens of the line, not its last ones; `null` when it has too few. */
function insertionIn(whole: TextBuffer, line: number, random: Random): Session | null {
  const tokens = codeTokens(whole.lineAt(line).trimEnd());
  if (tokens.length < 4) return null;
  const first = 1 + random.below(tokens.length - 3);
  const next = Math.min(tokens.length - 1, first + 1 + random.below(3));
  const target = tokens.slice(first, next).join("");
  const offset = whole.lineStart(line) + tokens.slice(0, first).join("").length;
  const document = whole.edit(offset, offset + target.length, "");
  return { document, offset, target, isInsertion: true };
}

function* writeSession(
  file: SourceFile,
  session: Session,
  { person, model, random }: ReplayOptions & { readonly person: Person },
): Generator<TypedKey> {
  person.seconds += NEW_LINE_SECONDS;
  /** Closers that the editor put right of the cursor. */
  let closers = "";
  /** What is left of the suggestion that is seen; empty when none is. */
  let seen = "";
  for (let typed = 0; typed <= session.target.length; typed++) {
    const key = session.target.slice(typed - 1, typed);
    if (typed > 0) {
      person.seconds += KEY_SECONDS;
      if (closers !== "" && key === closers[0]) closers = closers.slice(1);
      else if (!session.isInsertion) closers = (CLOSERS[key] ?? "") + closers;
      if (seen.startsWith(key)) seen = seen.slice(key.length);
      else if (seen !== "") {
        person.judge(false);
        seen = "";
      }
    }
    const written = session.target.slice(0, typed);
    const rest = session.target.slice(typed);
    const document = session.document.edit(session.offset, session.offset, written + closers);
    const offset = session.offset + typed;
    const answer = model(document, offset);
    const chance = answer?.chance ?? 0;
    const isRight =
      answer !== null &&
      rest.trim().length >= MIN_TARGET_UNITS &&
      (answer.text === rest || answer.text + closers === rest);
    yield { ...placeOf(file, document, offset), ...outlook(person), chance, isRight };
    if (answer === null || chance < SHOWN_CHANCE) continue;
    if (isRight && random.below(KEYS_PER_LOOK) === 0) {
      person.judge(true);
      return;
    }
    if (seen === "") seen = answer.text;
  }
  if (seen !== "") person.judge(false);
}

function placeOf(
  file: SourceFile,
  document: TextBuffer,
  offset: number,
): Omit<TypedKey, "lastOutcome" | "chance" | "isRight"> {
  const { line } = document.positionAt(offset);
  const lineEnd = document.lineStart(line) + document.lineAt(line).length;
  return {
    prefix: document.slice(document.lineStart(Math.max(0, line - WINDOW_LINES)), offset),
    suffix: document.slice(offset, lineEnd),
    languageId: file.languageId,
    documentLength: document.length,
    offset,
  };
}

function outlook({ lastOutcome, seconds }: Person): Pick<TypedKey, "lastOutcome"> {
  if (lastOutcome === null) return { lastOutcome };
  const { wasAccepted, at } = lastOutcome;
  return { lastOutcome: { wasAccepted, secondsAgo: seconds - at } };
}
