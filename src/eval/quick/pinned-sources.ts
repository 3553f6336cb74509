/**
 * Sources that every checkout has: packages of the lockfile which bring the code that people wrote.
 * They change with the lockfile only, so that figures about them change with the product only.
 * None of them trained the calibrator. The rule of what is held out looks at one file at a time: a
 * change of the product, or of one file, draws no other files and no other places.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hashText } from "../../base/hash.ts";
import { createRandom, type Random } from "../../stats/random.ts";
import { sampleCursors } from "../cursor-sample.ts";
import { stretchTask, type TaskBatch } from "../replay/replay-tasks.ts";
import { stateOf } from "../repo/files-state.ts";
import { makeKnown } from "../repo/known-workspace.ts";
import type { QuestionSource } from "../repo/line-question.ts";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import { readSourceFiles, type SourceFile } from "../source-file.ts";
import { nearCopies, type Split } from "../split.ts";
import pinned from "./pinned-sources.data.json" with { type: "json" };

/** One package, split: no near copy of a held-out file is known. */
export interface PinnedSources {
  readonly name: string;
  readonly version: string;
  readonly split: Split;
}

/** Of a package: enough to judge, and three quarters at least stay known. */
const HELD_OUT_FILES = 20;
const MAX_HELD_OUT_SHARE = 0.25;
/** A shorter file has too few places for a cursor. */
const MIN_LINES = 60;

/**
 * The packages below `modules`, a `node_modules`. Throws `EvaluationUnavailableError` when one is not
 * installed, or came without its sources.
 */
export async function readPinnedSources(modules: string): Promise<readonly PinnedSources[]> {
  const sources: PinnedSources[] = [];
  for (const { package: name, folder, extensions, languageId } of pinned) {
    const version = await versionOf(join(modules, name));
    const files = await readSourceFiles({
      root: modules,
      folders: [`${name}/${folder}`],
      ...{ extensions, languageId },
    }).catch(() => []);
    if (version === null || files.length === 0) {
      throw new EvaluationUnavailableError(`${name} is not installed with its sources; run npm ci`);
    }
    sources.push({ name, version, split: splitByPath(files) });
  }
  return sources;
}

/** Holds out the long enough files whose paths have the smallest hashes. */
export function splitByPath(files: readonly SourceFile[]): Split {
  const count = Math.min(HELD_OUT_FILES, Math.floor(files.length * MAX_HELD_OUT_SHARE));
  const heldOut = files
    .filter(({ text }) => text.split("\n").length >= MIN_LINES)
    .map((file) => ({ file, hash: hashText(file.path) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, count)
    .map(({ file }) => file);
  const others = files.filter((file) => !heldOut.includes(file));
  const leftOut = nearCopies(others, heldOut);
  return { heldOut, leftOut, indexed: others.filter((file) => !leftOut.includes(file)) };
}

/** So many cursors in each held-out file. */
export function pinnedQuestions(
  sources: readonly PinnedSources[],
  options: { readonly cursorsPerFile: number },
): QuestionSource {
  const batches = sources.map(({ split }) => ({
    questions: split.heldOut
      .flatMap((file) =>
        sampleCursors([file], { count: options.cursorsPerFile, random: randomOf(file) }),
      )
      .map(({ file, place, offset, target }) => ({
        id: `${file.path}:${offset}`,
        path: file.path,
        languageId: file.languageId,
        place,
        prefix: file.text.slice(0, offset),
        suffix: file.text.slice(offset + target.length),
        target,
      })),
    prepare: (known: Parameters<typeof makeKnown>[1]) => makeKnown(split.indexed, known),
  }));
  const names = sources.map(({ name, version }) => `${name} ${version}`).join(", ");
  return {
    kind: "files",
    state: stateOf(sources.flatMap(({ split }) => split.heldOut)),
    description: `lines of held-out files of ${names}, asked where only the others are known`,
    batches,
  };
}

/**
 * A stretch of about `units` characters in each of the longest `filesPerPackage` held-out files:
 * windows matter where a file does not fit into the prompt.
 */
export function pinnedTasks(
  sources: readonly PinnedSources[],
  options: { readonly filesPerPackage: number; readonly units: number },
): readonly TaskBatch[] {
  const { filesPerPackage, units } = options;
  return sources.map(({ split }) => ({
    tasks: [...split.heldOut]
      .sort((a, b) => b.text.length - a.text.length)
      .slice(0, filesPerPackage)
      .map((file) => stretchTask(file, { units, random: randomOf(file) })),
    known: split.indexed,
  }));
}

function randomOf(file: SourceFile): Random {
  return createRandom(Number.parseInt(hashText(file.path).slice(0, 8), 16));
}

async function versionOf(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
  if (text === null) return null;
  const { version }: { readonly version?: unknown } = JSON.parse(text);
  return typeof version === "string" ? version : null;
}
