/**
 * Commit-time splits: what a commit added is asked for where only its parent is known. The document
 * is the parent's file with the commit's changes above the cursor in it and the old text below, as if
 * somebody wrote the commit from top to bottom.
 */
import { present } from "../../base/assert.ts";
import { languageOfPath } from "../../core/index.ts";
import type { Random } from "../../stats/random.ts";
import { codeLines, cursorPlaces, drawCursor } from "../cursor-sample.ts";
import type { SourceFile } from "../source-file.ts";
import { type Hunk, parsePatch } from "./added-lines.ts";
import { isAskedLanguage } from "./asked-language.ts";
import type { Commit, FileChange, GitHistory } from "./git-history.ts";
import { groupBy } from "./group-by.ts";
import type { LineQuestion, QuestionBatch, QuestionSource, TextOfFile } from "./line-question.ts";
import { TreeFollower } from "./tree-follower.ts";

export interface CommitQuestionOptions {
  readonly history: GitHistory;
  /** At most so many cursors; fewer when the history has fewer added lines. */
  readonly cursors: number;
  /** The newest commits that are looked at. */
  readonly commits: number;
  readonly random: Random;
  readonly textOf: TextOfFile;
  readonly onProgress: (done: number, total: number) => void;
}

/** A line of code that a commit added. */
interface AddedLine {
  readonly commit: Commit;
  readonly change: FileChange;
  readonly hunk: Hunk;
  readonly line: number;
}

/** No commit gives more than this share of the cursors: one that moves in a library would drown all. */
const MAX_COMMIT_SHARE = 0.05;
const MIN_LINES_PER_COMMIT = 20;
/** A shorter line asks for nothing. */
const MIN_LINE_UNITS = 2;

/** Draws added lines evenly over the newest commits and makes a question of each. */
export async function commitQuestions(options: CommitQuestionOptions): Promise<QuestionSource> {
  const { history, random, textOf } = options;
  const commits = await history.commits(options.commits);
  const perCommit = Math.max(MIN_LINES_PER_COMMIT, Math.ceil(options.cursors * MAX_COMMIT_SHARE));
  const pool: AddedLine[] = [];
  for (const [done, commit] of commits.entries()) {
    options.onProgress(done, commits.length);
    const lines = await addedLines(commit, { history, textOf });
    pool.push(...random.shuffled(lines).slice(0, perCommit));
  }
  const drawn = groupBy(random.shuffled(pool).slice(0, options.cursors), lineCommit);
  const tree = new TreeFollower({ history, textOf });
  const batches: QuestionBatch[] = [];
  let place = 0;
  for (const commit of commits) {
    const questions: LineQuestion[] = [];
    const byFile = groupBy(drawn.get(commit) ?? [], ({ change }) => change);
    for (const [change, lines] of byFile) {
      const [older, newer] = await Promise.all([
        textAt(change.path, change.before, { history, textOf }),
        textAt(change.path, change.after, { history, textOf }),
      ]);
      const about = { commit, older: older ?? "", file: fileOf(change.path, newer ?? "") };
      const inOrder = lines.toSorted((a, b) => a.line - b.line);
      for (const added of inOrder) {
        const question = questionAt(added, about, { random, place: place++ });
        if (question !== null) questions.push(question);
      }
    }
    if (questions.length === 0) continue;
    batches.push({ questions, prepare: (known) => tree.follow(commit.parent, known) });
  }
  return {
    kind: "commits",
    state: history.head.slice(0, 12),
    description: `lines that ${batches.length} commits added, asked where only the parent commit is known`,
    batches,
  };
}

function lineCommit({ commit }: AddedLine): Commit {
  return commit;
}

interface Reading {
  readonly history: GitHistory;
  readonly textOf: TextOfFile;
}

/** Lines of code that were written; one that the same commit removed somewhere was only moved. */
async function addedLines(commit: Commit, reading: Reading): Promise<readonly AddedLine[]> {
  const changes = await reading.history.changes(commit);
  const isAsked = ({ path, after }: FileChange): boolean => after !== null && isAskedLanguage(path);
  if (!changes.some(isAsked)) return [];
  const hunks = parsePatch(await reading.history.patch(commit));
  if (hunks.length !== changes.length) return [];
  const moved = new Set(hunks.flat().flatMap(({ removed }) => removed.map((line) => line.trim())));
  const added: AddedLine[] = [];
  for (const [i, change] of changes.entries()) {
    if (!isAsked(change)) continue;
    const text = await textAt(change.path, change.after, reading);
    if (text === null) continue;
    const lines = codeLines(fileOf(change.path, text));
    for (const hunk of present(hunks[i], "hunks of a change")) {
      for (const { line, start, end } of lines) {
        if (line < hunk.newStart || hunk.newStart + hunk.newCount <= line) continue;
        const written = text.slice(start, end).trim();
        if (written.length < MIN_LINE_UNITS || moved.has(written)) continue;
        added.push({ commit, change, hunk, line });
      }
    }
  }
  return added;
}

async function textAt(path: string, blob: string | null, reading: Reading): Promise<string | null> {
  return blob === null ? null : reading.textOf(path, await reading.history.blob(blob));
}

function fileOf(path: string, text: string): SourceFile {
  return { path, text, languageId: languageOfPath(path) };
}

/** The question on a line, at its start where the wanted place asks for nothing. */
function questionAt(
  { hunk, line }: AddedLine,
  about: { readonly commit: Commit; readonly older: string; readonly file: SourceFile },
  draw: { readonly random: Random; readonly place: number },
): LineQuestion | null {
  const { commit, older, file } = about;
  const { random } = draw;
  const codeLine = linesOf(file).get(line);
  if (codeLine === undefined) return null;
  const wanted = cursorPlaces[draw.place % cursorPlaces.length] ?? "start";
  const cursor =
    drawCursor(file, codeLine, wanted, random) ?? drawCursor(file, codeLine, "start", random);
  if (cursor === null) return null;
  const { offset, target, place } = cursor;
  const below = lineStart(older, hunk.oldStart + hunk.oldCount);
  const lineBreak = file.text.startsWith("\r\n", codeLine.end) ? "\r\n" : "\n";
  return {
    id: `${commit.id.slice(0, 12)}:${file.path}:${offset}`,
    path: file.path,
    languageId: file.languageId,
    place,
    prefix: file.text.slice(0, offset),
    suffix: codeLine.end < file.text.length ? lineBreak + older.slice(below) : "",
    target,
  };
}

const knownLines = new WeakMap<SourceFile, ReadonlyMap<number, ReturnType<typeof codeLines>[0]>>();

function linesOf(file: SourceFile): ReadonlyMap<number, ReturnType<typeof codeLines>[0]> {
  const known = knownLines.get(file);
  if (known !== undefined) return known;
  const lines = new Map(codeLines(file).map((one) => [one.line, one]));
  knownLines.set(file, lines);
  return lines;
}

/** Offset at which a line begins, the end of the text for one behind it. */
function lineStart(text: string, line: number): number {
  let at = 0;
  for (let i = 0; i < line; i++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}
