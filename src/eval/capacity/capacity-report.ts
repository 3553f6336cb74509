/** What `midspan bench capacity` found, with the curve that it followed. */
import { type Machine, machineLine } from "../machine.ts";
import { exactly, numberColumn, paragraph, type Report, textColumn } from "../report/report.ts";
import type { CapacityResult } from "./capacity-bench.ts";
import { requestRate, type TypingModel } from "./developer-schedule.ts";
import { isCarried } from "./find-capacity.ts";

/** A server and what it carries, or why it was not measured. */
export type ServerCapacityResult =
  | { readonly kind: "missing"; readonly name: string; readonly reason: string }
  | {
      readonly kind: "measured";
      readonly name: string;
      readonly model: string;
      readonly backend: string;
      readonly result: CapacityResult;
    };

/** The report. */
export function capacityReport(
  servers: readonly ServerCapacityResult[],
  about: {
    readonly machine: Machine;
    readonly typing: TypingModel;
    readonly limitMs: number;
    readonly seed: number;
    readonly version: string;
  },
): Report {
  const { typing, limitMs, machine } = about;
  const measured = servers.filter((server) => server.kind === "measured");
  const missing = servers.filter((server) => server.kind === "missing");
  return {
    title: "Developers per server",
    lead: measured
      .map(({ name, result }) =>
        result.tooMany === null
          ? `${name} carries ${result.developers} developers or more.`
          : `${name} carries ${result.developers} developers.`,
      )
      .join(" "),
    stamps: [
      { name: "Midspan", value: about.version },
      { name: "Machine", value: machineLine(machine) },
      {
        name: "Developers",
        value: `${typing.requestsPerDay} requests in ${typing.hoursPerDay} hours, peak ${typing.peakFactor} times that: ${requestRate(typing)} a second each; in bursts of ${typing.burstRequests}, ${typing.gapMs} ms apart`,
      },
      { name: "Limit", value: `p95 of the time to the first token at most ${limitMs} ms` },
      { name: "Seed", value: String(about.seed) },
      ...measured.map(({ name, model, backend, result }) => ({
        name,
        value: `${model} by ${backend}; ${result.inputTokens.toFixed(0)} tokens in, ${(result.cachedShare * 100).toFixed(0)} % of them cached, ${result.outputTokens.toFixed(0)} out`,
      })),
    ],
    sections: [
      {
        title: "",
        blocks: [
          {
            kind: "line",
            title: "Time to the first token by the number of developers",
            x: { title: "developers", unit: "count", scale: "log" },
            y: { title: "TTFT p95", unit: "ms", scale: "log" },
            guide: { kind: "limit", name: `limit ${limitMs} ms`, y: limitMs },
            series: measured.map(({ name, result }) => ({
              name,
              points: [...result.steps]
                .filter(({ firstTokenMs }) => firstTokenMs.p95 > 0)
                .sort((a, b) => a.developers - b.developers)
                .map(({ developers, firstTokenMs }) => ({
                  x: developers,
                  y: exactly(firstTokenMs.p95),
                })),
            })),
          },
          {
            kind: "table",
            caption: "In the order in which it was measured.",
            columns: [
              textColumn("server"),
              numberColumn("developers", "count"),
              textColumn("within"),
              numberColumn("offered", "requests/s"),
              numberColumn("requests", "count"),
              numberColumn("TTFT p50", "ms"),
              numberColumn("TTFT p95", "ms"),
              numberColumn("typed on", "count"),
              numberColumn("failed", "count"),
              numberColumn("generated", "tokens/s"),
              numberColumn("memory", "MB"),
            ],
            rows: measured.flatMap(({ name, result }) =>
              result.steps.map((step) => [
                name,
                step.developers,
                isCarried(step, limitMs) ? "yes" : "no",
                step.requestsPerSecond,
                step.requests,
                figure(step.firstTokenMs.p50),
                figure(step.firstTokenMs.p95),
                step.superseded,
                step.failed,
                figure(step.tokensPerSecond),
                step.memoryBytes === null ? null : step.memoryBytes / 1e6,
              ]),
            ),
          },
          ...missing.map(({ name, reason }) => paragraph(`${name} was not run: ${reason}.`)),
          paragraph(
            "A request that its developer gives up within the limit counts as typed on and in no percentile; one that is given up later counts with the time it waited.",
          ),
          ...measured
            .filter(({ result }) => result.developers > 0)
            .map(({ name, result }) =>
              paragraph(
                `For the cost of ${name}: midspan cost --developers-per-server ${result.developers}`,
              ),
            ),
        ],
      },
    ],
    checks: [],
  };
}

function figure(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
