import { expect, test } from "vitest";
import { noAdaptation, retentionSeconds } from "../core/index.ts";
import { toStatsReply } from "../server/stats-reply.ts";
import type { CompletionRecord } from "../stats/completion-record.ts";
import { usageReport } from "../stats/usage.ts";
import { adaptationLines } from "./adapt.ts";
import { statsLines } from "./stats.ts";

const about = { days: 30, isEnabled: true, isAdapting: true, adaptation: noAdaptation };

function record(ts: number, changes: Partial<CompletionRecord>): CompletionRecord {
  const usual = { lang: "go", client: "lsp", end: "produced", reason: null, ms: 4 } as const;
  return { ts, ...usual, source: "local", shown: null, ...changes };
}

const minute = 60_000;
const records: readonly CompletionRecord[] = [
  record(0, {
    shown: {
      chars: 24,
      source: "local",
      end: "accepted",
      why: null,
      visibleMs: 900,
      acceptedChars: 24,
      looks: [{ afterSec: 15, charDiff: 0.25, present: true }],
    },
  }),
  record(3 * minute, {
    shown: {
      chars: 24,
      source: "local",
      end: "ignored",
      why: "typed-over",
      visibleMs: 900,
      acceptedChars: 0,
      looks: [],
    },
  }),
  record(6 * minute, { end: "none", reason: "policy", source: null }),
];

test("The figures stand in columns, acceptance beside what keeps it honest.", () => {
  const lines = statsLines(
    toStatsReply(
      usageReport(records, { dayOf: () => "day", lookSeconds: retentionSeconds }),
      about,
    ),
  );
  expect(lines.join("\n")).toBe(`Last 30 days: 6 min at work, 3 requests, 2 texts shown.

acceptance rate                 50 %  1 whole and 0 in part of 2 seen for 0.75 s or taken
  by characters                 50 %
refused                          0 %  0 by hand
ignored                            1  typed-over 1
shown per hour                  20.0
accepted characters per hour   240.0
retained characters per hour   180.0  still there at the last look
mean accepted length            24.0  characters
requests per shown text          1.5
time to an answer, p50        4.0 ms
time to an answer, p95        4.0 ms

retention per edit  edits  present  retained
  after 15 s            1    100 %      75 %
  after 30 s            0        –         –
  after 120 s           0        –         –
  after 300 s           0        –         –
  after 600 s           0        –         –

language  requests  shown  accepted  retained/h  length     p50
go               3      2      50 %       180.0    24.0  4.0 ms

source  requests  shown  accepted  retained/h  length     p50
local          2      2      50 %       360.0    24.0  4.0 ms

The show rule is the same for everybody so far: 0 of the 50 decisions that it needs.`);
});

test("Without figures it says what to do.", () => {
  const empty = usageReport([], { dayOf: () => "", lookSeconds: retentionSeconds });
  expect(statsLines(toStatsReply(empty, about))).toEqual([
    "Nothing was asked in the last 30 days. Complete something in an editor or in the playground (midspan serve), and look again.",
  ]);
  expect(statsLines(toStatsReply(empty, { ...about, isEnabled: false }))).toEqual([
    "Nothing is noted: the setting events.enabled is off.",
  ]);
});

test("What was learned is said with its weights and how to forget it.", () => {
  const adaptation = { ...noAdaptation, labels: 200, bias: -0.5, slope: 0.9 };
  const lines = adaptationLines(
    toStatsReply(usageReport([], { dayOf: () => "", lookSeconds: retentionSeconds }), {
      ...about,
      adaptation,
    }).adaptation,
  );
  expect(lines[0]).toBe("The show rule learned from 200 decisions of yours; they count for 50 %.");
  expect(lines).toContain("  always                            -0.50");
  expect(lines).toContain("  per log odds of the given chance  -0.10");
  expect(lines.at(-1)).toBe("midspan adapt --reset forgets it.");
});

test("There is no table of sources before anything was shown.", () => {
  const silent = [record(0, { end: "none", reason: "empty", source: null })];
  const report = usageReport(silent, { dayOf: () => "day", lookSeconds: retentionSeconds });
  const lines = statsLines(toStatsReply(report, about));
  expect(lines.filter((line) => /^(language|source) /.test(line)).length).toBe(1);
});
