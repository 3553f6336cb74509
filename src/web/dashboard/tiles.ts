import type { StatsReply } from "../../protocol/stats.ts";
import { element } from "../dom.ts";
import { decimal, hours, milliseconds, percent } from "./format.ts";

/** The figures that matter, acceptance beside what keeps it honest. */
export function createTiles({ total }: StatsReply): HTMLElement {
  const { latency_ms: latency } = total;
  const last = total.retention.findLast(({ edits }) => edits > 0);
  const tile = (name: string, value: string, says: string): HTMLElement =>
    element(
      "div",
      { class: "tile" },
      element("dt", {}, name),
      element("dd", {}, element("strong", {}, value), element("span", {}, says)),
    );
  return element(
    "dl",
    { class: "tiles" },
    tile(
      "Acceptance rate",
      percent(total.acceptance_rate),
      `${total.accepted + total.partly_accepted} of ${total.counted} seen; ${percent(total.weighted_acceptance_rate)} of the characters`,
    ),
    tile(
      "Shown per hour",
      decimal(total.shown_per_hour),
      `${total.shown} texts in ${hours(total.hours)} at work`,
    ),
    tile(
      "Retained characters per hour",
      decimal(total.retained_chars_per_hour),
      `of ${decimal(total.accepted_chars_per_hour)} accepted per hour`,
    ),
    tile(
      "Retained per edit",
      percent(last?.kept ?? null),
      last === undefined
        ? "nothing was looked at yet"
        : `of the characters after ${last.after_seconds} s, ${last.edits} ${last.edits === 1 ? "edit" : "edits"}`,
    ),
    tile("Mean accepted length", decimal(total.mean_accepted_chars), "characters"),
    tile(
      "Requests per shown text",
      decimal(total.requests_per_shown),
      `${total.requests} requests`,
    ),
    tile(
      "Time to an answer",
      milliseconds(latency.p50),
      `95 % within ${milliseconds(latency.p95)}`,
    ),
    tile("Refused by hand", percent(total.reject_rate), `${total.rejected} of ${total.shown}`),
  );
}
