/**
 * Reads the journal while others write to it. Lines that are torn or strange are left out, an event
 * that was told twice counts once. About 100 MB a second for what is not asked for: a line is parsed
 * only if its type is.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type EventType, eventTypes, type TelemetryEvent } from "../core/index.ts";
import { decodeEvent } from "./decode-event.ts";
import { dayOf, journalFiles } from "./journal-files.ts";

/** Which events. */
export interface JournalQuery {
  /** Milliseconds since 1970; events before it are left out. */
  readonly sinceMs: number;
  /** Absent: all types. */
  readonly isAsked?: (type: EventType) => boolean;
}

/** So many lines are read before others get their turn. */
const LINES_AT_ONCE = 2_000;

/** The events of all processes in the order of time. No folder means no events. */
export async function readJournal(
  folder: string,
  query: JournalQuery,
): Promise<readonly TelemetryEvent[]> {
  const firstDay = dayOf(query.sinceMs);
  const files = (await journalFiles(folder)).filter(({ day }) => day >= firstDay);
  const marks = eventTypes
    .filter((type) => query.isAsked?.(type) ?? true)
    .map((type) => `"type":"${type}"`);
  const events = new Map<string, TelemetryEvent>();
  for (const { name } of files) {
    // A file that was just removed held what nobody wants any more.
    const text = await readFile(join(folder, name), "utf8").catch(() => "");
    let seen = 0;
    for (const line of linesOf(text)) {
      if (++seen % LINES_AT_ONCE === 0) await othersTurn();
      if (!marks.some((mark) => line.includes(mark))) continue;
      const event = decodeEvent(line);
      if (event === null || event.ts < query.sinceMs || events.has(event.id)) continue;
      events.set(event.id, event);
    }
  }
  return [...events.values()].sort((a, b) => a.ts - b.ts);
}

/** What follows the last line end was not written to its end. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
}

function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
