import type { Usage } from "../core/index.ts";
import type { RecordedRequest, WireReply } from "./scripted-server.ts";

/** A completion as a model server has it, before it is put on the wire. */
export interface WireAnswer {
  readonly pieces: readonly string[];
  /** `null`: it goes on, and nothing that ends it is sent. */
  readonly finishReason: "stop" | "length" | null;
  /** One for each piece; absent when they were not asked for. */
  readonly logProbabilities?: readonly number[];
}

/** The wire shape of one kind of server. */
export interface BackendDialect {
  readonly contentType: string;
  /** Where completions are asked for. */
  readonly path: string;
  /** Every field that a request may have, nested ones with a dot. */
  readonly fields: readonly string[];
  /** The whole body of an answer, with `wireUsage` where the protocol counts. */
  readonly answer: (answer: WireAnswer) => string;
  /** An answer that began with the piece `begun` and then says that it failed. */
  readonly brokenAnswer: (begun: string, message: string) => string;
  /** What the server lists for these models. */
  readonly models: (ids: readonly string[]) => string;
  /** Answers to requests that are neither completions nor lists of models. */
  readonly side?: (request: RecordedRequest) => WireReply | null;
  /** What `done` says for `wireUsage`. */
  readonly usage: Usage;
}

/** Token counts that every dialect puts into its answer, as far as it can. */
export const wireUsage: Usage = { inputTokens: 120, cachedTokens: 100, outputTokens: 2 };
