import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Clock } from "../core/index.ts";
import { buildProcessKeeper } from "../testing/bundle.ts";
import { writeFiles } from "../testing/temp-folder.ts";
import { type ClosableHttpClient, createHttpClient } from "./http-client.ts";
import { KeptProcess } from "./kept-process.ts";
import {
  type LlamaServer,
  type LlamaServerState,
  startLlamaServer,
} from "./llama-server-process.ts";

/**
 * Stands in for llama-server: answers `/health`, ends at `/end`, and says at `/` what it was started
 * with. Its first argument is what goes wrong.
 */
const program = `
import { createServer } from "node:http";
const [fault, ...args] = process.argv.slice(2);
const log = (text) => process.stderr.write("0.00.001.073 E srv  load_model: " + text + "\\n");
if (fault === "flags" && args.includes("--no-webui")) {
  process.stderr.write("error: invalid argument: --no-webui\\n");
  process.exit(1);
}
if (fault === "all-flags") {
  process.stderr.write("error: invalid argument: -np\\n");
  process.exit(1);
}
if (fault === "model") {
  log("error loading model: tensor 'x' is missing");
  log("exiting due to model loading error");
  process.exit(1);
}
if (fault === "mute") process.exit(7);
const port = Number(args[args.indexOf("--port") + 1]);
let asked = 0;
const server = createServer((request, response) => {
  if (request.url === "/end") process.kill(process.pid, "SIGKILL");
  // Like one that still loads, at first.
  response.statusCode = request.url === "/health" && asked++ < 2 ? 503 : 200;
  response.end(JSON.stringify({ args, key: process.env.LLAMA_API_KEY }));
});
server.on("error", () => {
  log("couldn't bind HTTP server socket");
  process.exit(1);
});
server.listen(port, "127.0.0.1");
`;

/** Waits take no time. */
const clock: Clock = {
  now: () => 0,
  after: (_, callback) => {
    const timer = setTimeout(callback, 0);
    return () => clearTimeout(timer);
  },
};

let folder: string;
let keeperFile: string;
let http: ClosableHttpClient;
let server: LlamaServer | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "midspan-keeper-"));
  writeFiles(folder, { "server.mjs": program });
  keeperFile = await buildProcessKeeper(folder);
  http = createHttpClient({ isOffline: true });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await server?.stop();
  server = null;
});

const states: LlamaServerState[] = [];
let onState = (_: LlamaServerState): void => {};

async function start(fault: string, signal = new AbortController().signal): Promise<LlamaServer> {
  states.length = 0;
  server = await startLlamaServer({
    command: [process.execPath, join(folder, "server.mjs"), fault],
    plan: { model: "m.gguf", slotTokens: 2048, threads: 1, gpuLayers: null },
    keeperFile,
    http,
    clock,
    onState: (state) => {
      states.push(state);
      onState(state);
    },
    signal,
  });
  return server;
}

/** Resolves at the next state of that kind. */
function next(kind: LlamaServerState["kind"]): Promise<void> {
  return new Promise((resolve) => {
    onState = (state) => {
      if (state.kind === kind) resolve();
    };
  });
}

async function asked(url: string): Promise<{ args: string[]; key: string }> {
  return (await fetch(url)).json() as Promise<{ args: string[]; key: string }>;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("startLlamaServer", () => {
  it("waits until the model is loaded, and asks for two slots that keep their cache", async () => {
    const { url, apiKey, pid } = await start("none");
    const { args, key } = await asked(url);
    expect(args.join(" ")).toBe(
      `-m m.gguf --host 127.0.0.1 --port ${new URL(url).port} -np 2 -c 4096 -b 256 -ub 256 -t 1 ` +
        "--no-cache-idle-slots --cache-ram 0 --no-webui --metrics",
    );
    expect(key).toBe(apiKey);
    expect(apiKey.length).toBeGreaterThanOrEqual(32);
    expect(isAlive(pid ?? 0)).toBe(true);
  });

  it("leaves nothing behind when it is stopped", async () => {
    const { pid, stop } = await start("none");
    await stop.call(server);
    expect(isAlive(pid ?? 0)).toBe(false);
    expect(states).toEqual([]);
  });

  it("does without flags that the server does not know", async () => {
    const { url } = await start("flags");
    expect((await asked(url)).args).not.toContain("--no-webui");
  });

  it.each([
    ["all-flags", "does not know -np; install a newer llama.cpp"],
    ["model", "cannot load the model (error loading model: tensor 'x' is missing)"],
    ["mute", "ended with code 7 without a word"],
  ])("says why it does not start (%s)", async (fault, says) => {
    await expect(start(fault)).rejects.toMatchObject({
      code: "MODEL_SERVER_FAILED",
      message: expect.stringContaining(says),
    });
  });

  it("says that the program does not exist", async () => {
    const missing = startLlamaServer({
      command: [join(folder, "no-such-program")],
      plan: { model: "m.gguf", slotTokens: 2048, threads: 1, gpuLayers: null },
      keeperFile,
      http,
      clock,
      onState: () => {},
      signal: new AbortController().signal,
    });
    await expect(missing).rejects.toMatchObject({
      code: "MODEL_SERVER_FAILED",
      message: expect.stringContaining("no-such-program does not exist; name the program"),
    });
  });

  it("gives up the start when it is told to", async () => {
    const controller = new AbortController();
    controller.abort(new Error("never mind"));
    await expect(start("none", controller.signal)).rejects.toThrow("never mind");
  });

  it("starts the server again when it dies, at the same address", async () => {
    const { url, pid } = await start("none");
    const back = next("back");
    process.kill(pid ?? 0, "SIGKILL");
    await back;
    expect(states).toEqual([
      { kind: "died", how: "was ended by SIGKILL", waitMs: 500 },
      { kind: "back" },
    ]);
    expect(server?.pid).not.toBe(pid);
    expect((await asked(url)).args).toContain("m.gguf");
  });

  it("gives it up when it dies again and again, waiting longer each time", async () => {
    const { url } = await start("none");
    const gone = next("gone");
    const report = onState;
    onState = (state) => {
      report(state);
      // Its answer never comes.
      if (state.kind === "back") void fetch(`${url}/end`).catch(() => {});
    };
    await fetch(`${url}/end`).catch(() => {});
    await gone;
    const waits = states.flatMap((state) => (state.kind === "died" ? [state.waitMs] : []));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000]);
    expect(states.at(-1)).toEqual({ kind: "gone", how: "was ended by SIGKILL 6 times in a row" });
    expect(server?.pid).toBeNull();
  });
});

describe("KeptProcess", () => {
  it("ends the server when we are gone without a farewell", async () => {
    // A process of ours that starts a kept one, says its number, and is killed.
    const script = `
      const { fork } = await import("node:child_process");
      const keeper = fork(${JSON.stringify(keeperFile)}, [], { detached: true, execArgv: [] });
      keeper.on("message", ({ pid }) => console.log(pid));
      keeper.send({
        command: process.execPath,
        arguments: ["-e", "setInterval(() => {}, 1000)"],
        environment: process.env,
      });
    `;
    const { spawn } = await import("node:child_process");
    const ours = spawn(process.execPath, ["--input-type=module", "-e", script]);
    const pid = await new Promise<number>((resolve) => {
      ours.stdout.on("data", (data) => resolve(Number(String(data))));
    });
    expect(isAlive(pid)).toBe(true);
    ours.kill("SIGKILL");
    // Nothing tells when a process that is not our child ends.
    while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
  });

  it("ends the server when somebody ends the keeper", async () => {
    const kept = new KeptProcess({
      keeperFile,
      command: process.execPath,
      arguments: ["-e", "console.error('keeper', process.ppid); setInterval(() => {}, 1000)"],
      environment: process.env,
    });
    while (!kept.log.includes("\n")) await new Promise((resolve) => setImmediate(resolve));
    const keeper = Number(/keeper (\d+)/.exec(kept.log)?.[1]);
    process.kill(keeper, "SIGKILL");
    expect(await kept.ended).toBe("was ended together with its keeper");
    expect(kept.pid).toBeNull();
  });
});
