import { getFile } from "../../api.ts";
import { Cell } from "../../cell.ts";
import { nameOf } from "../files/file-tree.ts";
import type { Place } from "../start-place.ts";
import type { DocumentName } from "./ghost-provider.ts";
import { editorLanguage } from "./languages.ts";
import { editor, Uri } from "./monaco.ts";

/** A document that is open in the page. Edits stay here; nothing writes to the workspace. */
export interface OpenDocument {
  readonly name: DocumentName;
  /** What the tab says. */
  readonly title: string;
  /** False for the scratch buffer, which always stays. */
  readonly canClose: boolean;
  readonly isEdited: boolean;
}

interface Entry {
  readonly name: DocumentName;
  readonly title: string;
  readonly canClose: boolean;
  readonly model: editor.ITextModel;
  readonly savedVersion: number;
  view: editor.ICodeEditorViewState | null;
}

/** What the tabs show. */
export interface WorkbenchState {
  readonly documents: readonly OpenDocument[];
  readonly activePath: string | null;
}

const pageSession = Math.random().toString(36).slice(2, 10);

/** The open documents and the one editor that shows them. */
export class Workbench {
  readonly state: Cell<WorkbenchState> = new Cell<WorkbenchState>({
    documents: [],
    activePath: null,
  });
  readonly #editor: editor.IStandaloneCodeEditor;
  readonly #entries = new Map<string, Entry>();
  #active: Entry | null = null;
  #opened = 0;

  constructor(codeEditor: editor.IStandaloneCodeEditor) {
    this.#editor = codeEditor;
  }

  /** The name of a document that is open here; `null` for any other model. */
  nameOf(model: editor.ITextModel): DocumentName | null {
    for (const entry of this.#entries.values()) if (entry.model === model) return entry.name;
    return null;
  }

  /** Shows a file of the workspace, fetching it unless it is open already. Rejects as `getFile`. */
  async openFile(path: string, signal: AbortSignal): Promise<void> {
    if (!this.#entries.has(path)) {
      const file = await getFile(path, signal);
      signal.throwIfAborted();
      this.add({
        path,
        languageId: file.language,
        text: file.text,
        title: nameOf(path),
        canClose: true,
      });
    }
    this.show(path);
  }

  /** Opens a text under a path without showing it. An open document of that path stays as it is. */
  add(document: {
    readonly path: string;
    readonly languageId: string;
    readonly text: string;
    readonly title: string;
    readonly canClose: boolean;
  }): void {
    const { path, languageId, title, canClose } = document;
    if (this.#entries.has(path)) return;
    const session = `${pageSession}-${this.#opened++}`;
    const uri = Uri.from({ scheme: "midspan", authority: session, path: `/${path}` });
    const model = editor.createModel(document.text, editorLanguage(languageId), uri);
    const savedVersion = model.getAlternativeVersionId();
    const name = { path, languageId, session };
    this.#entries.set(path, { name, title, canClose, model, savedVersion, view: null });
    model.onDidChangeContent(() => this.#publish());
    this.#publish();
  }

  /** Brings an open document to the front, with the cursor where it was left. */
  show(path: string): void {
    const entry = this.#entries.get(path);
    if (entry === undefined || entry === this.#active) return;
    if (this.#active !== null) this.#active.view = this.#editor.saveViewState();
    this.#active = entry;
    this.#editor.setModel(entry.model);
    if (entry.view !== null) this.#editor.restoreViewState(entry.view);
    this.#publish();
  }

  /** Puts the cursor of the active document at a place and brings it into view. */
  goTo(place: Place): void {
    const position = { lineNumber: place.line + 1, column: place.column + 1 };
    this.#editor.setPosition(position);
    this.#editor.revealPositionInCenter(position);
  }

  /** Closes a document and shows its neighbour. Its edits are gone. */
  close(path: string): void {
    const entry = this.#entries.get(path);
    if (entry === undefined || !entry.canClose) return;
    const paths = [...this.#entries.keys()];
    const at = paths.indexOf(path);
    this.#entries.delete(path);
    const neighbour = paths[at + 1] ?? paths[at - 1];
    if (this.#active === entry && neighbour !== undefined) {
      this.#active = null;
      this.show(neighbour);
    }
    entry.model.dispose();
    this.#publish();
  }

  #publish(): void {
    const documents = [...this.#entries.values()].map((entry) => ({
      name: entry.name,
      title: entry.title,
      canClose: entry.canClose,
      isEdited: entry.model.getAlternativeVersionId() !== entry.savedVersion,
    }));
    const activePath = this.#active?.name.path ?? null;
    const before = this.state.value;
    if (activePath === before.activePath && areSame(documents, before.documents)) return;
    this.state.set({ documents, activePath });
  }
}

function areSame(a: readonly OpenDocument[], b: readonly OpenDocument[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => one.name === b[i]?.name && one.isEdited === b[i]?.isEdited)
  );
}
