/** The built program in the hands of an impatient person, on a machine in a bad state. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { workspaceStateFolder } from "../../src/host/workspace-state.ts";
import { cleanEnvironment, type Finished, program, runToEnd, temporaryFolder } from "./product.ts";

const folder = temporaryFolder("rough");
const home = join(folder.path, "home");
const env = cleanEnvironment(home);

afterAll(folder.dispose);

/** A new folder below the temporary one. */
function newFolder(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function midspan(...args: readonly string[]): Promise<Finished> {
  return runToEnd(process.execPath, [program, ...args], { cwd: newFolder("workspace"), env });
}

function completeAt(
  file: string,
  line: number,
  column: number,
  ...more: readonly string[]
): Promise<Finished> {
  return midspan(
    ...["complete", "--json", "--local", "off", "--file", file, ...more],
    ...["--line", String(line), "--column", String(column)],
  );
}

describe("Ctrl+C", () => {
  it("ends the server while it indexes, at once and in silence", async () => {
    const workspace = newFolder("large");
    const text = "export const measured = (from: number, to: number): number => to - from;\n";
    for (let i = 0; i < 6_000; i++) {
      if (i % 200 === 0) newFolder(`large/${i / 200}`);
      writeFileSync(
        join(workspace, String(Math.floor(i / 200)), `${i}.ts`),
        `// ${i}\n${text.repeat(20)}`,
      );
    }
    const state = workspaceStateFolder(join(home, "cache"), workspace);
    mkdirSync(state, { recursive: true });
    const changes = watch(state);
    const args = [program, "serve", workspace, "--port", "0", "--no-open"];
    const server = spawn(process.execPath, args, { env });
    let output = "";
    server.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    server.stderr.setEncoding("utf8").on("data", (text) => (output += text));
    const ended = new Promise((resolve) => server.on("close", resolve));
    // The lock is taken when the work begins.
    for await (const { filename } of changes) if (filename === "lock") break;
    server.kill("SIGINT");
    expect([await ended, output]).toEqual([0, ""]);
  });
});

describe("A reader that goes away", () => {
  it.each([["config"], ["index", "--json"], ["--help"]])("is no failure: %s", async (...args) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: newFolder("workspace"), env });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.stdout.destroy();
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, stderr]).toEqual([0, ""]);
  });
});

describe("A model server that never answers", () => {
  it("is named, with what to do", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const file = join(newFolder("plain"), "a.ts");
    writeFileSync(file, "let a;");
    const backend = `openai:http://127.0.0.1:${port}`;
    const { code, stderr } = await completeAt(file, 1, 1, "--backend", backend);
    silent.closeAllConnections();
    silent.close();
    expect([code, stderr]).toEqual([
      1,
      `midspan: http://127.0.0.1:${port} did not list its models within 3 s; name one with --model [BACKEND_TIMEOUT]\n`,
    ]);
  });
});

describe("a place that cannot be written", () => {
  it("is said once, whichever part of a command meets it", async () => {
    const own = newFolder("home in the way");
    writeFileSync(join(own, "cache"), "a file in the way");
    const root = newFolder("plain files");
    writeFileSync(join(root, "a.ts"), "export const one = 1;\n");
    const started = { cwd: root, env: cleanEnvironment(own) };
    const line = ["--line", "1", "--column", "1"];
    for (const args of [["index"], ["complete", "--file", "a.ts", ...line], ["doctor"]]) {
      const { stderr } = await runToEnd(process.execPath, [program, ...args], started);
      expect(stderr.match(/cannot write/g)).toHaveLength(1);
      expect(stderr).not.toContain("{");
    }
  });
});

describe("words that nobody knows", () => {
  it("are wrong usage, and a folder is no model", async () => {
    const { code, stderr } = await midspan("eval", "infill", "zzz");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^midspan: there is no set "zzz"/)]);
    const run = await midspan("model", "run", folder.path);
    expect([run.code, run.stderr]).toEqual([
      1,
      `midspan: ${folder.path} is a folder; name one of the files in it, such as model.gguf [MODEL_NOT_FOUND]\n`,
    ]);
  });
});

describe("midspan complete", () => {
  it("refuses what is no file and no text", async () => {
    const root = newFolder("odd");
    execFileSync("mkfifo", [join(root, "pipe.ts")]);
    writeFileSync(join(root, "binary.ts"), Uint8Array.of(0, 1, 2, 3));
    writeFileSync(join(root, "huge.ts"), "x".repeat(8 * 1024 * 1024 + 1));
    const faults = {
      "pipe.ts": "it is no plain file",
      "binary.ts": "it is no text",
      "huge.ts": "it is over 8388608 bytes",
      "none.ts": "there is no such file",
    };
    for (const [name, why] of Object.entries(faults)) {
      const file = join(root, name);
      expect(await completeAt(file, 1, 1)).toEqual({
        code: 1,
        stdout: "",
        stderr: `midspan: ${file} cannot be read: ${why} [WORKSPACE_UNREADABLE]\n`,
      });
    }
  });

  it("counts columns as editors show them, behind a byte order mark and in UTF-16", async () => {
    const root = newFolder("marked");
    writeFileSync(join(root, "utf8.ts"), "\uFEFFlet a;");
    writeFileSync(join(root, "utf16.ts"), Buffer.from("\uFEFFlet a;", "utf16le"));
    for (const name of ["utf8.ts", "utf16.ts"]) {
      const file = join(root, name);
      expect((await completeAt(file, 1, 7)).code).toBe(0);
      expect(await completeAt(file, 1, 8)).toMatchObject({
        code: 2,
        stderr: "midspan: line 1 has 6 characters, there is no column 8\n",
      });
    }
  });
});

// Root may read everything.
if (process.getuid?.() !== 0) {
  it("says that a workspace cannot be read", async () => {
    const closed = newFolder("closed");
    chmodSync(closed, 0o000);
    const { code, stderr } = await midspan("index", closed);
    chmodSync(closed, 0o700);
    expect([code, stderr]).toEqual([
      1,
      `midspan: there is no permission to read the folder ${closed} [WORKSPACE_UNREADABLE]\n`,
    ]);
  });
}
