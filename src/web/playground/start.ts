import { present } from "../../base/assert.ts";
import type { AutocompleteReply } from "../../protocol/autocomplete.ts";
import type { HealthReply, WorkspaceFileReply } from "../../protocol/workspace.ts";
import { getFile, postAutocomplete } from "../api.ts";
import { scratchLanguage } from "./editor/languages.ts";
import type { Workbench } from "./editor/workbench.ts";
import { nameOf } from "./files/file-tree.ts";
import { likelyFiles, likelyPlaces, type Place } from "./start-place.ts";

const MAX_LINES = 500;

/** Opens the scratch buffer and, where there is one, a code file at a place worth looking at. */
export async function openFirst(
  workbench: Workbench,
  files: readonly string[],
  options: { readonly health: HealthReply; readonly signal: AbortSignal },
): Promise<void> {
  addScratch(workbench, files);
  const { health, signal } = options;
  const candidates = await Promise.allSettled(
    likelyFiles(files).map((path) => getFile(path, signal)),
  );
  const file = pick(candidates.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
  if (file === null) {
    workbench.show(scratchPath(files));
    workbench.goTo({ line: 2, column: 0 });
    return;
  }
  workbench.add({
    path: file.path,
    languageId: file.language,
    text: file.text,
    title: nameOf(file.path),
    canClose: true,
  });
  workbench.show(file.path);
  workbench.goTo(await bestPlace(file, { isFree: health.backend === null, signal }));
}

function addScratch(workbench: Workbench, files: readonly string[]): void {
  const { languageId, comment } = scratchLanguage(files);
  workbench.add({
    path: scratchPath(files),
    languageId,
    text: `${comment} Scratch: try anything, nothing here is kept.\n\n`,
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

/** Where the local model is surest of what follows; the first guess when asking would cost something. */
async function bestPlace(
  file: WorkspaceFileReply,
  options: { readonly isFree: boolean; readonly signal: AbortSignal },
): Promise<Place> {
  const places = likelyPlaces(file.text);
  let best = present(places[0], "a place to start at");
  if (!options.isFree) return best;
  let bestChance = 0;
  for (const place of places) {
    const reply = await probe(file, place, options.signal);
    if (reply === null) break;
    const chance = reply.completion === "" ? 0 : (reply.confidence ?? 0);
    if (chance <= bestChance) continue;
    best = place;
    bestChance = chance;
  }
  return best;
}

async function probe(
  file: WorkspaceFileReply,
  place: Place,
  signal: AbortSignal,
): Promise<AutocompleteReply | null> {
  const lines = file.text.split("\n");
  const before = [...lines.slice(0, place.line), (lines[place.line] ?? "").slice(0, place.column)];
  const prefix = before.join("\n");
  const suffix = file.text.slice(prefix.length);
  const { path, language } = file;
  try {
    return await postAutocomplete({ prefix, suffix, path, language, multiline: "never" }, signal);
  } catch {
    return null;
  }
}
