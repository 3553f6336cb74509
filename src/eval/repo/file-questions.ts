/**
 * File-level splits, for a folder without a history: some files are held out and asked about, the
 * others are known. The document is the whole file without the rest of the cursor's line.
 */
import type { Random } from "../../stats/random.ts";
import { drawQuestions } from "../held-out-sample.ts";
import type { SourceFile } from "../source-file.ts";
import { isAskedLanguage } from "./asked-language.ts";
import { stateOf } from "./files-state.ts";
import { type KnownWorkspace, makeKnown } from "./known-workspace.ts";
import type { QuestionSource } from "./line-question.ts";

/** Files that are held out; a small folder takes turns. */
const HELD_OUT_FILES = 40;

/** Questions about held-out files, shared out evenly. */
export function fileQuestions(
  files: readonly SourceFile[],
  options: { readonly cursors: number; readonly random: Random },
): QuestionSource {
  const code = files.filter(({ path }) => isAskedLanguage(path));
  const others = files.filter(({ path }) => !isAskedLanguage(path));
  const drawn = drawQuestions(code, { ...options, heldOutFiles: HELD_OUT_FILES });
  const batches = drawn.map(({ split, cursors }) => ({
    questions: cursors.map(({ file, place, offset, target }) => ({
      id: `${file.path}:${offset}`,
      path: file.path,
      languageId: file.languageId,
      place,
      prefix: file.text.slice(0, offset),
      suffix: file.text.slice(offset + target.length),
      target,
    })),
    prepare: (known: KnownWorkspace) => makeKnown([...split.indexed, ...others], known),
  }));
  const held = drawn.reduce((sum, { split }) => sum + split.heldOut.length, 0);
  return {
    kind: "files",
    state: stateOf(files),
    description: `lines of ${held} held-out files of ${files.length}, asked where only the others are known`,
    batches,
  };
}
