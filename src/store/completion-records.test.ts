import { describe, expect, test } from "vitest";
import type { EventBase, JudgedText, TelemetryEvent } from "../core/index.ts";
import { labelsOf, recordsOf } from "./completion-records.ts";

const features = { length: 3 };
const judged: JudgedText = {
  context: "c",
  configuration: "c",
  chance: 0.4,
  adapted: null,
  threshold: 0.25,
  features,
};

function base(request: string, name: string, ts: number): EventBase {
  return {
    v: 1,
    id: `${request}.${name}`,
    ts,
    install: "i",
    session: "s",
    request,
    doc: "d",
    lang: "go",
    client: "http",
  };
}

function asked(request: string, ts: number): TelemetryEvent {
  return { ...base(request, "requested", ts), type: "requested", trigger: "automatic" };
}

function produced(request: string, ts: number): TelemetryEvent {
  return {
    ...base(request, "result", ts),
    type: "produced",
    source: "model",
    model: "m",
    chars: 20,
    lines: 1,
    ms: 90,
    tokensIn: 1,
    tokensCached: 0,
    tokensOut: 5,
    judged,
  };
}

function shown(request: string, ts: number, chance: number | null = 0.4): TelemetryEvent {
  return {
    ...base(request, "shown", ts),
    client: "editor",
    type: "shown",
    visibleIndex: 0,
    inferred: false,
    source: "model",
    chars: 20,
    lines: 1,
    judged: { ...judged, chance },
  };
}

function ignored(request: string, ts: number, visibleMs: number): TelemetryEvent {
  const why = "typed-over" as const;
  return { ...base(request, "end", ts), type: "ignored", why, visibleMs, typedChars: 0 };
}

function accepted(request: string, ts: number): TelemetryEvent {
  return { ...base(request, "end", ts), type: "accepted", kind: "full", chars: 12, visibleMs: 900 };
}

function piece(request: string, ts: number): TelemetryEvent {
  const fields = { type: "accepted_partial", kind: "word", chars: 8, visibleMs: 500 } as const;
  return { ...base(request, "accepted_partial.1", ts), ...fields };
}

function retained(request: string, afterSec: number, charDiff: number): TelemetryEvent {
  const fields = { type: "retained", chars: 20, lexDiff: 0, present: charDiff < 1 } as const;
  return {
    ...base(request, `retained.${afterSec}`, afterSec * 1_000),
    ...fields,
    afterSec,
    charDiff,
  };
}

describe("records", () => {
  test("tell the story of each request", () => {
    const events = [
      asked("a", 1),
      produced("a", 2),
      shown("a", 3),
      piece("a", 4),
      accepted("a", 5),
      retained("a", 30, 0.5),
      retained("a", 15, 0),
    ];
    expect(recordsOf(events)).toEqual([
      {
        ts: 1,
        lang: "go",
        client: "editor",
        end: "produced",
        reason: null,
        source: "model",
        ms: 90,
        shown: {
          chars: 20,
          source: "model",
          end: "accepted",
          why: null,
          visibleMs: 900,
          acceptedChars: 20,
          looks: [
            { afterSec: 15, charDiff: 0, present: true },
            { afterSec: 30, charDiff: 0.5, present: true },
          ],
        },
      },
    ]);
  });

  test("have the reason of what was not shown, and leave open what has no end", () => {
    const events: readonly TelemetryEvent[] = [
      asked("a", 1),
      { ...base("a", "result", 2), type: "filtered", reason: "duplicate", ms: 3, judged },
      asked("b", 3),
      { ...base("b", "result", 4), type: "error", code: "BACKEND_TIMEOUT" },
      asked("c", 5),
      shown("d", 6),
    ];
    expect(
      recordsOf(events).map(({ end, reason, ms, shown: on }) => [end, reason, ms, on?.end]),
    ).toEqual([
      ["filtered", "duplicate", 3, undefined],
      ["error", "BACKEND_TIMEOUT", null, undefined],
      ["open", null, null, undefined],
      ["open", null, null, "open"],
    ]);
  });
});

describe("labels", () => {
  test("are 1 for what was taken, as far as it was kept, and 0 for what was seen and left", () => {
    const events = [
      shown("a", 1),
      accepted("a", 2),
      retained("a", 15, 0.25),
      shown("b", 3),
      ignored("b", 4, 750),
      shown("c", 5),
      piece("c", 6),
      ignored("c", 7, 600),
    ];
    expect(labelsOf(events)).toEqual([
      { chance: 0.4, features, isTaken: true, weight: 0.75 },
      { chance: 0.4, features, isTaken: false, weight: 1 },
      { chance: 0.4, features, isTaken: true, weight: 1 },
    ]);
  });

  test("are not made of a glance, of what is still on screen, and of a text without a chance", () => {
    const events = [
      shown("a", 1),
      ignored("a", 2, 749),
      shown("b", 3),
      shown("c", 4, null),
      accepted("c", 5),
    ];
    expect(labelsOf(events)).toEqual([]);
  });
});
