/** The files of a workspace as evaluations read them: the product's own choice of what is text. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { languageOfPath } from "../core/index.ts";
import type { TextOfFile } from "../eval/repo/line-question.ts";
import type { SourceFile } from "../eval/source-file.ts";
import { contentOf, leftOutByName } from "../host/file-content.ts";
import { FolderRules } from "../host/folder-rules.ts";
import { LeftOutTally } from "../host/left-out.ts";
import { secretPathTest } from "../host/secret-path.ts";
import { realWorkspace, walk } from "../host/walk.ts";

/** What decides which files are read; both are settings. */
export interface FileChoice {
  readonly deny: readonly string[];
  readonly maxFileBytes: number;
}

/** Every file that is indexed, in the order of paths; of several equal ones the first. */
export async function workspaceFiles(
  folder: string,
  choice: FileChoice,
): Promise<readonly SourceFile[]> {
  const root = await realWorkspace(folder);
  const rules = await FolderRules.atRoot(root, { deny: choice.deny });
  const textOf = textOfFile(choice);
  const options = { tally: new LeftOutTally(), without: [], maxFileBytes: choice.maxFileBytes };
  const files: SourceFile[] = [];
  const seen = new Set<string>();
  for await (const { path } of walk(root, rules, options)) {
    // A file may go while we read.
    const bytes = await readFile(join(root, path)).catch(() => null);
    const text = bytes === null ? null : textOf(path, bytes);
    if (text === null || seen.has(text)) continue;
    seen.add(text);
    files.push({ path, text, languageId: languageOfPath(path) });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The same choice for files that lie in a history. */
export function textOfFile({ deny, maxFileBytes }: FileChoice): TextOfFile {
  const isSecret = secretPathTest(deny);
  return (path, bytes) => {
    const isLeftOut = isSecret(path) || leftOutByName(basename(path)) !== null;
    if (isLeftOut || bytes.length > maxFileBytes) return null;
    const content = contentOf(bytes);
    return content.kind === "text" ? content.text : null;
  };
}
