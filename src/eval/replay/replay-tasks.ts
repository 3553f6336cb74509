/** What is typed in a replay: stretches of held-out files, or recorded edits. */
import type { Random } from "../../stats/random.ts";
import { isAskedLanguage } from "../repo/asked-language.ts";
import type { SourceFile } from "../source-file.ts";
import { makeSplits } from "../split.ts";
import { RecordedScript, type Recording } from "./recorded-edits.ts";
import { type StretchOfFile, TypedStretch } from "./typed-stretch.ts";
import type { TypingScript } from "./typing-script.ts";

/** One session to come. */
export interface SessionTask {
  /** Unique within the replay, the same in every run. */
  readonly id: string;
  readonly path: string;
  readonly languageId: string;
  /** What is written, for the person's rhythm. */
  readonly writing: string;
  /** A script at its beginning. */
  readonly createScript: () => TypingScript;
}

/** Sessions with what is known during them. */
export interface TaskBatch {
  readonly tasks: readonly SessionTask[];
  /** All files that may be known. */
  readonly known: readonly SourceFile[];
}

export interface StretchOptions {
  /** Sessions, one a file as long as there are files. */
  readonly sessions: number;
  /** About so many characters each; whole lines. */
  readonly units: number;
  readonly random: Random;
}

/** Stretches of held-out files; the others are known. Fewer when there are not enough files. */
export function stretchTasks(
  files: readonly SourceFile[],
  { sessions, units, random }: StretchOptions,
): readonly TaskBatch[] {
  const code = files.filter(({ path }) => isAskedLanguage(path));
  const others = files.filter(({ path }) => !isAskedLanguage(path));
  const splits = makeSplits(code, { heldOutFiles: sessions, random });
  return splits.map(({ heldOut, indexed }) => ({
    tasks: heldOut.map((file) => stretchTask(file, { units, random })),
    known: [...indexed, ...others],
  }));
}

/** Recorded edits, with all files known but those that are edited. */
export function recordedTasks(
  recordings: readonly Recording[],
  files: readonly SourceFile[],
): TaskBatch {
  const edited = new Set(recordings.map(({ path }) => path));
  const known = files.filter(({ path }) => !edited.has(path));
  const tasks = recordings.map((recording, i): SessionTask => {
    const { path, languageId, edits } = recording;
    return {
      id: `${i}:${path}`,
      path,
      languageId,
      writing: edits.map(({ text }) => text).join(""),
      createScript: () => new RecordedScript(recording),
    };
  });
  return { tasks, known };
}

/** A stretch of one file, drawn from `random`. */
export function stretchTask(
  file: SourceFile,
  options: Pick<StretchOptions, "units" | "random">,
): SessionTask {
  const { path, languageId } = file;
  const stretch = stretchOf(file, options);
  return {
    id: `${path}:${stretch.before.length}`,
    path,
    languageId,
    writing: stretch.target,
    createScript: () => new TypedStretch(stretch),
  };
}

/** From a line without indentation on, where a declaration starts; such a line is drawn. */
function stretchOf(
  file: SourceFile,
  { units, random }: Pick<StretchOptions, "units" | "random">,
): StretchOfFile {
  const text = file.text.replaceAll("\r\n", "\n");
  const latest = Math.max(0, text.length - units);
  const starts = [...text.matchAll(/^(?=[A-Za-z@])/gm)]
    .map(({ index }) => index)
    .filter((index) => index <= latest);
  const start = starts.length === 0 ? 0 : random.pick(starts);
  return stretchFrom(text, start, units);
}

/** Whole lines from `start` on, together about `units` long, the last line end left out. */
export function stretchFrom(text: string, start: number, units: number): StretchOfFile {
  let end = start;
  while (end < text.length && end - start < units) {
    const lineEnd = text.indexOf("\n", end);
    end = lineEnd < 0 ? text.length : lineEnd + 1;
  }
  const target = text.slice(start, end).replace(/\n$/, "");
  const after = text.slice(start + target.length);
  return { before: text.slice(0, start), target, after };
}
