import type { ModelEvidence } from "../core/index.ts";
import type { ServerExtras } from "./server-extras.ts";

export interface Cancellable {
  readonly signal: AbortSignal;
}

/** A model as its server describes it. */
export interface ProbedModel {
  readonly id: string;
  /** Prompt and output together; `null` when the server does not say. */
  readonly contextTokens: number | null;
  /** Whether the server says that it can fill in the middle; `null` when it says nothing. */
  readonly canInsert: boolean | null;
}

/** What was found out about a server. */
export interface ProbedServer {
  /** Name and version, for people. */
  readonly software: string;
  readonly models: readonly ProbedModel[];
  /** Such as `Q8_0`; absent when it does not say. */
  readonly quantisation?: string;
  /** How many requests it works on at once; `null` when it does not say. */
  readonly slotCount: number | null;
  /** What decides over the name of the model, where the server lets its vocabulary be looked into. */
  readonly evidence: ModelEvidence | null;
  /** For `createBackend`. */
  readonly extras: Partial<ServerExtras>;
}

/** The model that was named, or the first of which the server does not deny that it can fill in. */
export function chosen(models: readonly ProbedModel[], id: string | null): ProbedModel | undefined {
  if (id !== null) return models.find((model) => model.id === id);
  return (
    models.find((model) => model.canInsert === true) ??
    models.find((model) => model.canInsert === null)
  );
}
