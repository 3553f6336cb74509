/**
 * The folders of a client and what runs for each. A document belongs to the innermost folder that
 * holds it; one outside every folder is answered without an index.
 */
import { isAbsolute, relative, sep } from "node:path";
import { CompletionError, languageOfPath } from "../core/index.ts";
import { pathOfUri } from "./params.ts";
import type { EditorSettings, LanguageServerOptions, OpenedWorkspace } from "./ports.ts";
import type { TextDocument } from "./text-document.ts";
import type { ProgressReporter } from "./work-done-progress.ts";

/** One folder, or the place of the documents that lie in none. */
export class Workspace {
  readonly root: string | null;
  /** Its documents by URI. */
  readonly documents: Map<string, TextDocument> = new Map();
  /** `null` while it is being opened, and when that failed. */
  opened: OpenedWorkspace | null = null;
  /** Resolves when `opened` is decided; never rejects. */
  ready: Promise<void> = Promise.resolve();

  constructor(root: string | null) {
    this.root = root;
  }

  /** Path of a document as the engine knows it: inside the folder with `/`, else whole. */
  pathOf(uri: string): string | null {
    const path = pathOfUri(uri);
    if (path === null) return null;
    const inside = this.root === null ? null : pathInside(this.root, path);
    return (inside ?? path).split(sep).join("/");
  }
}

export interface WorkspacesOptions {
  readonly server: LanguageServerOptions;
  readonly client: { readonly name: string; readonly version: string };
  readonly settings: EditorSettings;
  readonly notify: (level: "info" | "warning" | "error", message: string) => void;
  readonly progress: ProgressReporter;
}

export class Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #folders = new Map<string, Workspace>();
  readonly #loose = new Workspace(null);
  #isLooseOpen = false;
  /** Without folders the repository of each document becomes one. */
  #hasFolders: boolean;
  #settings: EditorSettings;
  #isClosed = false;

  constructor(options: WorkspacesOptions, folders: readonly string[]) {
    this.#options = options;
    this.#settings = options.settings;
    this.#hasFolders = folders.length > 0;
    for (const folder of folders) this.#add(folder);
  }

  get all(): readonly Workspace[] {
    return [...this.#folders.values(), ...(this.#isLooseOpen ? [this.#loose] : [])];
  }

  /** The workspace that a document belongs to, opened on demand. */
  of(uri: string): Workspace {
    const path = pathOfUri(uri);
    const inner = path === null ? null : this.#innermost(path);
    if (inner !== null) return inner;
    const found = path === null || this.#hasFolders ? null : this.#options.server.folderOf(path);
    if (found !== null) return this.#folders.get(found) ?? this.#add(found);
    if (!this.#isLooseOpen) {
      this.#isLooseOpen = true;
      this.#open(this.#loose);
    }
    return this.#loose;
  }

  /** Folders came and went. Documents move to where they belong now. */
  change(added: readonly string[], removed: readonly string[]): void {
    const moved: TextDocument[] = [];
    for (const folder of removed) {
      const workspace = this.#folders.get(folder);
      if (workspace === undefined) continue;
      this.#folders.delete(folder);
      moved.push(...workspace.documents.values());
      this.#shut(workspace);
    }
    for (const folder of added) {
      if (this.#folders.has(folder)) continue;
      this.#hasFolders = true;
      this.#add(folder);
    }
    for (const workspace of this.all) {
      for (const document of workspace.documents.values()) {
        if (this.of(document.uri) === workspace) continue;
        this.close(workspace, document.uri);
        moved.push(document);
      }
    }
    for (const document of moved) this.open(document);
  }

  /** New settings of the editor: everything is opened again with them, unless they are the same. */
  configure(settings: EditorSettings): void {
    if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
    this.#settings = settings;
    for (const workspace of this.all) {
      this.#shut(workspace);
      this.#open(workspace);
    }
  }

  /** Starts to follow a document. */
  open(document: TextDocument): Workspace {
    const workspace = this.of(document.uri);
    workspace.documents.set(document.uri, document);
    if (workspace.opened !== null) openIn(workspace, workspace.opened, document);
    return workspace;
  }

  /** Forgets a document. */
  close(workspace: Workspace, uri: string): void {
    if (workspace.documents.delete(uri)) workspace.opened?.engine.close(uri);
  }

  /** Stops everything. Never rejects. */
  async dispose(): Promise<void> {
    this.#isClosed = true;
    const all = this.all;
    await Promise.all(all.map(({ ready }) => ready));
    await Promise.all(all.map(({ opened }) => this.#close(opened)));
  }

  #innermost(path: string): Workspace | null {
    let best: Workspace | null = null;
    for (const [root, workspace] of this.#folders) {
      if (pathInside(root, path) === null) continue;
      if (best?.root === undefined || best.root === null || best.root.length < root.length) {
        best = workspace;
      }
    }
    return best;
  }

  #add(root: string): Workspace {
    const workspace = new Workspace(root);
    this.#folders.set(root, workspace);
    this.#open(workspace);
    return workspace;
  }

  #open(workspace: Workspace): void {
    const { server, notify, client } = this.#options;
    const { root } = workspace;
    const before = workspace.ready;
    const start = async (): Promise<void> => {
      await before;
      if (this.#isClosed) return;
      try {
        const opened = await server.openWorkspace({
          root,
          settings: this.#settings,
          notify,
          client,
        });
        workspace.opened = opened;
        for (const document of workspace.documents.values()) openIn(workspace, opened, document);
        if (root !== null) void this.#index(root, workspace, opened);
      } catch (error) {
        notify("error", `${root ?? "documents outside a folder"}: ${messageOf(error)}`);
        server.log.error("a workspace was not opened", { error: messageOf(error) });
      }
    };
    workspace.ready = start();
  }

  /** Never rejects: without an index the answers are fewer, not wrong. */
  async #index(root: string, workspace: Workspace, opened: OpenedWorkspace): Promise<void> {
    const { progress, notify } = this.#options;
    const report = progress.begin(`Indexing ${root.slice(root.lastIndexOf(sep) + 1)}`);
    try {
      await opened.index(({ filesDone, filesTotal }) => {
        report.step(filesDone, filesTotal, `${filesDone} of ${filesTotal} files`);
      });
    } catch (error) {
      // One that was closed meanwhile, as new settings do, ends here too: nobody misses its index.
      const isMissed = !this.#isClosed && workspace.opened === opened;
      if (isMissed && error instanceof CompletionError) {
        notify("warning", `${root} was not indexed: ${error.message}`);
      }
    } finally {
      report.end();
    }
  }

  #shut(workspace: Workspace): void {
    const { opened } = workspace;
    workspace.opened = null;
    const before = workspace.ready;
    workspace.ready = before.then(async () => {
      // It may have been opened since, when it was shut while it was being opened.
      const late = workspace.opened;
      workspace.opened = null;
      await Promise.all([this.#close(opened), this.#close(late)]);
    });
  }

  /** Never rejects: what one folder cannot stop must not keep the others, or the client, from leaving. */
  async #close(opened: OpenedWorkspace | null): Promise<void> {
    try {
      await opened?.close();
    } catch (error) {
      this.#options.server.log.error("a workspace was not closed", { error: messageOf(error) });
    }
  }
}

function openIn(workspace: Workspace, opened: OpenedWorkspace, document: TextDocument): void {
  const path = workspace.pathOf(document.uri);
  const { uri, languageId, revision, buffer } = document;
  opened.engine.open({
    uri,
    path,
    languageId: languageId === "" && path !== null ? languageOfPath(path) : languageId,
    version: revision,
    text: buffer.toString(),
  });
}

/** A path as seen from `root`; `null` when it is `root` itself or lies outside. */
function pathInside(root: string, path: string): string | null {
  const inside = relative(root, path);
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside || inside === "" ? null : inside;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
