/** A server process that ends when we do. */
import { type ChildProcess, fork } from "node:child_process";
import type { KeeperMessage, KeeperOrder, KeeperReport } from "./process-keeper.ts";

export interface KeptProcessOptions extends KeeperOrder {
  /** The built `process-keeper`. */
  readonly keeperFile: URL | string;
}

/** Enough for the errors at the end. */
const LOG_LENGTH = 8_000;

export class KeptProcess {
  /** Resolves when it is over, with how it ended, as words after its name: `ended with code 1`. */
  readonly ended: Promise<string>;
  readonly #keeper: ChildProcess;
  #pid: number | null = null;
  #log = "";

  /** Starts it. A program that cannot be started ends at once. */
  constructor(options: KeptProcessOptions) {
    const { keeperFile, ...order } = options;
    this.#keeper = fork(keeperFile, [], {
      execArgv: [],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      detached: process.platform !== "win32",
    });
    this.#keeper.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#log = (this.#log + text).slice(-LOG_LENGTH);
    });
    this.ended = this.#follow();
    this.#keeper.send(order satisfies KeeperMessage);
  }

  /** Of the server; `null` before it started. */
  get pid(): number | null {
    return this.#pid;
  }

  /** The last that it wrote. */
  get log(): string {
    return this.#log;
  }

  /** Ends it: politely, and after three seconds not so. Resolves when it is over. */
  async stop(): Promise<void> {
    // To disconnect would do, but Node never says `close` then.
    if (this.#keeper.connected) this.#keeper.send("stop" satisfies KeeperMessage);
    await this.ended;
  }

  #follow(): Promise<string> {
    let how = "was ended together with its keeper";
    this.#keeper.on("message", (report: KeeperReport) => {
      switch (report.kind) {
        case "started":
          this.#pid = report.pid;
          break;
        case "failed":
          how = report.code === "ENOENT" ? "does not exist" : `cannot be started (${report.code})`;
          break;
        case "ended":
          this.#pid = null;
          how =
            report.signal === null
              ? `ended with code ${report.exitCode}`
              : `was ended by ${report.signal}`;
          break;
      }
    });
    return new Promise((resolve) => {
      this.#keeper.once("exit", () => {
        // Whoever ended the keeper left the server behind.
        if (this.#pid !== null) kill(this.#pid);
        this.#pid = null;
      });
      // After the last words were read.
      this.#keeper.once("close", () => resolve(how));
      this.#keeper.once("error", (error) => {
        how = `cannot be started (${error.message})`;
        resolve(how);
      });
    });
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}
