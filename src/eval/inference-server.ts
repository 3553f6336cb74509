/**
 * A llama-server of our own for a bench, with the flags that a private server for completions needs:
 * pinned slots whose caches stay, small batches, no more threads than cores.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { EvaluationUnavailableError } from "./run/evaluation-unavailable.ts";

/** How the server is started. */
export interface InferenceServerOptions {
  /** Words of the command before the flags: `["llama-server"]`, or with what it runs inside. */
  readonly command: readonly string[];
  /** The model file as the command sees it. */
  readonly model: string;
  readonly threads: number;
  readonly slots: number;
  /** Of each slot. */
  readonly contextTokens: number;
  /** Tokens of the prompt that are evaluated at a time: an abort waits for one such batch. */
  readonly batchTokens: number;
}

/** A server that answers. */
export interface InferenceServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Of the process, for its memory. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

/** No llama-server, or it did not start. */
export class InferenceUnavailableError extends EvaluationUnavailableError {
  override readonly name = "InferenceUnavailableError";
}

const START_MS = 60_000;
const POLL_MS = 50;

/** Resolves when the model is loaded. Throws `InferenceUnavailableError`. */
export async function startInferenceServer(
  options: InferenceServerOptions,
): Promise<InferenceServer> {
  const { command, model, threads, slots, contextTokens, batchTokens } = options;
  const port = await freePort();
  const [program = "llama-server", ...before] = command;
  const flags = [
    ...["-m", model, "--host", "127.0.0.1", "--port", String(port), "-t", String(threads)],
    ...["-np", String(slots), "-c", String(slots * contextTokens)],
    ...["-b", String(batchTokens), "-ub", String(batchTokens)],
    ...["--no-webui", "--cache-ram", "0", "--no-cache-idle-slots"],
  ];
  const child = spawn(program, [...before, ...flags], { stdio: ["ignore", "ignore", "pipe"] });
  let lastWords = "";
  child.stderr.on("data", (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-2_000);
  });
  let failure: string | null = null;
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      failure = `${program} cannot be started: ${error.message}`;
      resolve();
    });
    child.once("exit", (code) => {
      failure = `${program} ended with ${code ?? "a signal"}: ${lastLine(lastWords)}`;
      resolve();
    });
  });
  // A bench that is broken off must not leave a server behind.
  const kill = (): void => void child.kill("SIGTERM");
  const stopListening = onEndOfProcess(kill);
  const stop = async (): Promise<void> => {
    stopListening();
    kill();
    await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  const until = Date.now() + START_MS;
  while (Date.now() < until && failure === null) {
    const isReady = await fetch(`${url}/health`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) return { url, pid: child.pid ?? null, stop };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  if (failure === null) await stop();
  throw new InferenceUnavailableError(failure ?? `${program} did not load ${model} in time`);
}

/** Calls `end` before this process ends, by itself or by a signal that nobody else takes. */
function onEndOfProcess(end: () => void): () => void {
  const endBySignal = (signal: NodeJS.Signals): void => {
    // Whoever else listens ends the run in order.
    if (process.listenerCount(signal) > 0) return;
    end();
    process.kill(process.pid, signal);
  };
  process.once("exit", end);
  for (const signal of endingSignals) process.once(signal, endBySignal);
  return () => {
    process.off("exit", end);
    for (const signal of endingSignals) process.off(signal, endBySignal);
  };
}

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === "object" ? address.port : 0;
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
