/** Wire types of the playground's own endpoints, health and models. */

/** `GET /v1/health`: 200 as soon as requests are accepted. */
export interface HealthReply {
  readonly name: "midspan";
  readonly version: string;
  /** `degraded`: completions are answered, and `problems` says what does not work. */
  readonly status: "ok" | "degraded";
  /** Codes as in errors; empty when all is well. */
  readonly problems: readonly { readonly code: string; readonly message: string }[];
  readonly offline: boolean;
  readonly workspace: string | null;
  readonly local: {
    readonly enabled: boolean;
    /** `indexing` answers already from what is indexed so far. */
    readonly state: "off" | "empty" | "indexing" | "ready";
    readonly files: number;
    readonly files_total: number;
    readonly tokens: number;
    /** Files left out: too large, binary, generated, ignored by the cap. */
    readonly skipped: number;
  };
  readonly backend: {
    readonly kind: string;
    readonly address: string;
    readonly model: string | null;
    /** `failing` when the last question failed, `paused` while it is left alone; `problems` says why. */
    readonly state: "ready" | "failing" | "paused";
    /**
     * Since the start: key presses, those that asked the model, its requests that ended, of these the
     * late ones (after the next key) and the ones that failed or reached the time limit.
     */
    readonly use: {
      readonly keys: number;
      readonly asked: number;
      readonly answers: number;
      readonly late: number;
      readonly failed: number;
    };
  } | null;
  readonly threshold: number;
}

/** `GET /v1/workspace/files`: what the file list of the page shows. */
export interface WorkspaceFilesReply {
  readonly root: string;
  /** Workspace-relative with `/`, sorted; capped. */
  readonly files: readonly string[];
  readonly truncated: boolean;
}

/** `GET /v1/workspace/file?path=`: text of one file inside the workspace; never written to. */
export interface WorkspaceFileReply {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/** `GET /v1/models`. */
export interface ModelsReply {
  readonly object: "list";
  readonly data: readonly {
    readonly id: string;
    readonly object: "model";
    readonly owned_by: string;
  }[];
}
