import type { Log, LogFields } from "../core/index.ts";

/** From the most to the least talkative; `off` writes nothing. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "off";

const order: readonly LogLevel[] = ["debug", "info", "warn", "error", "off"];

/**
 * A log of JSON lines: `{"time":…,"level":"warn","message":…,"requestId":…}`. Lines under `level` are
 * dropped. `fields` stand in every line, such as a request id; those of a call win over them.
 * What is not given goes to stderr, since stdout belongs to protocols.
 */
export function createLog(options: {
  readonly level: LogLevel;
  readonly fields?: LogFields;
  readonly write?: (line: string) => void;
}): Log {
  const write = options.write ?? writeToStderr;
  const at =
    (level: LogLevel) =>
    (message: string, fields?: LogFields): void => {
      if (order.indexOf(level) < order.indexOf(options.level)) return;
      const time = new Date().toISOString();
      write(`${JSON.stringify({ ...options.fields, ...fields, time, level, message })}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function writeToStderr(line: string): void {
  // Whoever reads our stderr may go away before we do; a log line is not worth a crash.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => {});
  process.stderr.write(line);
}
