/**
 * Notebooks: their cells are documents like others, and the cells above one are context for it.
 * The order of the cells is kept here, their texts with the documents.
 */
import type { Snippet } from "../core/index.ts";
import {
  arrayItems,
  type Fields,
  isAbsent,
  objectFields,
  requiredString,
} from "../protocol/decode.ts";
import { decodeChanges, decodeOpened, fieldsOf, uriOf } from "./params.ts";
import type { ContentChange, OpenedText, TextDocument } from "./text-document.ts";

/** Cells above that are sent along, the nearest ones; and of each, its end. */
const MAX_CELLS = 8;
const MAX_CELL_UNITS = 4_000;
const MAX_LISTED_CELLS = 100_000;

/** What a notebook's messages do to documents. */
export interface CellActions {
  open(text: OpenedText): void;
  change(uri: string, version: number | null, changes: readonly ContentChange[]): void;
  close(uri: string): void;
}

export class Notebooks {
  /** URIs of cells in their order, by notebook. */
  readonly #cells = new Map<string, readonly string[]>();

  /** `notebookDocument/didOpen`. */
  open(params: unknown, actions: CellActions): void {
    const fields = fieldsOf(params);
    const notebook = objectFields(fields.notebookDocument, "notebookDocument");
    const uri = uriOf(notebook, "notebookDocument");
    this.#cells.set(uri, cellUris(notebook.cells, "notebookDocument.cells"));
    for (const text of openedTexts(fields.cellTextDocuments, "cellTextDocuments")) {
      actions.open(text);
    }
  }

  /** `notebookDocument/didChange`. */
  change(params: unknown, actions: CellActions): void {
    const fields = fieldsOf(params);
    const uri = uriOf(fields.notebookDocument, "notebookDocument");
    const cells = optionalFields(optionalFields(fields.change, "change").cells, "change.cells");
    const structure = optionalFields(cells.structure, "change.cells.structure");
    if (!isAbsent(structure.array)) {
      const array = objectFields(structure.array, "change.cells.structure.array");
      const start = countOf(array.start);
      const kept = this.#cells.get(uri) ?? [];
      this.#cells.set(uri, [
        ...kept.slice(0, start),
        ...cellUris(array.cells, "change.cells.structure.array.cells"),
        ...kept.slice(start + countOf(array.deleteCount)),
      ]);
    }
    for (const text of openedTexts(structure.didOpen, "didOpen")) actions.open(text);
    for (const cell of listOf(structure.didClose, "didClose")) {
      actions.close(uriOf(cell, "didClose"));
    }
    for (const item of listOf(cells.textContent, "textContent")) {
      const content = objectFields(item, "textContent");
      const document = objectFields(content.document, "textContent.document");
      const version = typeof document.version === "number" ? document.version : null;
      const changes = decodeChanges(content.changes, "textContent.changes");
      actions.change(uriOf(document, "textContent.document"), version, changes);
    }
  }

  /** `notebookDocument/didClose`. */
  close(params: unknown, actions: CellActions): void {
    const fields = fieldsOf(params);
    this.#cells.delete(uriOf(fields.notebookDocument, "notebookDocument"));
    for (const cell of listOf(fields.cellTextDocuments, "cellTextDocuments")) {
      actions.close(uriOf(cell, "cellTextDocuments"));
    }
  }

  /** Cells above this one in the same language, in their order; `[]` for what is no cell. */
  snippetsFor(
    uri: string,
    documentOf: (uri: string) => TextDocument | undefined,
  ): readonly Snippet[] {
    if (this.#cells.size === 0) return [];
    const cells = [...this.#cells.values()].find((uris) => uris.includes(uri));
    const language = documentOf(uri)?.languageId;
    if (cells === undefined || language === undefined) return [];
    const above = cells
      .slice(0, cells.indexOf(uri))
      .flatMap((cell, index) => ({ document: documentOf(cell), index }))
      .filter(({ document }) => document?.languageId === language);
    return above.slice(-MAX_CELLS).map(({ document, index }) => {
      const buffer = document?.buffer;
      const from = Math.max(0, (buffer?.length ?? 0) - MAX_CELL_UNITS);
      const text = buffer?.slice(from, buffer.length) ?? "";
      return { path: `cell-${index + 1}`, text, kind: "open", score: 0 };
    });
  }
}

function cellUris(value: unknown, field: string): readonly string[] {
  return listOf(value, field).map((cell) =>
    requiredString(objectFields(cell, field).document, `${field}.document`, MAX_LISTED_CELLS),
  );
}

function openedTexts(value: unknown, field: string): readonly OpenedText[] {
  return listOf(value, field).map((text, i) => decodeOpened(text, `${field}[${i}]`));
}

function listOf(value: unknown, field: string): readonly unknown[] {
  return isAbsent(value) ? [] : arrayItems(value, field, MAX_LISTED_CELLS);
}

function optionalFields(value: unknown, field: string): Fields {
  return isAbsent(value) ? {} : objectFields(value, field);
}

function countOf(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.floor(value) : 0;
}
