import { indentOf } from "../../base/text.ts";
import type { WorkspaceFileReply } from "../../protocol/workspace.ts";
import { getFile, postAutocomplete } from "../api.ts";
import { scratchLanguage } from "./editor/languages.ts";
import type { Workbench } from "./editor/workbench.ts";
import { nameOf } from "./files/file-tree.ts";
import { likelyBeginnings, likelyFiles, likelyPlaces, type Place } from "./start-place.ts";

const MAX_LINES = 500;

/**
 * Opens the scratch buffer and, where there is one, a code file worth looking at. Resolves with the
 * files worth opening, that one first.
 */
export async function openFirst(
  workbench: Workbench,
  files: readonly string[],
  signal: AbortSignal,
): Promise<readonly WorkspaceFileReply[]> {
  addScratch(workbench, files);
  const texts = await Promise.allSettled(likelyFiles(files).map((path) => getFile(path, signal)));
  const found = readableFirst(
    texts.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
  );
  const [first] = found;
  if (first === undefined) {
    workbench.show(scratchPath(files));
    workbench.goTo({ line: 1, column: 0 });
  } else {
    showAt(workbench, first, likelyPlaces(first.text)[0]);
  }
  return found;
}

/**
 * Goes where there will be ghost text, in the first of the files that has such a place, unless
 * `isTouched` by then: nobody's cursor moves under their hands. Resolves with what to type there;
 * `null` when that is not known.
 */
export async function goWhereTextIs(
  workbench: Workbench,
  files: readonly WorkspaceFileReply[],
  options: { readonly isTouched: () => boolean; readonly signal: AbortSignal },
): Promise<string | null> {
  const { isTouched, signal } = options;
  for (const file of files) {
    const best = await bestLine(file, options);
    if (isTouched() || signal.aborted) return null;
    if (best === null) continue;
    showAt(workbench, file, best.place);
    const [first] = files;
    if (first !== undefined && first !== file) workbench.close(first.path);
    return best.beginning;
  }
  return null;
}

function showAt(workbench: Workbench, file: WorkspaceFileReply, place: Place | undefined): void {
  const { path, language: languageId, text } = file;
  workbench.add({ path, languageId, text, title: nameOf(path), canClose: true });
  workbench.show(path);
  if (place !== undefined) workbench.goTo(place);
}

function addScratch(workbench: Workbench, files: readonly string[]): void {
  const { languageId, comment } = scratchLanguage(files);
  workbench.add({
    path: scratchPath(files),
    languageId,
    text: `${comment} Scratch: try anything, nothing here is kept.\n`,
    title: "Scratch",
    canClose: false,
  });
}

function scratchPath(files: readonly string[]): string {
  const name = `scratch.${scratchLanguage(files).extension}`;
  return files.includes(name) ? `midspan-${name}` : name;
}

/** Those that are pleasant to read first, the longest of them before the others. */
function readableFirst(files: readonly WorkspaceFileReply[]): readonly WorkspaceFileReply[] {
  const lines = (file: WorkspaceFileReply): number => file.text.split("\n").length;
  const readable = files.filter((file) => lines(file) <= MAX_LINES);
  const others = files.filter((file) => lines(file) > MAX_LINES);
  return [...readable.sort((a, b) => lines(b) - lines(a)), ...others];
}

interface NewLine {
  readonly place: Place;
  readonly beginning: string;
}

/** The new line after one of the likely places that would save the most typing. */
async function bestLine(
  file: WorkspaceFileReply,
  { isTouched, signal }: { readonly isTouched: () => boolean; readonly signal: AbortSignal },
): Promise<NewLine | null> {
  let best: NewLine | null = null;
  let bestCharacters = 0;
  for (const place of likelyPlaces(file.text)) {
    for (const beginning of likelyBeginnings(file.text)) {
      if (isTouched()) return null;
      const characters = await charactersSaved(file, { place, beginning }, signal);
      if (characters <= bestCharacters) continue;
      best = { place, beginning };
      bestCharacters = characters;
    }
  }
  return best;
}

/** Length of what the server would show there times its chance; 0 when it shows nothing or fails. */
async function charactersSaved(
  file: WorkspaceFileReply,
  { place, beginning }: NewLine,
  signal: AbortSignal,
): Promise<number> {
  const lines = file.text.split("\n");
  const line = lines[place.line] ?? "";
  const above = [...lines.slice(0, place.line), line.slice(0, place.column)].join("\n");
  const prefix = `${above}\n${indentOf(line)}${beginning}`;
  const suffix = file.text.slice(above.length);
  const { path, language } = file;
  try {
    const reply = await postAutocomplete(
      { prefix, suffix, path, language, multiline: "never", noted: false },
      signal,
    );
    return reply.completion.length * (reply.confidence ?? 0);
  } catch {
    return 0;
  }
}
