/** What one question got. */
import type { SnippetKind } from "../../core/index.ts";
import { type Fields, objectFields } from "../../protocol/decode.ts";
import type { CursorPlace } from "../cursor-sample.ts";
import { rowOf, type Shape } from "../run/json-lines.ts";

/** Whether the model sees what stands below the cursor's line. */
export const suffixModes = ["with suffix", "without suffix"] as const;
export type SuffixMode = (typeof suffixModes)[number];

export type LineOutcome =
  | {
      readonly kind: "text";
      readonly text: string;
      /** `null` where uncalibrated. */
      readonly chance: number | null;
      readonly source: string;
    }
  | { readonly kind: "none"; readonly reason: string }
  | { readonly kind: "failed"; readonly code: string };

export interface LineAnswer {
  readonly id: string;
  readonly path: string;
  readonly languageId: string;
  readonly place: CursorPlace;
  readonly mode: SuffixMode;
  readonly target: string;
  /** Name of the way in which it was asked: `asSet`, or with other sources of context. */
  readonly way: string;
  readonly outcome: LineOutcome;
  /** Sources with a passage in the prompt; `null` where no language model was asked. */
  readonly context: readonly SnippetKind[] | null;
}

/** The way of the settings, which all figures but the worth of sources are about. */
export const asSet = "as set";

/** Reads an answer that an earlier run kept. */
export function readLineAnswer(fields: Fields): LineAnswer {
  const { kind } = objectFields(fields.outcome, "outcome");
  const outcome: Shape =
    kind === "text"
      ? { text: "string", chance: "number?", source: "string" }
      : kind === "failed"
        ? { code: "string" }
        : { kind: "string", reason: "string" };
  return rowOf<LineAnswer>({
    ...{ id: "string", path: "string", languageId: "string", place: "string" },
    ...{ mode: "string", target: "string", outcome, way: "string", context: "strings?" },
  })(fields);
}
