/**
 * Texts on which speculation is measured. Edit-like: a copy of a block in which one name is replaced
 * and which is begun, and a list of lines that differ in a name. Ordinary: the rest of a line.
 */
import { present } from "../base/assert.ts";
import { LocalModel } from "../local/index.ts";
import type { Random } from "../stats/random.ts";
import { drawQuestions } from "./held-out-sample.ts";
import { documentAt, indexFiles, openFiles } from "./index-files.ts";
import type { SourceFile } from "./source-file.ts";

export const speculationKinds = ["rename", "repeated", "line"] as const;
export type SpeculationKind = (typeof speculationKinds)[number];

/** One request to be made with and without drafts. */
export interface SpeculationCase {
  readonly kind: SpeculationKind;
  readonly languageId: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly stop: readonly string[];
  /** What the local model proposes; empty for edit-like texts. */
  readonly drafts: readonly string[];
}

const BLOCK_LINES = 20;
/** Lines of the copy that stand before the cursor: the replaced name must have occurred. */
const BEGUN_LINES = 8;
const LIST_LINES = 6;
const WINDOW_UNITS = 3_000;
const HELD_OUT_FILES = 10;
const MAX_DRAFTS = 3;

/** `count` cases of each kind; fewer where the files do not give so many. Deterministic. */
export function speculationCases(
  files: readonly SourceFile[],
  options: { readonly count: number; readonly random: Random },
): readonly SpeculationCase[] {
  const { count, random } = options;
  const codeOf = files.map((file) => ({ file, lines: codeLines(file) }));
  const usable = codeOf.filter(({ lines }) => lines.length > 2 * BLOCK_LINES);
  if (usable.length === 0) return [];
  const cases: SpeculationCase[] = [];
  for (let tries = 0; tries < 20 * count && cases.length < count; tries++) {
    const { file, lines } = random.pick(usable);
    const made = renamedCopy(file, lines, random);
    if (made !== null) cases.push(made);
  }
  for (let i = 0; i < count; i++) cases.push(repeatedLines(random.pick(files), random));
  return [...cases, ...lineCases(files, options)];
}

/** `null` when no name occurs in the block often enough. */
function renamedCopy(
  { languageId }: SourceFile,
  lines: readonly string[],
  random: Random,
): SpeculationCase | null {
  const start = random.below(lines.length - BLOCK_LINES);
  const block = lines.slice(start, start + BLOCK_LINES);
  const begun = block.slice(0, BEGUN_LINES).join("\n");
  const counts = new Map<string, number>();
  for (const name of namesIn(block.join("\n"))) counts.set(name, (counts.get(name) ?? 0) + 1);
  const name = [...counts].find(([each, times]) => times >= 3 && begun.includes(each))?.[0];
  if (name === undefined) return null;
  const other = `next${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const copy = begun.replace(new RegExp(`\\b${name}\\b`, "g"), other);
  const prefix = `${block.join("\n")}\n\n${copy}\n`;
  return { kind: "rename", languageId, prefix, suffix: "", stop: [], drafts: [] };
}

const listForms: readonly ((name: string) => string)[] = [
  (name) => `  registry.set("${name}", ${name});`,
  (name) => `    case "${name}":\n      return this.${name};`,
  (name) => `  it("has ${name}", () => {\n    expect(subject.${name}).toBe(true);\n  });`,
  (name) => `export { ${name} } from "./${name}";`,
];

function repeatedLines({ text, languageId }: SourceFile, random: Random): SpeculationCase {
  const names = [...new Set(namesIn(text))];
  const form = random.pick(listForms);
  const lines = random.shuffled(names).slice(0, LIST_LINES).map(form);
  const prefix = `${lines.join("\n")}\n`;
  return { kind: "repeated", languageId, prefix, suffix: "", stop: [], drafts: [] };
}

/** Places in files that the local model has not seen. */
function lineCases(
  files: readonly SourceFile[],
  { count, random }: { readonly count: number; readonly random: Random },
): readonly SpeculationCase[] {
  const heldOutFiles = Math.min(HELD_OUT_FILES, Math.max(1, Math.floor(files.length / 4)));
  const questions = drawQuestions(files, { heldOutFiles, cursors: count, random });
  return questions.flatMap(({ split, cursors }) => {
    const local = new LocalModel();
    local.adopt(indexFiles(split.indexed));
    const documents = openFiles(local, split.heldOut);
    return cursors.map((cursor) => {
      const { file, offset, target } = cursor;
      const candidates = local.complete({
        document: documentAt(cursor, present(documents.get(file), file.path)),
        offset,
        path: file.path,
        languageId: file.languageId,
        maxLines: 1,
        maxCandidates: MAX_DRAFTS,
      });
      const end = offset + target.length;
      const windowStart = file.text.indexOf("\n", Math.max(0, offset - WINDOW_UNITS)) + 1;
      return {
        kind: "line" as const,
        languageId: file.languageId,
        prefix: file.text.slice(windowStart <= offset ? windowStart : 0, offset),
        suffix: file.text.slice(end, end + WINDOW_UNITS / 4),
        stop: ["\n"],
        drafts: candidates.map(({ text }) => text),
      };
    });
  });
}

/** Without lines of comments: their words are not what an edit repeats. */
function codeLines({ text }: SourceFile): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !/^\s*(\*|\/\/|\/\*|#)/.test(line));
}

const commonWords =
  /^(return|const|export|function|import|interface|readonly|string|number|boolean|undefined|class|extends|default|private|public|static|typeof|throw|this|await|async|void|null|true|false|while|switch|break|self|else|from|type)$/;

function namesIn(text: string): string[] {
  const names = text.match(/\b[a-zA-Z_]\w{3,40}\b/g) ?? [];
  return names.filter((name) => !commonWords.test(name));
}
