/** Folds events into one record per request, and one label per decision of the person. */
import type { AdaptationLabel, EventOf, TelemetryEvent } from "../core/index.ts";
import { isCounted } from "../stats/acceptance.ts";
import type { CompletionRecord, RetainedLook, ShownRecord } from "../stats/completion-record.ts";

/** The events of one request. */
interface Story {
  ts: number;
  lang: string;
  client: string;
  result: EventOf<"produced" | "filtered" | "none" | "cancelled" | "error"> | null;
  shown: EventOf<"shown"> | null;
  end: EventOf<"accepted" | "rejected" | "ignored"> | null;
  pieces: EventOf<"accepted_partial">[];
  looks: EventOf<"retained">[];
}

/** One record per request that was asked or shown, in the order of time. */
export function recordsOf(events: readonly TelemetryEvent[]): readonly CompletionRecord[] {
  return [...storiesOf(events).values()].map((story) => {
    const { ts, lang, result, shown } = story;
    const isText = result?.type === "produced";
    return {
      ts,
      lang,
      client: shown?.client ?? story.client,
      end: result?.type ?? "open",
      reason:
        result?.type === "none" || result?.type === "filtered"
          ? result.reason
          : result?.type === "error"
            ? result.code
            : null,
      source: isText ? result.source : (shown?.source ?? null),
      ms: result === null || result.type === "error" ? null : result.ms,
      shown: shown === null ? null : shownRecord(story, shown),
    };
  });
}

/**
 * What each decision of the person says about the chance that was given: 1 for a text that was taken,
 * 0 for one that was seen and not taken. An accept weighs as much as is left of the text.
 */
export function labelsOf(events: readonly TelemetryEvent[]): readonly AdaptationLabel[] {
  return [...storiesOf(events).values()].flatMap((story) => {
    const { shown } = story;
    if (shown === null || shown.judged.chance === null) return [];
    const record = shownRecord(story, shown);
    if (record.end === "open" || !isCounted(record)) return [];
    const isTaken = record.end === "accepted" || record.acceptedChars > 0;
    const last = record.looks.at(-1);
    const kept = last === undefined ? 1 : 1 - last.charDiff;
    const { chance, features } = shown.judged;
    return [{ chance, features, isTaken, weight: isTaken ? kept : 1 }];
  });
}

function storiesOf(events: readonly TelemetryEvent[]): ReadonlyMap<string, Story> {
  const stories = new Map<string, Story>();
  for (const event of events) {
    const { ts, lang, client } = event;
    const story: Story = stories.get(event.request) ?? {
      ts,
      lang,
      client,
      result: null,
      shown: null,
      end: null,
      pieces: [],
      looks: [],
    };
    stories.set(event.request, story);
    switch (event.type) {
      case "requested":
        break;
      case "produced":
      case "filtered":
      case "none":
      case "cancelled":
      case "error":
        story.result ??= event;
        break;
      case "shown":
        story.shown ??= event;
        break;
      case "accepted":
      case "rejected":
      case "ignored":
        story.end ??= event;
        break;
      case "accepted_partial":
        story.pieces.push(event);
        break;
      case "retained":
        story.looks.push(event);
        break;
    }
  }
  return stories;
}

function shownRecord(story: Story, shown: EventOf<"shown">): ShownRecord {
  const { end, pieces } = story;
  const inPieces = pieces.reduce((total, { chars }) => total + chars, 0);
  return {
    chars: shown.chars,
    source: shown.source,
    end: end?.type ?? "open",
    why: end?.type === "ignored" ? end.why : null,
    visibleMs: end?.visibleMs ?? null,
    acceptedChars: inPieces + (end?.type === "accepted" ? end.chars : 0),
    looks: [...story.looks]
      .sort((a, b) => a.afterSec - b.afterSec)
      .map(({ afterSec, charDiff, present }): RetainedLook => ({ afterSec, charDiff, present })),
  };
}
