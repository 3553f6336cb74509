/** `midspan model pull`, `list` and `info` as a person types them, with a mirror on this machine. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { modelFile } from "../../src/testing/gguf-file.ts";
import {
  type RecordedRequest,
  ScriptedServer,
  type WireReply,
} from "../../src/testing/scripted-server.ts";
import {
  cleanEnvironment,
  type Finished,
  program,
  runToEnd,
  type TemporaryFolder,
  temporaryFolder,
} from "./product.ts";

const many = Array.from({ length: 20_000 }, (_, i) => `token ${i}`);
const sentinels = ["<fim_prefix>", "<fim_suffix>", "<fim_middle>"];
const specials = [...sentinels, "<|endoftext|>", "<file_sep>", "<repo_name>", "<fim_pad>"];
const content = modelFile({ name: "starcoder2-3b", tokens: [...many, ...specials] });
const sha256 = createHash("sha256").update(content).digest("hex");
const NAME = "owner/repo/small.gguf";

let folder: TemporaryFolder;
let mirror: ScriptedServer;
let env: NodeJS.ProcessEnv;
let told = sha256;
/** Sends this many bytes and nothing more; `null` sends all. */
let stopsAfter: number | null = null;

beforeEach(async () => {
  folder = temporaryFolder("model-pull");
  mirror = await ScriptedServer.start(reply);
  env = { ...cleanEnvironment(folder.path), MIDSPAN_MODELS_MIRROR: mirror.url };
  told = sha256;
  stopsAfter = null;
});
afterEach(async () => {
  await mirror.close();
  folder.dispose();
});

function reply({ path, headers }: RecordedRequest): WireReply {
  if (path.startsWith("/api/models/owner/repo/tree/")) {
    const file = { path: "small.gguf", size: content.length, lfs: { oid: told } };
    return { steps: [{ kind: "write", bytes: JSON.stringify([file]) }] };
  }
  if (path !== "/owner/repo/resolve/main/small.gguf") return { status: 404, steps: [] };
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
  const range = `bytes ${start}-${content.length - 1}/${content.length}`;
  const bytes = content.subarray(start, stopsAfter ?? content.length);
  return {
    status: start > 0 ? 206 : 200,
    headers: { "content-length": String(content.length - start), "content-range": range },
    steps: [{ kind: "write", bytes }, ...(stopsAfter === null ? [] : [{ kind: "hang" } as const])],
  };
}

const stored = (ending = ""): string =>
  join(folder.path, "data", "models", "owner", "repo", `small.gguf${ending}`);

function midspan(...args: readonly string[]): Promise<Finished> {
  return runToEnd(process.execPath, [program, "model", ...args], { cwd: folder.path, env });
}

/** What is left of models, besides empty folders that were made for all of them. */
function leftovers(): string[] {
  const models = join(folder.path, "data", "models");
  return existsSync(models) ? readdirSync(models) : [];
}

describe("midspan model pull", () => {
  it("fetches, says whose checksum it has, and lists it with its format", async () => {
    const { code, stdout } = await midspan("pull", NAME);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("the checksum is that of the mirror"),
    ]);
    expect(readFileSync(stored()).equals(content)).toBe(true);
    const { stdout: list } = await midspan("list", "--json");
    expect(JSON.parse(list).files).toEqual([
      {
        path: stored(),
        bytes: content.length,
        quantisation: "Q8_0",
        format: "starcoder2",
        reason: null,
      },
    ]);
    const { stdout: info } = await midspan("info", stored());
    expect(info).toMatch(/fills in the middle +yes, as starcoder2/);
  });

  it("goes on where Ctrl+C stopped it", async () => {
    stopsAfter = 100_000;
    const child = spawn(process.execPath, [program, "model", "pull", NAME], {
      cwd: folder.path,
      env,
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    while (!existsSync(stored(".part")) || statSync(stored(".part")).size < stopsAfter) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(stderr).toContain(`stopped; midspan model pull ${NAME} goes on from here`);
    expect(readdirSync(join(stored(), ".."))).toEqual(["small.gguf.part"]);

    stopsAfter = null;
    const { code, stdout } = await midspan("pull", NAME);
    expect([code, stdout]).toEqual([0, expect.stringContaining("100 kB of them from before")]);
    expect(mirror.requests.at(-1)?.headers.range).toBe("bytes=100000-");
    expect(readdirSync(join(stored(), ".."))).toEqual(["small.gguf"]);
  });

  it("removes what has not the checksum", async () => {
    told = "0".repeat(64);
    const { code, stderr } = await midspan("pull", NAME);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^midspan: 127\.0\.0\.1:\d+ sent another file than expected/m);
    expect(leftovers()).toEqual([]);
  });

  it.each([
    [["pull", "owner/repo/other.gguf"], 1, "has no such file"],
    [["pull", "qwen2.5-coder-1.5"], 1, "did you mean qwen2.5-coder-1.5b?"],
    [["pull", "starcoder2-15b"], 1, "StarCoder2 15B cannot be used"],
    [["pull"], 2, "missing required argument"],
    [["run", "qwen2.5-coder-0.5b"], 1, "fetch it with midspan model pull qwen2.5-coder-0.5b"],
    [["run", "nothing.gguf"], 1, "there is no file"],
    [["info", "nothing"], 1, "midspan model list shows all"],
  ])("says in one sentence what is wrong with %j", async (args, code, says) => {
    const finished = await midspan(...args);
    expect([finished.code, finished.stdout]).toEqual([code, ""]);
    expect(finished.stderr).toContain(says);
    expect(leftovers()).toEqual([]);
  });

  it("contacts nobody when offline", async () => {
    env = { ...env, MIDSPAN_MODELS_MIRROR: "https://mirror.example" };
    const { code, stderr } = await midspan("pull", NAME, "--offline");
    expect([code, stderr]).toEqual([1, expect.stringContaining("--offline refuses it")]);
    expect(leftovers()).toEqual([]);
  });
});
