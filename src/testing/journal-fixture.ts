import type { EventBase, TelemetryEvent } from "../core/index.ts";
import { Journal } from "../store/index.ts";

/** Decisions about texts with a chance of one half, a second apart. */
export interface Decisions {
  readonly session: string;
  readonly count: number;
  readonly isTaken: boolean;
  /** Milliseconds since 1970. */
  readonly fromMs: number;
}

/** Writes them into a journal as one process would. */
export async function writeDecisions(folder: string, decisions: Decisions): Promise<void> {
  const { session, count, isTaken, fromMs } = decisions;
  const journal = new Journal({
    folder,
    session,
    days: 90,
    maxBytes: 1_000_000,
    wallNow: () => fromMs,
    onFailure: (error) => {
      throw error;
    },
  });
  for (let i = 0; i < count; i++) {
    for (const event of decision(`${session}-${i}`, fromMs + i * 1_000, isTaken)) {
      journal.record(event);
    }
  }
  await journal.close();
}

function decision(request: string, ts: number, isTaken: boolean): readonly TelemetryEvent[] {
  const base = (name: string): EventBase => ({
    v: 1,
    id: `${request}.${name}`,
    ts,
    install: "i",
    session: "s",
    request,
    doc: "",
    lang: "typescript",
    client: "test",
  });
  return [
    {
      ...base("shown"),
      type: "shown",
      visibleIndex: 0,
      inferred: false,
      source: "local",
      chars: 20,
      lines: 1,
      judged: {
        context: "c",
        configuration: "c",
        chance: 0.5,
        adapted: null,
        threshold: 0.25,
        features: { length: 3 },
      },
    },
    isTaken
      ? { ...base("end"), type: "accepted", kind: "full", chars: 20, visibleMs: 1_000 }
      : { ...base("end"), type: "rejected", visibleMs: 1_000 },
  ];
}
