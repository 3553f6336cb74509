import type { Log, LogFields } from "../core/index.ts";
import type { HealthReply } from "../protocol/workspace.ts";
import { createServer, type Server } from "../server/app.ts";
import { Metrics } from "../server/metrics.ts";
import { defaultServerLimits, type ServerOptions } from "../server/ports.ts";
import { ScriptedEngine } from "./scripted-engine.ts";

/** One line of a log that tests look at. */
interface LogLine {
  readonly level: keyof Log;
  readonly message: string;
  readonly fields: LogFields;
}

/** A server on a free port of 127.0.0.1 with a scripted engine behind it. */
export interface Served {
  readonly server: Server;
  readonly port: number;
  readonly engine: ScriptedEngine;
  readonly metrics: Metrics;
  readonly lines: readonly LogLine[];
}

/** Starts one; close `server` when done. `changes` replaces parts, `limits` single bounds. */
export async function startServed(
  changes: Partial<Omit<ServerOptions, "limits" | "engine" | "log">> & {
    readonly limits?: Partial<ServerOptions["limits"]>;
    readonly host?: string;
  } = {},
): Promise<Served> {
  const { limits, host = "127.0.0.1", ...rest } = changes;
  const engine = new ScriptedEngine();
  const metrics = changes.metrics ?? new Metrics();
  const lines: LogLine[] = [];
  const server = createServer({
    health: () => health,
    models: async () => ({ object: "list", data: [] }),
    workspace: null,
    pageFolder: null,
    token: null,
    ...rest,
    engine,
    metrics,
    log: memoryLog(lines),
    limits: { ...defaultServerLimits, ...limits },
  });
  const { port } = await server.listen({ host, port: 0, tryNext: false });
  return { server, port, engine, metrics, lines };
}

/** What the health snapshot of a served test says. */
export const health: HealthReply = {
  name: "midspan",
  version: "0.0.0",
  status: "ok",
  problems: [],
  offline: false,
  workspace: null,
  local: { enabled: true, state: "ready", files: 1, files_total: 1, tokens: 10, skipped: 0 },
  backend: null,
  threshold: 0.25,
};

function memoryLog(lines: LogLine[]): Log {
  const at =
    (level: keyof Log) =>
    (message: string, fields: LogFields = {}): void =>
      void lines.push({ level, message, fields });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
