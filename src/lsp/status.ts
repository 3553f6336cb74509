/** The answer to `midspan/status`, for status bars. */
import type { WorkspaceStatus } from "./ports.ts";
import type { Session } from "./session.ts";

export interface StatusReply {
  readonly version: string;
  /** From the last request's arrival to its answer; `null` before the first. */
  readonly lastLatencyMs: number | null;
  readonly workspaces: readonly (Partial<WorkspaceStatus> & {
    readonly root: string | null;
    /** `opening` until its settings are read and its model is found. */
    readonly state: "opening" | "ready";
  })[];
}

export function statusOf(session: Session): StatusReply {
  return {
    version: session.options.version,
    lastLatencyMs: session.lastLatency?.ms ?? null,
    workspaces: session.workspaces.all.map(({ root, opened }) => ({
      root,
      state: opened === null ? "opening" : "ready",
      ...opened?.status(),
    })),
  };
}
