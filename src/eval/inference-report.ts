/** The goals of `midspan bench inference`, and its tables. */

import type { BootstrapInterval } from "../stats/paired-bootstrap.ts";
import {
  type BenchCheck,
  formatChecks,
  formatNumber,
  formatTable,
  percent,
} from "./bench-report.ts";
import type { AbortReport } from "./inference-abort.ts";
import { type CrowdSpeed, type LoadReport, type WaySpeed, wayNames } from "./inference-load.ts";
import type { HealingQuality, WayQuality } from "./inference-quality.ts";
import type { ReplayCounts } from "./inference-replay.ts";
import { type Machine, machineLine } from "./machine.ts";
import type { WindowQuality } from "./window-answers.ts";

/** Parts that did not run are empty or `null`. */
export interface InferenceBenchReport {
  readonly machine: Machine;
  readonly replays: readonly ReplayCounts[];
  readonly load: LoadReport | null;
  readonly abort: AbortReport | null;
  readonly quality: readonly WayQuality[];
  readonly healing: readonly HealingQuality[];
  readonly windows: readonly WindowQuality[];
  /** Answers to holes of several lines that are kept for `midspan eval filters`. */
  readonly blocks: number | null;
  readonly checks: readonly BenchCheck[];
}

/** Figures against goals; parts that did not run have none. */
export function inferenceChecks(
  report: Omit<InferenceBenchReport, "checks">,
): readonly BenchCheck[] {
  return [...replayChecks(report.replays), ...speedChecks(report), ...qualityChecks(report)];
}

function replayChecks(replays: readonly ReplayCounts[]): readonly BenchCheck[] {
  const ours = replays.filter(({ name }) => name.startsWith("ours, "));
  return [
    ...ours.flatMap(({ name, newTokens }) => [
      atMost(`${name}: new prompt tokens per request, median`, newTokens.median, 8, ""),
      atMost(`${name}: new prompt tokens per request, p95`, newTokens.p95, 64, ""),
    ]),
    ...replays.flatMap(({ name, newTokens }) =>
      name.endsWith("read ahead")
        ? [atMost(`${name}: new prompt tokens, median`, newTokens.median, 8, "")]
        : [],
    ),
    ...replays.flatMap(({ name, beyondSuffix }) =>
      name.includes("anchored") && beyondSuffix !== null
        ? [atMost(`${name}: new prompt tokens beyond the suffix, median`, beyondSuffix, 8, "")]
        : [],
    ),
    ...replays.flatMap(({ name, askedKeys, keys }) =>
      name.includes("local model") && askedKeys !== null
        ? [
            atMost(
              "key presses that reached the language model",
              percentOf(askedKeys / keys),
              15,
              " %",
            ),
          ]
        : [],
    ),
  ];
}

function speedChecks({
  load,
  abort,
}: Pick<InferenceBenchReport, "load" | "abort">): readonly BenchCheck[] {
  const checks: BenchCheck[] = [];
  if (load !== null) {
    checks.push(
      atMost(
        `added to the first token, ${load.crowd.editors} editors, median of pairs`,
        load.crowd.added.gateway.firstTokenMs.p50,
        2,
        " ms",
      ),
    );
  }
  if (abort !== null) {
    const { decodingIdleMs, batchesAfter, tokensAfterFinal } = abort;
    checks.push(
      atMost("slot idle after the caller left, while it writes", decodingIdleMs.p50, 100, " ms"),
      atMost("batches of the prompt read after the caller left, median", batchesAfter.p50, 1, ""),
      atMost("tokens generated after the text was final", tokensAfterFinal.max, 2, ""),
    );
  }
  return checks;
}

function qualityChecks({
  quality,
  healing,
}: Pick<InferenceBenchReport, "quality" | "healing">): readonly BenchCheck[] {
  const all = quality.find(({ name }) => name === "all");
  const checks: BenchCheck[] = [];
  if (all !== undefined) {
    const { plain, ours, local, cascade, calibrationError } = all;
    const half = Math.max(ours, local);
    checks.push(
      atLeast("our pipeline above the plain call", percentOf(ours - plain), 5, " points"),
      atLeast("cascade above the better half", percentOf(cascade - half), 0, " points"),
      atLeast("cascade above the plain call", percentOf(cascade - plain), 15, " points"),
      atMost("calibration error of the model's chances", calibrationError, 0.05, ""),
    );
  }
  for (const { name, brokenHealed, healed, unhealed } of healing) {
    checks.push(
      atMost(`healed, ${name}: starts with a broken word`, percentOf(brokenHealed), 0, " %"),
      atLeast(`healed less unhealed, ${name}`, percentOf(healed - unhealed), -1, " points"),
    );
  }
  return checks;
}

/** Tables for a person; they are Markdown as well. */
export function formatInferenceBench(report: InferenceBenchReport): string {
  const { machine, replays, load, abort, quality, healing, windows, blocks, checks } = report;
  const parts = [machineLine(machine)];
  if (replays.length > 0)
    parts.push(replayTable(replays), ratioTable(replays), outcomeTable(replays));
  if (load !== null) {
    parts.push(...crowdParts(load.alone, null), ...crowdParts(load.crowd, load));
  }
  if (abort !== null) {
    const { tries, decodingIdleMs, prefillIdleMs, batchMs, batchesAfter } = abort;
    const { tokensAfterFinal, wastedShare } = abort;
    parts.push(
      `After the caller left, ${tries} times each.`,
      formatTable(
        ["", "p50", "max"],
        [
          ["slot idle while it writes, ms", ...pair(decodingIdleMs)],
          ["slot idle while it reads, ms", ...pair(prefillIdleMs)],
          ["one batch of the prompt, ms", formatNumber(batchMs), ""],
          ["batches read after the caller left", ...pair(batchesAfter)],
          ["tokens after the text was final", ...pair(tokensAfterFinal)],
          ["wasted of generated tokens, %", percent(wastedShare), ""],
        ],
      ),
    );
  }
  if (quality.length > 0) {
    parts.push(
      "Exact match of the rest of the line, percent.",
      formatTable(
        [
          "package",
          "cursors",
          "plain call",
          "our pipeline",
          "local alone",
          "cascade",
          "asked",
          "ECE",
          "by luck",
        ],
        quality.map((one) => [
          one.name,
          String(one.cursors),
          ...[one.plain, one.ours, one.local, one.cascade, one.asked].map(percent),
          one.calibrationError.toFixed(3),
          one.calibrationByLuck.toFixed(3),
        ]),
      ),
      "Gain over the plain call, points, with the 95 % interval.",
      formatTable(
        ["package", "our pipeline", "local alone", "cascade"],
        quality.map(({ name, gains }) => [
          name,
          ...[gains.ours, gains.local, gains.cascade].map(gainText),
        ]),
      ),
      formatTable(
        ["cursors", "number", "unhealed", "healed", "broken unhealed", "broken healed"],
        healing.map((one) => [
          one.name,
          String(one.cursors),
          ...[one.unhealed, one.healed, one.brokenUnhealed, one.brokenHealed].map(percent),
        ]),
      ),
    );
  }
  if (windows.length > 0) parts.push(windowTable(windows));
  if (blocks !== null) parts.push(`${blocks} holes of several lines were asked.`);
  parts.push(formatChecks(checks));
  return parts.join("\n\n");
}

const wayWords = {
  gateway: "through Midspan",
  relay: "through a bare relay",
  straight: "straight to the server",
} as const;

/** `load` has the requests per second of this crowd, if anything has. */
function crowdParts(crowd: CrowdSpeed, load: LoadReport | null): readonly string[] {
  const { editors, requests, ways, added, cpuMs, differing } = crowd;
  const cells = ({ firstTokenMs, textMs }: WaySpeed): readonly string[] =>
    [firstTokenMs.p50, firstTokenMs.p95, textMs.p50, textMs.p95].map(formatNumber);
  const rates = load === null ? [] : ["requests/s"];
  const rate = (text: string): readonly string[] => (load === null ? [] : [text]);
  const rows = [
    ...wayNames.map((way) => [
      wayWords[way],
      ...cells(ways[way]),
      ...rate(formatNumber(load?.requestsPerSecond[way] ?? 0)),
    ]),
    ["added by Midspan, pairs", ...cells(added.gateway), ...rate("")],
    ["added by a bare relay, pairs", ...cells(added.relay), ...rate("")],
  ];
  const times = [
    ["Midspan", cpuMs.gateway],
    ["the relay", cpuMs.relay],
    ["the model server", cpuMs.server],
    ["the callers", cpuMs.callers],
  ].flatMap(([who, ms]) => (typeof ms === "number" ? [`${who} ${formatNumber(ms)} ms`] : []));
  const crowdWords = editors === 1 ? "One editor after the other" : `${editors} editors at once`;
  return [
    `${crowdWords}, ${requests} requests each way; ${differing} with different prompts. ` +
      `Processor time for each request: ${times.join(", ") || "not known"}.`,
    formatTable(
      ["", "first token p50 ms", "p95 ms", "whole text p50 ms", "p95 ms", ...rates],
      rows,
    ),
  ];
}

function gainText({ difference, low, high }: BootstrapInterval): string {
  return `${percent(difference)} (${percent(low)} to ${percent(high)})`;
}

function windowTable(windows: readonly WindowQuality[]): string {
  return formatTable(
    [
      "package",
      "cursors",
      "windows differ",
      "lines differ",
      "exact %, anchored",
      "sliding",
      "gain of sliding, points (95 %)",
      "similarity %, anchored",
      "sliding",
      "gain of sliding, points (95 %)",
    ],
    windows.map((one) => [
      ...[one.name, String(one.cursors), String(one.differing), String(one.changed)],
      ...[percent(one.anchored.exactMatch), percent(one.sliding.exactMatch)],
      gainText(one.matchGain),
      ...[percent(one.anchored.similarity), percent(one.sliding.similarity)],
      gainText(one.similarityGain),
    ]),
  );
}

function replayTable(replays: readonly ReplayCounts[]): string {
  const head = [
    "way",
    "keys",
    "requests",
    "new prompt tokens per request, median",
    "p95",
    "mean",
    "cached %",
    "prompt tokens per key",
    "generated per key",
    "left early",
    "wasted %",
  ];
  return formatTable(
    head,
    replays.map((one) => [
      one.name,
      String(one.keys),
      String(one.requests),
      formatNumber(one.newTokens.median),
      formatNumber(one.newTokens.p95),
      formatNumber(one.newTokens.mean),
      percent(one.cachedShare),
      formatNumber(one.promptTokensPerKey),
      formatNumber(one.generatedTokensPerKey),
      String(one.leftEarly),
      percent(one.wastedShare),
    ]),
  );
}

/** How many times more the other ways evaluate for each key than ours. */
function ratioTable(replays: readonly ReplayCounts[]): string {
  const ours = replays.find(({ name }) => name.includes("peers")) ?? replays[0];
  if (ours === undefined) return "";
  const others = replays.filter(({ name }) => !name.startsWith("ours"));
  return formatTable(
    [`against ${ours.name}`, "prompt tokens per key, times"],
    others.map((one) => [one.name, formatNumber(one.promptTokensPerKey / ours.promptTokensPerKey)]),
  );
}

function outcomeTable(replays: readonly ReplayCounts[]): string {
  const reused = replays.filter(({ name }) => name.includes("reuse"));
  const asked = ({ askedKeys }: ReplayCounts): string => String(askedKeys ?? "");
  const names = [...new Set(reused.flatMap(({ outcomes }) => Object.keys(outcomes)))].sort();
  return formatTable(
    ["keys by outcome", "asked the model", ...names],
    reused.map((one) => [
      one.name,
      asked(one),
      ...names.map((name) => String(one.outcomes[name] ?? 0)),
    ]),
  );
}

function pair({ p50, max }: { readonly p50: number; readonly max: number }): readonly string[] {
  return [formatNumber(p50), formatNumber(max)];
}

function percentOf(share: number): number {
  return share * 100;
}

function atMost(name: string, value: number, goal: number, unit: string): BenchCheck {
  return { name, value, goal: { kind: "at-most", value: goal }, unit };
}

function atLeast(name: string, value: number, goal: number, unit: string): BenchCheck {
  return { name, value, goal: { kind: "at-least", value: goal }, unit };
}
