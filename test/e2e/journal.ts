/** What a server noted about suggestions, read as anybody could: lines of JSON in its state folder. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface NotedEvent {
  /** Says what the event is about: no other has it. */
  readonly id: string;
  readonly type: string;
  readonly request: string;
  readonly client: string;
  readonly inferred?: boolean;
  readonly why?: string;
  readonly chars?: number;
}

/** Every event that is on disk, in order. */
export function readEvents(home: string): readonly NotedEvent[] {
  if (!existsSync(home)) return [];
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => readFileSync(join(home, file), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line): NotedEvent => JSON.parse(line));
}

/** By suggestion that was shown: how often it ended. */
export function endsOfShown(events: readonly NotedEvent[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { type, request } of events) if (type === "shown") ends.set(request, 0);
  for (const { type, request } of events) {
    if (type !== "accepted" && type !== "rejected" && type !== "ignored") continue;
    // An end of what was never shown is a fault as well.
    ends.set(request, (ends.get(request) ?? 10) + 1);
  }
  return ends;
}
