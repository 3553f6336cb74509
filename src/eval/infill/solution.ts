/** A whole program that passes its tests, of data that has no holes of its own. */
import { multiLineSpans, type Span, singleLineSpans } from "./derive-spans.ts";
import type { InfillTask, InfillTests } from "./infill-task.ts";

export interface Solution {
  /** Such as `Go/12`. */
  readonly id: string;
  /** Head of the function, with its comment. */
  readonly prompt: string;
  /** The rest of it; holes are made here. */
  readonly body: string;
  readonly tests: InfillTests;
}

/** Which holes are made. */
export type SpanKind = "single-line" | "multi-line";

/** The tasks of one set, in the order of the solutions and of the lines. */
export function tasksOf(
  solutions: readonly Solution[],
  about: { readonly set: string; readonly languageId: string; readonly spans: SpanKind },
): readonly InfillTask[] {
  const { set, languageId, spans } = about;
  const spansIn = spans === "single-line" ? singleLineSpans : multiLineSpans;
  return solutions.flatMap(({ id, prompt, body, tests }) =>
    spansIn(body).map(
      (span: Span): InfillTask => ({
        id: `${id}/L${span.line}`,
        set,
        languageId,
        prefix: prompt + body.slice(0, span.start),
        target: body.slice(span.start, span.end),
        suffix: body.slice(span.end),
        isSingleLine: spans === "single-line",
        isWholeLine: false,
        tests,
      }),
    ),
  );
}
