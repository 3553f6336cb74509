/** The child process with the model, as seen from the program: starts it, talks to it, sees it die. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CompletionError, type Log } from "../../core/index.ts";
import {
  type EngineCall,
  type EngineFacts,
  type EngineReply,
  type OpenMessage,
  readReply,
} from "./messages.ts";

/** A child process whose model is loaded. */
export interface EngineProcess {
  readonly facts: EngineFacts;
  readonly processId: number;
  send(call: EngineCall): void;
  /** Ends it at once, whatever it does; `onExit` is called. */
  kill(): void;
}

export interface EngineProcessOptions {
  /** The built `child.js`. */
  readonly childFile: URL;
  readonly open: OpenMessage;
  readonly onReply: (reply: EngineReply) => void;
  /** Called once when a process that was opened is gone; `how` says what ended it. */
  readonly onExit: (how: string) => void;
  readonly log: Log;
  /** Gives up opening, and ends the process. */
  readonly signal: AbortSignal;
}

/** What native code prints before it dies, at the end. */
const MAX_SAID = 2_000;

/** Starts a process and resolves when its model is loaded. Rejects with `MODEL_SERVER_FAILED`. */
export async function startEngineProcess(options: EngineProcessOptions): Promise<EngineProcess> {
  const { log, signal } = options;
  signal.throwIfAborted();
  const child = forkChild(options.childFile);
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-MAX_SAID);
  });
  const kill = (): void => void child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  let opened: EngineProcess | null = null;
  return new Promise((resolve, reject) => {
    child.on("message", (value) => {
      const reply = checked(value, log);
      if (reply === null) {
        kill();
      } else if (reply.kind === "log") {
        log.warn("the embedded engine says", { said: reply.message });
      } else if (reply.kind === "opened") {
        // The child may be gone when something is sent to it; `onExit` tells.
        const send = (call: EngineCall): void => void child.send(call, () => {});
        opened = { facts: reply.facts, processId: child.pid ?? 0, send, kill };
        resolve(opened);
      } else if (reply.kind === "unusable") {
        reject(new CompletionError(reply.code, reply.message));
        kill();
      } else {
        options.onReply(reply);
      }
    });
    let isOver = false;
    const end = (how: string): void => {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener("abort", kill);
      if (opened !== null) {
        if (!signal.aborted) log.warn("the embedded engine died", { how, said: said.trim() });
        options.onExit(how);
      } else if (signal.aborted) {
        reject(signal.reason);
      } else {
        const last = said.trim().split("\n").at(-1) ?? "";
        const says = last === "" ? how : `${how}: ${last}`;
        const message = `The embedded engine ended at its start (${says})`;
        reject(new CompletionError("MODEL_SERVER_FAILED", message));
      }
    };
    child.once("error", (error) => end(error.message));
    // `close` comes after the last words were read.
    child.once("close", (code, name) => end(name ?? `exit code ${code}`));
    child.send(options.open, () => {});
  });
}

function forkChild(childFile: URL): ChildProcess {
  // Our own keys are no business of native code.
  const { MIDSPAN_API_KEY: _, NODE_OPTIONS: __, ...env } = process.env;
  return fork(fileURLToPath(childFile), [], {
    env,
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

/** The reply; `null` when it is none of ours. */
function checked(value: unknown, log: Log): EngineReply | null {
  try {
    return readReply(value);
  } catch (error) {
    log.error("the embedded engine sent rubbish", { reason: String(error) });
    return null;
  }
}
