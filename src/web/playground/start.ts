import { indentOf } from "../../base/text.ts";
import type { HealthReply, WorkspaceFileReply } from "../../protocol/workspace.ts";
import { getFile, postAutocomplete } from "../api.ts";
import { scratchLanguage } from "./editor/languages.ts";
import type { Workbench } from "./editor/workbench.ts";
import { nameOf } from "./files/file-tree.ts";
import { likelyBeginnings, likelyFiles, likelyPlaces, type Place } from "./start-place.ts";

const MAX_LINES = 500;

/**
 * Opens the scratch buffer and, where there is one, a code file at a place worth looking at. Resolves
 * with what to type there to see ghost text; `null` when that is not known.
 */
export async function openFirst(
  workbench: Workbench,
  files: readonly string[],
  options: { readonly health: HealthReply; readonly signal: AbortSignal },
): Promise<string | null> {
  addScratch(workbench, files);
  const { health, signal } = options;
  const texts = await Promise.allSettled(likelyFiles(files).map((path) => getFile(path, signal)));
  const file = pick(texts.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
  if (file === null) {
    workbench.show(scratchPath(files));
    workbench.goTo({ line: 1, column: 0 });
    return null;
  }
  const { path, language: languageId, text } = file;
  workbench.add({ path, languageId, text, title: nameOf(path), canClose: true });
  workbench.show(path);
  const [first] = likelyPlaces(text);
  if (first !== undefined) workbench.goTo(first);
  // Asking around costs nothing with the local model alone; with a language model it might.
  const best = health.backend === null ? await bestLine(file, signal) : null;
  if (best === null) return null;
  workbench.goTo(best.place);
  return best.beginning;
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

/** The longest of those that are pleasant to read. */
function pick(files: readonly WorkspaceFileReply[]): WorkspaceFileReply | null {
  const lines = (file: WorkspaceFileReply): number => file.text.split("\n").length;
  const readable = files.filter((file) => lines(file) <= MAX_LINES);
  const [first] = [...readable].sort((a, b) => lines(b) - lines(a));
  return first ?? files[0] ?? null;
}

interface NewLine {
  readonly place: Place;
  readonly beginning: string;
}

/** The new line after one of the likely places that would save the most typing. */
async function bestLine(file: WorkspaceFileReply, signal: AbortSignal): Promise<NewLine | null> {
  let best: NewLine | null = null;
  let bestCharacters = 0;
  for (const place of likelyPlaces(file.text)) {
    for (const beginning of likelyBeginnings(file.text)) {
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
      { prefix, suffix, path, language, multiline: "never" },
      signal,
    );
    return reply.completion.length * (reply.confidence ?? 0);
  } catch {
    return 0;
  }
}
