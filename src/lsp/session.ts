/** What one initialized client has: its documents, folders, running requests and suggestions. */
import type { MessageConnection } from "vscode-languageserver/node";
import type { Log } from "../core/index.ts";
import type { ClientProfile, InitializeFacts } from "./client-profile.ts";
import { InlineCompletions, type Latency } from "./inline-completions.ts";
import { Notebooks } from "./notebooks.ts";
import type { LanguageServerOptions } from "./ports.ts";
import { StatusNews } from "./status-news.ts";
import { Suggestions } from "./suggestions.ts";
import { type ContentChange, type OpenedText, TextDocument } from "./text-document.ts";
import { ProgressReporter } from "./work-done-progress.ts";
import { type Workspace, Workspaces } from "./workspaces.ts";

/** A document and where it belongs. */
export interface Followed {
  readonly document: TextDocument;
  readonly workspace: Workspace;
}

export class Session {
  readonly profile: ClientProfile;
  readonly workspaces: Workspaces;
  readonly completions: InlineCompletions;
  readonly suggestions: Suggestions;
  readonly notebooks: Notebooks;
  readonly status: StatusNews;
  readonly options: LanguageServerOptions;
  /** False while the client seems to have nothing but a completion list. */
  drawsInline: boolean;
  /** The newest answer's time; `null` before the first. */
  lastLatency: Latency | null = null;
  readonly #documents = new Map<string, TextDocument>();
  readonly #log: Log;
  readonly #connection: MessageConnection;
  #focused: string | null = null;

  constructor(
    facts: InitializeFacts,
    options: LanguageServerOptions,
    connection: MessageConnection,
  ) {
    const { profile } = facts;
    const { clock, log } = options;
    this.profile = profile;
    this.drawsInline = profile.drawsInline;
    this.options = options;
    this.#log = log;
    this.#connection = connection;
    this.status = new StatusNews(connection, profile);
    const progress = new ProgressReporter(connection, {
      isShown: profile.canShowProgress,
      onBusy: (title) => this.status.busy(title),
    });
    this.workspaces = new Workspaces(
      {
        server: options,
        client: { name: profile.name, version: profile.version },
        settings: facts.settings,
        notify: (level, message) => this.status.notify(level, message),
        progress,
      },
      facts.folders,
    );
    this.suggestions = new Suggestions(clock, profile);
    this.notebooks = new Notebooks();
    this.completions = new InlineCompletions({
      profile,
      suggestions: this.suggestions,
      clock,
      log,
      snippetsOf: (uri) => this.notebooks.snippetsFor(uri, (cell) => this.find(cell)?.document),
      onAnswer: (latency) => {
        this.lastLatency = latency;
      },
    });
  }

  /** `null` for a document that is not open. */
  find(uri: string): Followed | null {
    const document = this.#documents.get(uri);
    return document === undefined ? null : { document, workspace: this.workspaces.of(uri) };
  }

  /** Opening a document again replaces its text. */
  open(text: OpenedText): void {
    const known = this.#documents.get(text.uri);
    if (known !== undefined) this.close(text.uri);
    const document = new TextDocument(text);
    this.#documents.set(text.uri, document);
    this.workspaces.open(document);
  }

  /** A change of an unknown document, or one that does not fit, is noted and otherwise ignored. */
  change(uri: string, version: number | null, changes: readonly ContentChange[]): void {
    const found = this.find(uri);
    if (found === null) {
      this.#log.warn("a document that is not open was changed");
      return;
    }
    const { document, workspace } = found;
    const edits = document.change(version, changes, this.profile.encoding);
    this.suggestions.changed(uri);
    if (edits === null) {
      this.completions.stop(uri);
      this.#log.warn("a change did not fit its document; the whole text is waited for", {
        version,
      });
      return;
    }
    workspace.opened?.engine.edit(uri, document.revision, edits);
  }

  close(uri: string): void {
    const found = this.find(uri);
    if (found === null) return;
    this.completions.stop(uri);
    this.suggestions.closed(uri);
    this.workspaces.close(found.workspace, uri);
    this.#documents.delete(uri);
    if (this.#focused === uri) this.#focused = null;
  }

  /** `null`: the person looks at something that is no document. */
  focus(uri: string | null): void {
    if (this.#focused !== null && this.#focused !== uri) this.suggestions.left(this.#focused);
    this.#focused = uri;
  }

  /** A notification by the conventions of existing plugins. */
  tell(method: string, params: object): void {
    // A client that is gone cannot be told; the connection's end is handled elsewhere.
    this.#connection.sendNotification(method, params).catch(() => {});
  }

  async dispose(): Promise<void> {
    this.completions.dispose();
    this.suggestions.dispose();
    await this.workspaces.dispose();
  }
}
