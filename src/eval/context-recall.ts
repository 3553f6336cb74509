/**
 * Whether context brings what a line needs. A place counts when the rest of its line uses a name that
 * another file defines and its own does not. Identifier recall is the share of those names that stand in
 * the prompt; a model cannot use well what it has never seen.
 */
import { TextBuffer } from "../base/text-buffer.ts";
import {
  estimatedTokenCounter,
  nextWindow,
  type Snippet,
  type SnippetKind,
} from "../core/index.ts";
import type { Random } from "../stats/random.ts";
import type { ContextWorld } from "./context-world.ts";
import { type SampledCursor, sampleCursors } from "./cursor-sample.ts";
import type { SourceFile } from "./source-file.ts";

/** A place whose line needs other files. */
export interface CrossFileCursor {
  readonly cursor: SampledCursor;
  /** Names of the target that another file defines. */
  readonly names: readonly string[];
}

/** Recall of one choice of sources. */
export interface RecallRow {
  readonly kinds: readonly SnippetKind[];
  readonly cursors: number;
  readonly names: number;
  /** Names that stand in the window around the cursor or in a snippet. */
  readonly found: number;
  /** Tokens of the snippets on average. */
  readonly tokens: number;
}

/** A document without the rest of a line, and what a choice of sources brings there. */
export interface FoundContext {
  readonly place: CrossFileCursor;
  readonly kinds: readonly SnippetKind[];
  readonly buffer: TextBuffer;
  readonly snippets: readonly Snippet[];
}

/** As in the product's prompts. */
const PREFIX_TOKENS = 2000;
const SUFFIX_TOKENS = 800;
/** Documents that are open: the nearest neighbours in the list of files. */
const OPEN_DOCUMENTS = 4;
/** Draws per place that is wanted: most lines use their own file's names only. */
const DRAWS = 8;

/** At most `count` places, spread over the files. */
export function crossFileCursors(
  files: readonly SourceFile[],
  options: { readonly world: ContextWorld; readonly count: number; readonly random: Random },
): readonly CrossFileCursor[] {
  const { world, count, random } = options;
  const found: CrossFileCursor[] = [];
  const shuffled = random.shuffled(files).slice(0, Math.max(40, count));
  for (const cursor of sampleCursors(shuffled, { count: count * DRAWS, random })) {
    const names = namesOf(cursor.target).filter((name) =>
      world.isDefinedElsewhere(name, cursor.file.path),
    );
    if (names.length > 0) found.push({ cursor, names });
    if (found.length === count) break;
  }
  return found;
}

/** Recall of each choice of sources over the same places. */
export async function measureRecall(
  files: readonly SourceFile[],
  cursors: readonly CrossFileCursor[],
  options: {
    readonly world: ContextWorld;
    readonly choices: readonly (readonly SnippetKind[])[];
    /** Sees what each choice brings to each place. */
    readonly onContext: (context: FoundContext) => void;
  },
): Promise<readonly RecallRow[]> {
  const rows: RecallRow[] = [];
  for (const kinds of options.choices) {
    let names = 0;
    let found = 0;
    let tokens = 0;
    for (const place of cursors) {
      const { languageId } = place.cursor.file;
      const counter = estimatedTokenCounter({ vocabulary: "large", languageId });
      const { buffer, snippets } = await contextAt(files, place.cursor, options.world, kinds);
      options.onContext({ place, kinds, buffer, snippets });
      const window = nextWindow(null, {
        ...{ buffer, offset: place.cursor.offset, counter, keepsSuffix: true },
        ...{ prefixTokens: PREFIX_TOKENS, suffixTokens: SUFFIX_TOKENS },
      });
      const shown = new Set(
        namesOf([window.prefix, window.suffix, ...snippets.map(({ text }) => text)].join("\n")),
      );
      names += place.names.length;
      found += place.names.filter((name) => shown.has(name)).length;
      tokens += snippets.reduce((sum, { text }) => sum + counter.count(text), 0);
    }
    rows.push({ kinds, cursors: cursors.length, names, found, tokens: tokens / cursors.length });
  }
  return rows;
}

/** The document without its target, and what a fresh source finds in it. */
export async function contextAt(
  files: readonly SourceFile[],
  { file, offset, target }: SampledCursor,
  world: ContextWorld,
  kinds: readonly SnippetKind[],
): Promise<{ readonly buffer: TextBuffer; readonly snippets: readonly Snippet[] }> {
  const { path, languageId } = file;
  const buffer = bufferOf(file).edit(offset, offset + target.length, "");
  if (kinds.length === 0) return { buffer, snippets: [] };
  const source = world.createSource(kinds);
  for (const other of neighboursOf(files, file)) {
    source.see({ ...other, buffer: bufferOf(other) });
  }
  source.see({ path, languageId, buffer });
  const place = { path, languageId, buffer, offset, sent: [] };
  const { snippets, late } = source.find(place);
  if (late === null) return { buffer, snippets };
  await late;
  return { buffer, snippets: source.find(place).snippets };
}

const buffers = new WeakMap<SourceFile, TextBuffer>();

function bufferOf(file: SourceFile): TextBuffer {
  const buffer = buffers.get(file) ?? TextBuffer.from(file.text);
  buffers.set(file, buffer);
  return buffer;
}

/** Files beside a file: those that a person is likely to have open. */
export function neighboursOf(
  files: readonly SourceFile[],
  file: SourceFile,
): readonly SourceFile[] {
  const at = files.indexOf(file);
  const first = Math.max(0, at - OPEN_DOCUMENTS / 2);
  return files.slice(first, first + OPEN_DOCUMENTS + 1).filter((other) => other !== file);
}

/** Identifiers of at least three characters, each once. */
function namesOf(text: string): string[] {
  return [...new Set(text.match(/[A-Za-z_$][\w$]{2,}/g))];
}
