/** What the language server is handed. `cli` puts the concrete parts in, tests put in scripted ones. */
import type { Clock, Log } from "../core/index.ts";
import type {
  DocumentEdit,
  EngineRequest,
  EngineResult,
  OpenDocument,
  Telemetry,
} from "../engine/index.ts";

/** The part of the engine that an editor uses; see `Engine`. */
export interface EditorEngine {
  open(document: OpenDocument): void;
  edit(uri: string, version: number, edits: readonly DocumentEdit[]): boolean;
  close(uri: string): void;
  complete(
    request: EngineRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<EngineResult>;
}

/** What became of suggestions is told here. */
export interface Feedback {
  readonly telemetry: Pick<
    Telemetry,
    "shown" | "acceptedPartly" | "accepted" | "rejected" | "ignored"
  >;
  /** Resolves when what was told so far is kept, whatever happens to this process. */
  flush(): Promise<void>;
}

/** How far an index is. */
export interface IndexStep {
  readonly filesDone: number;
  readonly filesTotal: number;
}

/** What a workspace says of itself, for status bars. */
export interface WorkspaceStatus {
  /** Id of the language model; `null` when only the model without weights answers. */
  readonly model: string | null;
  /** Where it runs; `null` as above. */
  readonly backend: string | null;
  /** `ready`, `failing` or `paused`; `null` as above. */
  readonly health: string | null;
  readonly isOffline: boolean;
  readonly files: number;
  readonly threshold: number;
  /** Address of the `midspan serve` that answers; `null` when we answer ourselves. */
  readonly server: string | null;
}

/** Everything that runs for one folder, or for the documents that lie in none. */
export interface OpenedWorkspace {
  readonly engine: EditorEngine;
  /** `null` where nobody keeps events. */
  readonly feedback: Feedback | null;
  /** Brings the index up to date; resolves when it is whole, at once where there is none. */
  index(onStep: (step: IndexStep) => void): Promise<void>;
  status(): WorkspaceStatus;
  close(): Promise<void>;
}

/** Settings as an editor sends them: nested objects or dotted keys of the one table. */
export type EditorSettings = Readonly<Record<string, unknown>>;

export interface WorkspaceRequest {
  /** Absolute path of the folder; `null` for documents outside every folder: nothing is indexed. */
  readonly root: string | null;
  readonly settings: EditorSettings;
  /** Tells the person, in a sentence. */
  readonly notify: (level: "info" | "warning" | "error", message: string) => void;
  readonly client: { readonly name: string; readonly version: string };
}

/** Opens what a folder needs. Rejects with `CompletionError` when its settings make it impossible. */
export type WorkspaceOpener = (request: WorkspaceRequest) => Promise<OpenedWorkspace>;

export interface LanguageServerOptions {
  readonly openWorkspace: WorkspaceOpener;
  /** The folder of a single document, such as the nearest repository; `null`: it has none. */
  readonly folderOf: (path: string) => string | null;
  /** Told of the running process that a client names at `initialize`. */
  readonly onClientProcess?: (pid: number) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
}
