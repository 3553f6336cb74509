/**
 * The documents that the engine knows, each with the history that belongs to it.
 * Editors open documents and send edits; whole-text transports send prefix and suffix with every
 * request, and the difference to the last text becomes an edit, so that everything derived from
 * unchanged blocks (tokens, windows) stays valid.
 */
import { BugError } from "../base/assert.ts";
import { minimalEdit } from "../base/diff-edit.ts";
import { Emitter } from "../base/event.ts";
import { LruMap } from "../base/lru.ts";
import { TextBuffer } from "../base/text-buffer.ts";
import { languageOfPath } from "../core/index.ts";
import { DocumentHistory } from "./document-history.ts";
import type { EngineDocument } from "./types.ts";

/** Documents of whole-text transports are kept up to this number; the least recently used goes. */
const MAX_TEXT_DOCUMENTS = 64;

/** One change in offsets of the text before it. Several apply one after the other. */
export interface DocumentEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A document that an editor opens. */
export interface OpenDocument {
  readonly uri: string;
  readonly path: string | null;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

/** What observers of documents hear. `key` names a document for as long as the engine knows it. */
export type DocumentChange =
  | { readonly kind: "edited"; readonly key: string; readonly edits: readonly DocumentEdit[] }
  | { readonly kind: "closed"; readonly key: string };

/** One version of a document with a cursor in it. */
export interface DocumentView {
  /** `null` for a text that is not recognised in the next request. */
  readonly key: string | null;
  readonly buffer: TextBuffer;
  readonly offset: number;
  readonly path: string | null;
  readonly languageId: string;
  readonly version: number | null;
  readonly history: DocumentHistory;
}

interface Entry {
  buffer: TextBuffer;
  version: number | null;
  path: string | null;
  languageId: string;
  readonly history: DocumentHistory;
}

export class DocumentStore {
  /** Told after each change. */
  readonly changes: Emitter<DocumentChange> = new Emitter<DocumentChange>();
  readonly #opened = new Map<string, Entry>();
  readonly #texts = new LruMap<string, Entry>(MAX_TEXT_DOCUMENTS);

  /** Starts to follow a document; opening it again replaces its text and keeps its history. */
  open(document: OpenDocument): void {
    const known = this.#opened.get(document.uri);
    this.#opened.set(document.uri, {
      buffer: TextBuffer.from(document.text),
      version: document.version,
      path: document.path,
      languageId: document.languageId,
      history: known?.history ?? new DocumentHistory({ isKept: true }),
    });
  }

  /** Applies edits; false when the document is unknown or `version` is not newer. */
  edit(uri: string, version: number, edits: readonly DocumentEdit[]): boolean {
    const entry = this.#opened.get(uri);
    if (entry === undefined || (entry.version !== null && version <= entry.version)) return false;
    entry.buffer = entry.buffer.editEach(edits, (_, edit) => edit);
    entry.version = version;
    this.changes.emit({ kind: "edited", key: uri, edits });
    return true;
  }

  /** Path of a document that is open; `null` when it has none, or is unknown. */
  pathOf(uri: string): string | null {
    return this.#opened.get(uri)?.path ?? null;
  }

  /** Forgets a document and its history. Unknown documents are ignored. */
  close(uri: string): void {
    if (this.#opened.delete(uri)) this.changes.emit({ kind: "closed", key: uri });
  }

  /** The text of a document as it was last seen; `null` for one that is not known. */
  bufferOf(key: string): TextBuffer | null {
    return (this.#opened.get(key) ?? this.#texts.get(key))?.buffer ?? null;
  }

  /** The document of a request as it is now; `"stale"` when the request is about an older version. */
  view(document: EngineDocument): DocumentView | "stale" {
    return document.kind === "open" ? this.#viewOpen(document) : this.#viewText(document);
  }

  #viewOpen(document: Extract<EngineDocument, { kind: "open" }>): DocumentView | "stale" {
    const entry = this.#opened.get(document.uri);
    if (entry === undefined) throw new BugError(`document ${document.uri} is not open`);
    if (document.version !== entry.version) return "stale";
    if (!(0 <= document.offset && document.offset <= entry.buffer.length)) {
      throw new RangeError(`offset ${document.offset} is outside 0..${entry.buffer.length}`);
    }
    return { ...entry, key: document.uri, offset: document.offset };
  }

  #viewText(document: Extract<EngineDocument, { kind: "text" }>): DocumentView | "stale" {
    const { prefix, suffix, path, session, version } = document;
    const languageId = document.languageId ?? (path === null ? "plaintext" : languageOfPath(path));
    const offset = prefix.length;
    const key = session === null || path === null ? null : `${session}\0${path}`;
    const known = key === null ? undefined : this.#texts.get(key);
    if (key === null || known === undefined) {
      const entry: Entry = {
        buffer: TextBuffer.from(prefix + suffix),
        version,
        path,
        languageId,
        history: new DocumentHistory({ isKept: key !== null }),
      };
      if (key !== null) this.#texts.set(key, entry);
      return { ...entry, key, offset };
    }
    if (version !== null && known.version !== null && version < known.version) return "stale";
    const change = minimalEdit(known.buffer, prefix, suffix);
    if (change !== null) {
      known.buffer = known.buffer.edit(change.start, change.end, change.text);
      this.changes.emit({ kind: "edited", key, edits: [change] });
    }
    known.version = version;
    known.languageId = languageId;
    return { ...known, key, offset };
  }
}
