/** What a scripted backend must score: anything else is a fault of the harness, or of a filter. */
import type { ReportCheck } from "../report/report.ts";
import type { AskingWay } from "./infill-asker.ts";
import type { InfillFigures } from "./infill-figures.ts";
import type { Script } from "./scripted-answers.ts";

/** With all filters on, right answers may be lost to them: at most 2 % of single lines. */
export const KEPT_SHARE = 0.98;

/** True for a set of single lines, to which that margin applies. */
export function isSingleLineSet(name: string): boolean {
  return name.includes("single-line");
}

/**
 * One check a set. A perfect backend passes everything, an empty one nothing; with the filters on,
 * single lines have a margin and other answers are not held against a goal.
 */
export function scriptChecks(
  figures: readonly InfillFigures[],
  about: { readonly script: Script; readonly way: AskingWay },
): readonly ReportCheck[] {
  const { script, way } = about;
  return figures.flatMap(({ name, passAt, exact }): readonly ReportCheck[] => {
    const value = 100 * (passAt[0]?.share ?? exact);
    const common = { name: `${name}, ${script}`, value, unit: " %", noise: 0 };
    if (script === "empty") return [{ ...common, goal: { kind: "at-most", value: 0 } }];
    if (way !== "full") return [{ ...common, goal: { kind: "at-least", value: 100 } }];
    if (!isSingleLineSet(name)) return [];
    return [{ ...common, goal: { kind: "at-least", value: 100 * KEPT_SHARE } }];
  });
}
