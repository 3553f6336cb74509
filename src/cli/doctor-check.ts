import { CompletionError } from "../core/index.ts";

/** One thing that `midspan doctor` looked at. */
export interface Check {
  readonly name: string;
  /** `note`: works, and a person may want to know. */
  readonly state: "ok" | "note" | "failed";
  /** What was found, and for a failure what to do. */
  readonly text: string;
  /** Commands to copy, which no line end may cut. Absent: sentences. */
  readonly isVerbatim?: boolean;
}

/** An expected failure as text; others are thrown on. */
export function failureText(error: unknown): string {
  if (error instanceof CompletionError) return `${error.message} [${error.code}]`;
  throw error;
}
