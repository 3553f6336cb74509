/**
 * A small process between Midspan and a server that it started: it ends the server when Midspan ends,
 * also when that happened without a farewell, since the channel between the two closes by itself then.
 * It starts from the built file and leads a process group of its own, so that Ctrl+C at a terminal
 * reaches Midspan alone.
 */
import { type ChildProcess, spawn } from "node:child_process";

/** What the keeper is told: first what to start, later perhaps `stop`. */
export type KeeperMessage = KeeperOrder | "stop";

/** What to start. */
export interface KeeperOrder {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** What it says: `started` or `failed`, then after a start `ended`. */
export type KeeperReport =
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "failed"; readonly code: string }
  | { readonly kind: "ended"; readonly exitCode: number | null; readonly signal: string | null };

/** After this time a server that does not end by itself is ended. */
const FAREWELL_MS = 3_000;

let server: ChildProcess | null = null;

process.on("message", (message: KeeperMessage) => {
  if (message === "stop") stop();
  else start(message);
});
process.once("disconnect", stop);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
// The reader of our words may be gone.
process.stderr.on("error", () => {});

function start(order: KeeperOrder): void {
  // Its words go to our stderr, which Midspan reads; stdout belongs to nobody.
  server = spawn(order.command, [...order.arguments], {
    stdio: ["ignore", 2, 2],
    env: order.environment,
    windowsHide: true,
  });
  server.once("spawn", () => say({ kind: "started", pid: server?.pid ?? 0 }));
  server.once("error", (error) => {
    say({ kind: "failed", code: "code" in error ? String(error.code) : error.message });
    leave();
  });
  server.once("exit", (exitCode, signal) => {
    say({ kind: "ended", exitCode, signal });
    leave();
  });
}

function stop(): void {
  if (server === null || server.exitCode !== null || server.signalCode !== null) process.exit(0);
  server.kill("SIGTERM");
  setTimeout(() => server?.kill("SIGKILL"), FAREWELL_MS).unref();
}

function say(report: KeeperReport): void {
  if (process.connected) process.send?.(report);
}

/** Ends once the last report has gone out. */
function leave(): void {
  if (process.connected) process.disconnect();
  process.exitCode = 0;
}
