/** `midspan model run` and the look for servers, with a real llama-server. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  findLlamaServer,
  howToGetLlamaServer,
  type LlamaServerSetup,
  startLlamaServer,
} from "./llama-server.ts";
import {
  cleanEnvironment,
  program,
  type RunningServer,
  runToEnd,
  startServer,
  type TemporaryFolder,
  temporaryFolder,
} from "./product.ts";

let folder: TemporaryFolder;
let setup: LlamaServerSetup;
let env: NodeJS.ProcessEnv;
let running: RunningServer | null = null;

beforeEach(() => {
  const found = findLlamaServer();
  if (found === null) throw new Error(howToGetLlamaServer);
  setup = found;
  folder = temporaryFolder("model-run");
  writeFileSync(join(folder.path, "a.ts"), "export const one = 1;\n");
  env = {
    ...cleanEnvironment(join(folder.path, ".home")),
    MIDSPAN_LLAMA_SERVER: setup.command.map((word) => `"${word}"`).join(" "),
  };
});
afterEach(async () => {
  await running?.stop("SIGKILL");
  running = null;
  folder.dispose();
});

const served = /playground +(http:\/\/127\.0\.0\.1:\d+)/;
/** The model's answer as it is: no local model, no threshold, no wait. */
const plain = ["--port", "0", "--no-open", "--local", "off", "--threshold", "0"];

async function run(): Promise<{ readonly server: RunningServer; readonly pid: number }> {
  const args = [program, "model", "run", setup.model, folder.path, ...plain];
  running = await startServer(process.execPath, args, { cwd: folder.path, env, pattern: served });
  return { server: running, pid: processIn(running.output()) };
}

function processIn(output: string): number {
  return Number(/It runs as process (\d+) at/.exec(output)?.[1]);
}

/** The source of one completion. */
async function completed(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/autocomplete`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      prefix: "function add(a, b) {\n  return ",
      suffix: ";\n}\n",
      path: "add.js",
      trigger: "invoked",
      max_tokens: 8,
    }),
  });
  const reply = (await response.json()) as { model: string; usage: { input_tokens: number } };
  expect([response.status, reply]).toMatchObject([200, { model: expect.any(String) }]);
  return reply.model;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(20);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("midspan model run", () => {
  it("starts the model, completes with it, and ends it with Ctrl+C", async () => {
    const { server, pid } = await run();
    expect(isAlive(pid)).toBe(true);
    expect(await completed(server.url)).toContain(".gguf");
    const health = (await (await fetch(`${server.url}/v1/health`)).json()) as {
      backend: { kind: string };
    };
    expect(health.backend.kind).toBe("llama.cpp");
    expect(await server.stop("SIGINT")).toBe(0);
    await until(() => !isAlive(pid));
  });

  it("starts it again when it dies", async () => {
    const { server, pid } = await run();
    process.kill(pid, "SIGKILL");
    await until(() => server.output().includes("llama-server is back."));
    expect(server.output()).toContain("llama-server was ended by SIGKILL; it is started again");
    expect(await completed(server.url)).toContain(".gguf");
    expect(await server.stop()).toBe(0);
  });

  it("leaves nothing behind when it is killed", async () => {
    const { server, pid } = await run();
    await server.stop("SIGKILL");
    await until(() => !isAlive(pid));
  });

  it("keeps its server from others on this machine", async () => {
    const { server } = await run();
    const url = /It runs as process \d+ at (\S+),/.exec(server.output())?.[1];
    const response = await fetch(`${url}/completion`, { method: "POST", body: "{}" });
    expect(response.status).toBe(401);
  });

  it.each([
    ["no.gguf", "hello", "is no GGUF model"],
    ["half.gguf", "GGUF\u0003\0\0\0", "is no GGUF model: it has 8 bytes"],
  ])("refuses %s before it starts anything", async (name, content, says) => {
    const file = join(folder.path, name);
    writeFileSync(file, content);
    const args = [program, "model", "run", file];
    const { code, stdout, stderr } = await runToEnd(process.execPath, args, {
      cwd: folder.path,
      env,
    });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(new RegExp(`^midspan: ${name} ${says}[^\\n]*\\n$`));
  });
});

describe("a llama-server that calls its model something else", () => {
  it("is asked in the format of the model that it has", async () => {
    const family = setup.model.includes("smol-fim") ? "smol-fim" : "tiny-fim";
    const alias = family === "tiny-fim" ? "qwen2.5-coder-7b" : "starcoder2-3b";
    const model = await startLlamaServer({ ...setup, command: [...setup.command, "-a", alias] });
    try {
      const args = [program, "serve", folder.path, "--backend", `llama.cpp:${model.url}`];
      running = await startServer(process.execPath, [...args, ...plain], {
        cwd: folder.path,
        env,
        pattern: served,
      });
      await until(() => running?.output().includes("Ctrl+C") === true);
      expect(running.output()).toContain(`${alias} (${family}) at ${model.url}`);
      expect(await completed(running.url)).toBe(alias);
    } finally {
      await model.stop();
    }
  });
});
