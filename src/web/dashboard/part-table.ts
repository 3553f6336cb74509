import type { WireUsagePart } from "../../protocol/stats.ts";
import { element } from "../dom.ts";
import { decimal, hours, milliseconds, percent } from "./format.ts";

const columns = [
  "requests",
  "shown",
  "accepted",
  "retained / h",
  "hours",
  "length",
  "p50",
] as const;

/** The figures of each language or source in a row. */
export function createPartTable(title: string, parts: readonly WireUsagePart[]): HTMLElement {
  const [name = ""] = title.split(" ").slice(-1);
  return element(
    "section",
    { class: "card" },
    element("h2", {}, title),
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          element("th", { scope: "col" }, name),
          ...columns.map((column) => element("th", { scope: "col" }, column)),
        ),
      ),
      element("tbody", {}, ...parts.map(rowOf)),
    ),
  );
}

function rowOf({ key, usage }: WireUsagePart): HTMLElement {
  const cells = [
    String(usage.requests),
    String(usage.shown),
    percent(usage.acceptance_rate),
    decimal(usage.retained_chars_per_hour),
    hours(usage.hours),
    decimal(usage.mean_accepted_chars),
    milliseconds(usage.latency_ms.p50),
  ];
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, key),
    ...cells.map((cell) => element("td", {}, cell)),
  );
}
