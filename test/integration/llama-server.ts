/** Finds, starts and stops a real llama-server with a small model. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { keepProcess } from "../kept-process.ts";

/** A small model that fills in the middle; see the page beside it. */
export const tinyModel: string = join(import.meta.dirname, "..", "models", "tiny-fim.gguf");

/** How a person gets what is missing. */
export const howToGetLlamaServer: string =
  "the backends are tried with a real llama-server: install llama.cpp or set MIDSPAN_LLAMA_SERVER " +
  "to the command that starts its server (scripts/debian-programs.sh sets one up), and " +
  "MIDSPAN_TEST_GGUF to a model if the server cannot read test/models";

/** A command with its arguments, and the model as the server sees it. */
export interface LlamaServerSetup {
  readonly command: readonly string[];
  readonly model: string;
}

/** Named by the environment, else llama-server on PATH and our own model; `null` without a server. */
export function findLlamaServer(): LlamaServerSetup | null {
  const named = process.env.MIDSPAN_LLAMA_SERVER ?? "";
  const command = named === "" ? onPath("llama-server") : named.split(" ");
  return command === null ? null : { command, model: process.env.MIDSPAN_TEST_GGUF ?? tinyModel };
}

/** A server that answers. */
export interface RunningLlamaServer {
  readonly url: string;
  /** Ends the process and resolves when it is gone. */
  readonly stop: () => Promise<void>;
}

/** Starts one on a free port of 127.0.0.1 with two slots and one thread; waits until it has loaded. */
export async function startLlamaServer(setup: LlamaServerSetup): Promise<RunningLlamaServer> {
  const port = await freePort();
  const [program = "", ...before] = setup.command;
  const flags =
    `--host 127.0.0.1 --port ${port} -np 2 -t 1 -b 256 ` +
    "--no-webui --cache-ram 0 --no-cache-idle-slots --slots";
  const child = spawn(program, [...before, "-m", setup.model, ...flags.split(" ")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  keepProcess(child);
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-2000);
  });
  const failed = new Promise<never>((_, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`llama-server ended with ${code}: ${log}`)));
  });
  failed.catch(() => {});
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([failed, healthy(url)]);
  return { url, stop: () => stopped(child) };
}

async function healthy(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const isReady = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await wait(100);
  }
  throw new Error(`llama-server at ${url} did not load its model in 30 s`);
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

function onPath(program: string): readonly string[] | null {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const names = process.platform === "win32" ? [`${program}.exe`] : [program];
  const found = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  return found === undefined ? null : [found];
}
