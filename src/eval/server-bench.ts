/**
 * `midspan bench server`: CPU time that `POST /v1/autocomplete` adds to a request, with a backend
 * that answers at once: the server's CPU time less that of a bare `node:http` server for the same
 * requests. CPU time, not waiting time, decides how many developers one core carries.
 */
import { Agent, request } from "node:http";
import type { BenchReporter } from "./bench-report.ts";
import type { BenchTarget } from "./bench-target.ts";
import { cpuMs, describeMachine, type Machine, machineLine } from "./machine.ts";
import { numberColumn, type Report, type ReportCheck } from "./report/report.ts";

export interface ServerBenchOptions {
  /** Requests per round; the figure is the least of all rounds. */
  readonly requests: number;
  readonly rounds: number;
  /** Requests in flight at a time. */
  readonly connections: number;
  /** Starts the server under test, with the instant backend and the local model off. */
  readonly startServer: () => Promise<BenchTarget>;
  /** Starts the bare server. */
  readonly startBare: () => Promise<BenchTarget>;
  readonly reporter: BenchReporter;
}

/** CPU microseconds per request with so many characters of code. */
export interface ServerCost {
  readonly units: number;
  readonly serverUs: number;
  readonly bareUs: number;
  readonly addedUs: number;
}

export interface ServerBenchReport {
  readonly machine: Machine;
  readonly requests: number;
  readonly costs: readonly ServerCost[];
  readonly checks: readonly ReportCheck[];
  /** CPU time of the sender. */
  readonly cpuMs: number;
}

/** The usual sizes of `midspan bench server`. */
export const defaultServerLoad = { requests: 2_000, rounds: 5, connections: 8 } as const;

/** Characters of code in a request: a small file, and what a prompt can hold; four fifths before the cursor. */
const SIZES = [1_250, 5_000] as const;
const GOAL_US = 250;

/** Measures both servers in turn. A reply other than 200 with a text fails the run. */
export async function runServerBench(options: ServerBenchOptions): Promise<ServerBenchReport> {
  const machine = describeMachine();
  const cpuBefore = cpuMs();
  const costs: ServerCost[] = [];
  for (const units of SIZES) {
    const load = { ...options, units };
    const serverUs = await cpuPerRequest(options.startServer, "server", load);
    const bareUs = await cpuPerRequest(options.startBare, "bare server", load);
    costs.push({ units, serverUs, bareUs, addedUs: serverUs - bareUs });
  }
  const checks = costs.map(
    ({ units, addedUs }): ReportCheck => ({
      name: `CPU added per POST /v1/autocomplete, ${units} characters`,
      value: addedUs,
      goal: { kind: "at-most", value: GOAL_US },
      unit: "µs",
      noise: 0,
    }),
  );
  const { requests } = options;
  return { machine, requests, costs, checks, cpuMs: cpuMs(cpuBefore) };
}

/** For a person. */
export function serverReport({ machine, requests, costs, checks }: ServerBenchReport): Report {
  const table = {
    kind: "table",
    caption: `${requests} requests, no two alike; processor time of each.`,
    columns: [
      numberColumn("characters", "count"),
      numberColumn("midspan serve", "µs"),
      numberColumn("bare node:http", "µs"),
      numberColumn("added", "µs"),
    ],
    rows: costs.map(({ units, serverUs, bareUs, addedUs }) => [units, serverUs, bareUs, addedUs]),
  } as const;
  return {
    title: "What the server costs a request",
    lead: "",
    stamps: [{ name: "Machine", value: machineLine(machine) }],
    sections: [{ title: "", blocks: [table] }],
    checks,
  };
}

async function cpuPerRequest(
  start: () => Promise<BenchTarget>,
  label: string,
  options: ServerBenchOptions & { readonly units: number },
): Promise<number> {
  const { requests, rounds, connections, units, reporter } = options;
  const target = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    let least = Number.POSITIVE_INFINITY;
    // Round 0 warms the compiler up.
    for (let round = 0; round <= rounds; round++) {
      reporter.progress({ label, done: round, total: rounds });
      const before = await target.cpuMs();
      await sendAll(target.url, agent, { requests, connections, units, round });
      const used = ((await target.cpuMs()) - before) * 1_000;
      if (round > 0) least = Math.min(least, used / requests);
    }
    return least;
  } finally {
    agent.destroy();
    await target.stop();
  }
}

async function sendAll(
  url: string,
  agent: Agent,
  options: {
    readonly requests: number;
    readonly connections: number;
    readonly units: number;
    readonly round: number;
  },
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < options.requests) {
      const name = `value${options.round}x${next++}`;
      await post(`${url}/v1/autocomplete`, agent, requestBody(name, options.units));
    }
  };
  await Promise.all(Array.from({ length: options.connections }, worker));
}

/** No two alike, so that no cache answers; the same for both servers. */
function requestBody(name: string, units: number): string {
  const line =
    "export function total(items) { return items.reduce((sum, item) => sum + item, 0); }\n";
  const prefixUnits = Math.round(0.8 * units);
  const suffixUnits = units - prefixUnits;
  const above = line.repeat(Math.ceil(prefixUnits / line.length)).slice(-prefixUnits);
  const prefix = `${above}\nconst ${name} = `;
  const suffix = `\n${line.repeat(Math.ceil(suffixUnits / line.length)).slice(0, suffixUnits)}`;
  return JSON.stringify({ prefix, suffix, language: "javascript", trigger: "invoked" });
}

function post(url: string, agent: Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200 && !text.includes('"completion":""')) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
