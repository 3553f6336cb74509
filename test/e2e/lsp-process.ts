/** The built language server on a port, and what it noted about suggestions. */
import { type ChildProcess, spawn } from "node:child_process";
import { cleanEnvironment, program, temporaryFolder } from "../integration/product.ts";
import { keepProcess } from "../kept-process.ts";
import { type NotedEvent, readEvents } from "./journal.ts";

export interface LspProcess {
  readonly port: number;
  /** Kills it at once, as a crash would. */
  readonly kill: () => Promise<void>;
  /** Ends it in order. */
  readonly stop: () => Promise<void>;
  /** Every event so far that is on disk, in order. */
  readonly events: () => readonly NotedEvent[];
  readonly dispose: () => void;
}

/** Starts `midspan lsp --socket 0` with these arguments and waits until it listens. */
export async function startLsp(args: readonly string[], port: number = 0): Promise<LspProcess> {
  const home = temporaryFolder("lsp-home");
  // Another build than dist/ can be tried by naming its main.js.
  const main = process.env.MIDSPAN_TEST_PROGRAM ?? program;
  const child = spawn(process.execPath, [main, "lsp", "--socket", String(port), ...args], {
    env: cleanEnvironment(home.path),
    stdio: ["ignore", "pipe", "inherit"],
  });
  keepProcess(child);
  const listening = await firstLine(child);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = (signal: NodeJS.Signals) => async (): Promise<void> => {
    child.kill(signal);
    await gone;
  };
  return {
    port: Number(listening.slice(listening.lastIndexOf(":") + 1)),
    kill: end("SIGKILL"),
    stop: end("SIGTERM"),
    events: () => readEvents(home.path),
    dispose: home.dispose,
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`midspan lsp ended with ${code}`)));
  });
}
