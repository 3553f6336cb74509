/**
 * Context for a cursor, from all that is known of the workspace: the head of the document, definitions of
 * what is imported or used nearby, edits of a moment ago, windows of open files that look alike, and a
 * search through all files. Each source has a budget; nothing of an ignored or denied file gets in.
 */
import { hashText } from "../base/hash.ts";
import { LruMap } from "../base/lru.ts";
import { TextBuffer } from "../base/text-buffer.ts";
import {
  type ContextFinding,
  type ContextPlace,
  type ContextSource,
  estimatedTokenCounter,
  languageOfPath,
  type Snippet,
  type SnippetKind,
  type SymbolLookup,
  type TokenCounter,
} from "../core/index.ts";
import { areKin, findDefinitions } from "./definition-source.ts";
import { documentHead } from "./document-head.ts";
import { DocumentRing, type SeenDocument } from "./document-ring.ts";
import { areSame, fuse, type Passage } from "./fusion.ts";
import { type ImportedSource, importsOf, MAX_HEAD_UNITS } from "./imports.ts";
import { enclosingLines, nearbyNames } from "./nearby-names.ts";
import { PathTable } from "./path-table.ts";
import { receiverTypes } from "./receivers.ts";
import { RepoIndex } from "./repo-index.ts";
import type { SegmentFile } from "./segment.ts";
import { SimilarWindows } from "./similar-windows.ts";
import { wordsOf } from "./words.ts";

/** Texts of indexed files, which lie on disk. */
export interface FileTexts {
  /** The text, if it is in memory and the one that was indexed; else `null`. */
  textOf(file: SegmentFile): string | null;
  /** Brings it into memory; does nothing when it cannot be had. Never rejects. */
  load(file: SegmentFile): Promise<void>;
}

/** A search by meaning. Its results for a place may come late. */
export interface MeaningSearch {
  /** Passages for a text, best first; what is not known yet comes with a later question. */
  find(query: string): {
    readonly passages: readonly Passage[];
    readonly late: Promise<void> | null;
  };
}

/** Tokens that the sources of a kind may take. */
export interface ContextBudgets {
  readonly headTokens: number;
  /** Imports and names used nearby. */
  readonly definitionTokens: number;
  readonly editTokens: number;
  /** Passages that look alike or that a search found. */
  readonly passageTokens: number;
}

export interface RepoContextOptions {
  readonly texts: FileTexts;
  /** False for paths that a rule keeps out, and as long as that is not known. */
  readonly mayShow: (path: string) => boolean;
  readonly budgets: ContextBudgets;
  /** Kinds of snippets that are looked for. */
  readonly kinds: ReadonlySet<SnippetKind>;
  /** Absent: there is none. */
  readonly meaning?: MeaningSearch;
}

/** What fits beside the windows of a 4,096-token prompt; see `docs/context.md`. */
export const defaultContextBudgets: ContextBudgets = {
  headTokens: 120,
  definitionTokens: 300,
  editTokens: 160,
  passageTokens: 400,
};

/** The query for windows that look alike: lines above and below the cursor. */
const SIMILAR_LINES_ABOVE = 60;
const SIMILAR_LINES_BELOW = 10;
/** Lines that a search by words, or by meaning, is made of. */
const SEARCH_LINES_ABOVE = 12;
const SEARCH_LINES_BELOW = 3;
/** Results of a search that are looked at; the texts of these are brought into memory. */
const SEARCH_RESULTS = 6;
/** The lines of a window that are shown: around the middle of what looks alike. */
const MAX_PASSAGE_LINES = 40;
const MAX_PASSAGES = 4;
const MAX_EDITS = 4;
/** Copied text and text that was sent is cut to this many units before anything else. */
const MAX_SENT_UNITS = 8_000;
const MAX_SENT_DOCUMENTS = 32;
/** The imports of so many documents are remembered. */
const MAX_HEADS = 8;
/** Lines of a document are cut to this many units; machines write longer ones. */
const MAX_LINES_UNITS = 40_000;

export class RepoContext implements ContextSource, SymbolLookup {
  readonly #options: RepoContextOptions;
  readonly #ring = new DocumentRing();
  readonly #similar = new SimilarWindows();
  /** Buffers of files that callers send whole, by path and text. */
  readonly #sent = new LruMap<string, TextBuffer>(MAX_SENT_DOCUMENTS);
  readonly #imports = new LruMap<string, readonly ImportedSource[]>(MAX_HEADS);
  #index = new RepoIndex([]);
  #paths = new PathTable([]);

  constructor(options: RepoContextOptions) {
    this.#options = options;
  }

  /** The index in use. */
  get index(): RepoIndex {
    return this.#index;
  }

  /** Takes an index in place of the one before. */
  adopt(index: RepoIndex): void {
    const [base, ...rest] = index.segments;
    // Paths that are gone may stay: what they lead to is asked of the index.
    const isKnown =
      base === this.#index.segments[0] &&
      rest.every(({ data }) => data.files.every(({ path }) => this.#paths.has(path)));
    if (!isKnown) {
      this.#paths = new PathTable(
        index.segments.flatMap(({ data }) => data.files.map(({ path }) => path)),
      );
    }
    this.#index = index;
  }

  fileCount(identifier: string): number {
    return this.#index.fileCount(identifier);
  }

  see(document: SeenDocument): void {
    this.#ring.see(document);
  }

  forget(path: string): void {
    this.#ring.forget(path);
  }

  mayShow(path: string): boolean {
    return this.#options.mayShow(path);
  }

  find(place: ContextPlace): ContextFinding {
    const { kinds, budgets } = this.#options;
    const { path, languageId, buffer, offset } = place;
    const counter = estimatedTokenCounter({ vocabulary: "large", languageId });
    const snippets: Snippet[] = [];
    if (kinds.has("head")) {
      const head = documentHead(place, { maxTokens: budgets.headTokens, counter });
      if (head !== null) snippets.push(head);
    }
    if (kinds.has("definition") || kinds.has("import")) {
      const hasImports = kinds.has("import");
      const found = findDefinitions(this.#index, this.#paths, {
        path,
        languageId,
        names: nearbyNames(buffer, offset),
        receivers: kinds.has("definition") ? receiverTypes(buffer, offset) : [],
        imports: hasImports ? this.#importsOf(buffer, languageId) : [],
        maxTokens: budgets.definitionTokens,
        counter,
        mayShow: this.#options.mayShow,
      });
      snippets.push(...found.filter(({ kind }) => kinds.has(kind)));
    }
    const edits = this.#edits(place, counter);
    snippets.push(...edits.snippets);
    const passages = this.#passages(place, counter, edits.passages);
    snippets.push(...passages.snippets);
    return { snippets, late: passages.late };
  }

  /** The head of a document hardly changes while a person types below it. */
  #importsOf(buffer: TextBuffer, languageId: string): readonly ImportedSource[] {
    const head = buffer.slice(0, Math.min(buffer.length, MAX_HEAD_UNITS));
    const key = `${languageId}\0${head}`;
    const known = this.#imports.get(key) ?? importsOf(head, languageId);
    this.#imports.set(key, known);
    return known;
  }

  /** What was edited in other files, oldest first; then what was copied. */
  #edits(
    place: ContextPlace,
    counter: TokenCounter,
  ): { readonly snippets: readonly Snippet[]; readonly passages: readonly Passage[] } {
    const { kinds, budgets } = this.#options;
    const newest: Snippet[] = [];
    const passages: Passage[] = [];
    let left = budgets.editTokens;
    const take = (snippet: Snippet): boolean => {
      const tokens = counter.count(`${snippet.path}\n${snippet.text}`);
      if (tokens > left || snippet.text.trim() === "") return false;
      left -= tokens;
      newest.push(snippet);
      return true;
    };
    for (const { path, kind, text } of place.sent.toReversed()) {
      if (kind !== "edit" && kind !== "copied") continue;
      const isUsed = kinds.has(kind) && path !== place.path && this.mayShow(path);
      if (isUsed) take({ path, kind, text: text.slice(0, MAX_SENT_UNITS), score: newest.length });
    }
    if (kinds.has("edit")) {
      const documents = new Map(this.#ring.documents.map((document) => [document.path, document]));
      for (const edit of this.#ring.edits.toReversed()) {
        const document = documents.get(edit.path);
        if (document === undefined || edit.path === place.path || !this.mayShow(edit.path))
          continue;
        const text = linesOf(document.buffer, edit.line - 1, edit.endLine + 1);
        if (take({ path: edit.path, kind: "edit", text, score: newest.length }))
          passages.push(edit);
        if (passages.length === MAX_EDITS) break;
      }
    }
    return { snippets: newest.reverse(), passages };
  }

  #passages(
    place: ContextPlace,
    counter: TokenCounter,
    shown: readonly Passage[],
  ): { readonly snippets: readonly Snippet[]; readonly late: Promise<void> | null } {
    const { kinds, budgets, texts, meaning } = this.#options;
    const late: Promise<void>[] = [];
    const rankings: (readonly (Passage & { readonly kind: SnippetKind })[])[] = [];
    const documents = new Map(this.#others(place).map((document) => [document.path, document]));
    if (kinds.has("similar") && documents.size > 0) {
      const windows = this.#similar.find(around(place, SIMILAR_LINES_ABOVE, SIMILAR_LINES_BELOW), [
        ...documents.values(),
      ]);
      rankings.push(windows.map((window) => ({ ...window, kind: "similar" as const })));
    }
    if (kinds.has("search")) {
      const found = this.#index.search(this.#searchWords(place), {
        count: SEARCH_RESULTS,
        isWanted: (file) => this.#isWanted(file, place),
      });
      rankings.push(
        found.map((chunk) => ({ ...chunk, path: chunk.file.path, kind: "search" as const })),
      );
    }
    if (kinds.has("embedding") && meaning !== undefined) {
      const found = meaning.find(around(place, SEARCH_LINES_ABOVE, SEARCH_LINES_BELOW));
      if (found.late !== null) late.push(found.late);
      rankings.push(
        found.passages
          .filter(({ path }) => path !== place.path && this.mayShow(path))
          .map((passage) => ({ ...passage, kind: "embedding" as const })),
      );
    }
    const snippets: Snippet[] = [];
    let left = budgets.passageTokens;
    for (const { passage, score } of fuse(rankings)) {
      if (snippets.length === MAX_PASSAGES) break;
      if (shown.some((other) => areSame(other, passage))) continue;
      const open = documents.get(passage.path);
      const file = this.#index.file(passage.path);
      let text: string | null = null;
      const line = passage.line;
      const endLine = Math.min(passage.endLine, line + MAX_PASSAGE_LINES);
      if (open !== undefined) {
        text = linesOf(open.buffer, line, endLine);
      } else if (file !== null) {
        const whole = texts.textOf(file);
        if (whole === null) late.push(texts.load(file));
        else text = linesOfText(whole, line, endLine);
      }
      if (text === null || text.trim() === "") continue;
      const tokens = counter.count(`${passage.path}\n${text}`);
      if (tokens > left) continue;
      left -= tokens;
      snippets.push({ path: passage.path, kind: passage.kind, score, text });
    }
    // The most useful stands nearest to the cursor.
    return {
      snippets: snippets.reverse(),
      late: late.length === 0 ? null : Promise.all(late).then(() => {}),
    };
  }

  /** Open documents but the one at hand, and files that the caller sent whole. */
  #others(place: ContextPlace): readonly SeenDocument[] {
    const others = this.#ring.documents.filter(
      ({ path, languageId }) =>
        path !== place.path && areKin(languageId, place.languageId) && this.mayShow(path),
    );
    const known = new Set(others.map(({ path }) => path));
    for (const { path, kind, text } of place.sent) {
      if (kind !== "open" || path === place.path || known.has(path) || !this.mayShow(path))
        continue;
      const key = `${path}\0${hashText(text)}`;
      const buffer = this.#sent.get(key) ?? TextBuffer.from(text);
      this.#sent.set(key, buffer);
      others.push({ path, languageId: languageOfPath(path), buffer });
    }
    return others;
  }

  #isWanted(file: SegmentFile, { path, languageId }: ContextPlace): boolean {
    return (
      !file.isNamesOnly &&
      file.path !== path &&
      areKin(file.languageId, languageId) &&
      this.mayShow(file.path)
    );
  }

  /** Words of the names near the cursor, the nearer the heavier, with the names themselves. */
  #searchWords({ buffer, offset }: ContextPlace): ReadonlyMap<string, number> {
    const words = new Map<string, number>();
    for (const { name, distance } of nearbyNames(buffer, offset)) {
      const weight = 1 / (1 + 0.2 * distance);
      for (const word of wordsOf(name)) {
        if (word.length > 2) words.set(word, Math.max(weight, words.get(word) ?? 0));
      }
    }
    const { line } = buffer.positionAt(offset);
    const header = enclosingLines(buffer, line).at(-1);
    for (const word of header === undefined ? [] : wordsOf(header.text.replace(/\W+/g, "_"))) {
      if (word.length > 2) words.set(word, Math.max(0.8, words.get(word) ?? 0));
    }
    return words;
  }
}

function around({ buffer, offset }: ContextPlace, above: number, below: number): string {
  const { line } = buffer.positionAt(offset);
  return linesOf(buffer, line - above, line + below + 1);
}

/** Lines `[line, endLine)` as far as there are such, cut to `MAX_LINES_UNITS`. */
function linesOf(buffer: TextBuffer, line: number, endLine: number): string {
  const first = Math.max(0, line);
  const last = Math.min(buffer.lineCount, endLine);
  if (first >= last) return "";
  const start = buffer.lineStart(first);
  const end = last < buffer.lineCount ? buffer.lineStart(last) : buffer.length;
  return buffer.slice(start, Math.min(end, start + MAX_LINES_UNITS));
}

function linesOfText(text: string, line: number, endLine: number): string {
  let start = 0;
  for (let i = 0; i < line; i++) {
    start = text.indexOf("\n", start) + 1;
    if (start === 0) return "";
  }
  let end = start;
  for (let i = line; i < endLine; i++) {
    const next = text.indexOf("\n", end);
    if (next < 0) return text.slice(start);
    end = next + 1;
  }
  return text.slice(start, end);
}
