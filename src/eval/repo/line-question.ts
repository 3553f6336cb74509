/** One question to a model: what stands between the cursor and the end of its line? */
import type { CursorPlace } from "../cursor-sample.ts";
import type { KnownWorkspace } from "./known-workspace.ts";

export interface LineQuestion {
  /** The same in every run with the same seed. */
  readonly id: string;
  readonly path: string;
  readonly languageId: string;
  readonly place: CursorPlace;
  /** The document up to the cursor, and from the end of the cursor's line on. */
  readonly prefix: string;
  readonly suffix: string;
  /** The rest of the cursor's line, without its end. */
  readonly target: string;
}

/** Questions about one state of the workspace. */
export interface QuestionBatch {
  readonly questions: readonly LineQuestion[];
  /** Makes the state known; batches are prepared in their order, none left out but at the end. */
  prepare(known: KnownWorkspace): Promise<void>;
}

/** Where questions come from. */
export interface QuestionSource {
  /** In words, for the report: what is asked and what is known. */
  readonly description: string;
  readonly kind: "commits" | "files";
  /** Names the state of the repository: runs that differ in it ask different questions. */
  readonly state: string;
  readonly batches: readonly QuestionBatch[];
}

/** Decides from a path and bytes whether a file is read, as the product does; `null` leaves it out. */
export type TextOfFile = (path: string, bytes: Uint8Array) => string | null;
