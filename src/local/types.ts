/** The shapes that the model without weights takes and gives. */
import type { TextBuffer } from "../base/text-buffer.ts";

/** One question to the model: what follows at `offset`? */
export interface LocalQuery {
  /** The current version of the document. Tokens are cached per block of it. */
  readonly document: TextBuffer;
  /** Cursor, a UTF-16 offset into `document`. */
  readonly offset: number;
  /** Path as the index knows it; its stored version is left out of the search. `null` when unknown. */
  readonly path: string | null;
  readonly languageId: string;
  /** 1 for the rest of the line; more allows chaining lines while the chance stays high. */
  readonly maxLines: number;
  /** At most this many candidates, best first. */
  readonly maxCandidates: number;
  /** At most this many parts of lines behind them; default 0. */
  readonly maxParts?: number;
}

/** One answer. */
export interface LocalCandidate {
  /** Text to insert at the cursor; the part of a word already typed is not repeated. */
  readonly text: string;
  /**
   * Calibrated chance, 0..1, that `text` is exactly what the person would have written, or, of a part,
   * that this begins so.
   */
  readonly chance: number;
  /** `rest`: of the line, or more lines. `part`: the beginning of a rest, that ends a word or a bracket. */
  readonly extent: "rest" | "part";
  /** How it was found. */
  readonly origin: "retrieval" | "composition" | "both";
  /** Number of lines in `text`. */
  readonly lines: number;
}
