/** Where a whole session connects to: every socket of every process and thread is written down. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ScriptedServer } from "../../src/testing/scripted-server.ts";
import {
  cleanEnvironment,
  type Finished,
  program,
  runToEnd,
  startServer,
  type TemporaryFolder,
  temporaryFolder,
} from "./product.ts";

const hook = pathToFileURL(join(import.meta.dirname, "record-sockets.mjs")).href;
const REMOTE = "openai:https://models.example.com";

let folder: TemporaryFolder;
let server: ScriptedServer;
let workspace: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = temporaryFolder("offline");
  workspace = join(folder.path, "work");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "area.ts"), "export const area = (w: number) => w * w;\n\n\n");
  const sockets = join(folder.path, "sockets.txt");
  writeFileSync(sockets, "");
  env = {
    ...cleanEnvironment(join(folder.path, "home")),
    MIDSPAN_TEST_SOCKETS: sockets,
    NODE_OPTIONS: `--import=${hook}`,
  };
  server = await ScriptedServer.start(() => ({
    headers: { "content-type": "text/event-stream" },
    steps: [
      { kind: "write", bytes: 'data: {"choices":[{"text":"1 + 1;","finish_reason":"stop"}]}\n\n' },
      { kind: "write", bytes: "data: [DONE]\n\n" },
    ],
  }));
});
afterEach(async () => {
  await server.close();
  folder.dispose();
});

it("Offline, no socket of a whole session leaves this machine.", async () => {
  const model = ["--model", "starcoder2-3b"];
  const local = ["--backend", `openai:${server.url}`, ...model];
  const serving = await startServer(
    "node",
    [program, "serve", workspace, "--offline", "--port", "0", "--no-open", ...local],
    { cwd: workspace, env, pattern: /playground +(http:\/\/127\.0\.0\.1:\d+)/ },
  );
  const answer = await fetch(`${serving.url}/v1/autocomplete`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      prefix: "const two = ",
      suffix: "\n",
      path: "b.ts",
      trigger: "invoked",
    }),
  });
  expect(answer.status).toBe(200);
  for (const path of ["/", "/v1/health", "/v1/models", "/metrics"]) {
    expect((await fetch(serving.url + path)).status).toBe(200);
  }
  expect(await serving.stop()).toBe(0);
  expect(server.requests.length).toBeGreaterThan(0);

  const place = ["--file", join(workspace, "area.ts"), "--line", "2", "--column", "1"];
  const elsewhere = await run(
    "complete",
    ...place,
    "--backend",
    REMOTE,
    ...model,
    "--local",
    "off",
  );
  expect(elsewhere).toMatchObject({ code: 1, stdout: "" });
  expect(elsewhere.stderr).toContain("models.example.com");
  for (const args of [["doctor"], ["doctor", "--backend", REMOTE, ...model], ["index"]]) {
    await run(...args);
  }
  expect((await run("model", "pull", "qwen2.5-coder-0.5b")).code).toBe(1);
  expect((await run("model", "engine", "install")).code).toBe(1);

  expect(recorded().filter(isBeyond)).toEqual([]);
  expect(recorded().length).toBeGreaterThan(0);

  async function run(...args: string[]): Promise<Finished> {
    const offline = { ...env, MIDSPAN_OFFLINE: "on" };
    return runToEnd("node", [program, ...args], { cwd: workspace, env: offline });
  }
});

it("Before code goes beyond this machine, that is said once for each address.", async () => {
  const place = ["--file", join(workspace, "area.ts"), "--line", "2", "--column", "1"];
  const ask = (backend: string): Promise<Finished> => {
    const args = ["complete", ...place, "--backend", backend, "--model", "starcoder2-3b"];
    return runToEnd("node", [program, ...args], { cwd: workspace, env });
  };
  const told = [];
  for (const backend of [REMOTE, REMOTE, `${REMOTE}:444`, `openai:${server.url}`]) {
    const { stderr } = await ask(backend);
    told.push(/is sent to (\S+)/.exec(stderr)?.[1] ?? null);
  }
  expect(told).toEqual([
    "https://models.example.com",
    null,
    "https://models.example.com:444",
    null,
  ]);
  // The same recording sees what is not offline.
  expect(recorded().filter(isBeyond)).toContain("tcp models.example.com");
});

it("Doctor lists each address beyond this machine with its purpose, offline none.", async () => {
  const args = [program, "doctor", "--json", "--backend", REMOTE, "--model", "starcoder2-3b"];
  const textOf = async (...more: string[]): Promise<string> => {
    const { stdout } = await runToEnd("node", [...args, ...more], { cwd: workspace, env });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; text: string }[] };
    return checks.find(({ name }) => name === "network")?.text ?? "";
  };
  const lines = (await textOf()).split("\n");
  expect(lines.filter((line) => line.startsWith("→")).map((line) => line.split(": ")[0])).toEqual([
    "→ https://models.example.com",
    "→ https://huggingface.co",
    "→ the package registry that npm is set to",
  ]);
  expect(await textOf("--offline")).not.toContain("→");
});

it("A model without a format is asked by chat when that is switched on.", async () => {
  server.script = ({ path }) => ({
    headers: { "content-type": "text/event-stream" },
    steps:
      path === "/v1/chat/completions"
        ? [
            { kind: "write", bytes: 'data: {"choices":[{"delta":{"content":"w * 2;"}}]}\n\n' },
            { kind: "write", bytes: "data: [DONE]\n\n" },
          ]
        : [],
  });
  const place = ["--file", join(workspace, "area.ts"), "--line", "2", "--column", "1"];
  const ask = (...more: string[]): Promise<Finished> => {
    const backend = ["--backend", `openai:${server.url}`, "--model", "gpt-4o-mini"];
    const args = ["complete", ...place, ...backend, "--local", "off", ...more];
    return runToEnd("node", [program, ...args], { cwd: workspace, env });
  };
  const refused = await ask();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("MODEL_WITHOUT_FIM");
  expect(refused.stderr).toContain("--chat");
  const answered = await ask("--chat");
  expect(answered).toMatchObject({ code: 0, stdout: "w * 2;\n" });
  expect(answered.stderr).toContain("not trained to fill in the middle");
});

function recorded(): readonly string[] {
  return readFileSync(env.MIDSPAN_TEST_SOCKETS ?? "", "utf8")
    .split("\n")
    .filter(Boolean);
}

function isBeyond(line: string): boolean {
  return !/^\S+ (localhost|127\.|::1|\[::1\]|unix:)/.test(line);
}
