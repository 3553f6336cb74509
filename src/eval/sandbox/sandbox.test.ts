/** Hostile programs in the real sandbox, as whoever runs these tests; where none can be had, the refusal. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import type { SandboxLimits } from "./limits.ts";
import { treeBytes } from "./process-tree.ts";
import type { SandboxResult } from "./run-limited.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

// Of its own, so that what other runs have there is not taken for a rest of this one.
const temporary = mkdtempSync(join(tmpdir(), "midspan-test-"));
const usual = process.env.TMPDIR;
process.env.TMPDIR = temporary;
afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
  rmSync(temporary, { recursive: true });
});

const isolated = await openSandbox({ allowsUnsafe: false }).catch((error: unknown) => {
  expect(error).toBeInstanceOf(EvaluationUnavailableError);
  return null;
});
// Where this machine forbids isolation, what holds without it is tried.
const sandbox: Sandbox = isolated ?? (await openSandbox({ allowsUnsafe: true }));
if (isolated === null) console.warn("sandbox.test.ts: no isolation here, its refusal is tested");

/** Seconds that no other run of these tests sleeps. */
const nap = `77.${process.pid}`;

function sh(
  script: string,
  options: {
    readonly limits?: Partial<SandboxLimits>;
    readonly files?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<SandboxResult> {
  const { limits = {}, files = {}, signal = new AbortController().signal } = options;
  return sandbox.run({
    ...{ files, limits, signal },
    command: ["sh", "-c", script],
    visible: [],
    environment: {},
  });
}

/** Command lines in the table of processes that hold this text. */
function processesWith(mark: string): readonly string[] {
  if (process.platform !== "linux") {
    const table = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
    return table.split("\n").filter((line) => line.includes(mark));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        // It ended meanwhile.
        return "";
      }
    })
    .filter((line) => line.includes(mark));
}

describe("in every sandbox", () => {
  it("runs a program with its files and tells how it ended", async () => {
    const files = { "deep/in.txt": "hello\n" };
    expect(await sh("cat deep/in.txt; echo no >&2; exit 3", { files })).toEqual({
      kind: "ended",
      exitCode: 3,
      output: "hello\nno\n",
    });
  });

  it("ends an endless loop, and one that only waits", async () => {
    const limits = { wallMs: 700 };
    const stopped = { kind: "stopped", limit: "time", output: "" };
    expect(await sh("while :; do :; done", { limits })).toEqual(stopped);
    expect(await sh(`sleep ${nap}`, { limits })).toEqual(stopped);
    expect(processesWith(`sleep ${nap}`)).toEqual([]);
  });

  it("ends a flood of output and keeps only what may be kept", async () => {
    const result = await sh("yes flood", { limits: { outputBytes: 10_000 } });
    expect(result.kind === "stopped" ? result.limit : result).toBe("output");
    expect(result.output.length).toBe(10_000);
  });

  it("ends with the caller's signal, and its children with it", async () => {
    const controller = new AbortController();
    const run = sh(`sleep ${nap} & wait`, { signal: controller.signal });
    const stopsOnStart = setInterval(() => {
      if (processesWith(`sleep ${nap}`).length > 0) controller.abort(new Error("enough"));
    }, 20);
    await expect(run).rejects.toThrow("enough");
    clearInterval(stopsOnStart);
    expect(processesWith(`sleep ${nap}`)).toEqual([]);
  });

  it("leaves no folder behind", () => {
    expect(readdirSync(temporary)).toEqual([]);
  });
});

if (process.platform === "linux")
  describe("on Linux", () => {
    it("stops a process that computes longer than it may", async () => {
      const result = await sh("while :; do :; done", { limits: { cpuSeconds: 1 } });
      expect(result).toMatchObject({ kind: "ended", exitCode: expect.toSatisfy(isSignal) });
    });

    it("stops a file that grows beyond its limit", async () => {
      const eater = "head -c 9000000 /dev/zero > eaten; stat -c %s eaten";
      const result = await sh(eater, { limits: { fileBytes: 1 << 20 } });
      expect(result.output).toContain(`${1 << 20}\n`);
    });

    it("counts the memory of this process", async () => {
      expect(await treeBytes(process.pid)).toBeGreaterThan(1 << 20);
      expect(await treeBytes(2 ** 30)).toBe(0);
    });
  });

if (isolated !== null)
  describe("with isolation", () => {
    it("stops a fork bomb that stops itself at 200", async () => {
      const bomb = `i=0; while [ $i -lt 200 ]; do sleep ${nap} & i=$((i+1)); done; echo all`;
      const result = await sh(bomb, { limits: { processes: 30 } });
      expect(result).toMatchObject({ kind: "ended", exitCode: 2 });
      expect(result.output).toMatch(/[Cc]annot fork/);
      expect(processesWith(`sleep ${nap}`)).toEqual([]);
    });

    it("lets several jobs have their processes side by side", async () => {
      const job = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3 & done; wait; echo fine";
      const limits = { processes: 16 };
      const results = await Promise.all([1, 2, 3].map(() => sh(job, { limits })));
      expect(results.map(({ output }) => output)).toEqual(["fine\n", "fine\n", "fine\n"]);
    });

    it("stops many small files that together fill the scratch folder", async () => {
      const eater =
        "i=0; while [ $i -lt 40 ]; do head -c 1000000 /dev/zero > f$i || exit 9; i=$((i+1)); done";
      const result = await sh(eater, { limits: { scratchBytes: 8 << 20 } });
      expect(result).toMatchObject({ kind: "ended", exitCode: 9 });
      expect(result.output).toContain("No space left");
    });

    it("refuses one process more memory than it may have, and ends many that share it out", async () => {
      const limits = { memoryBytes: 64 << 20 };
      const one = await sh("head -c 200000000 /dev/zero | tail -c 190000000 > /dev/null", {
        limits,
      });
      expect(one.output).toMatch(/memory|exhausted/);
      const eater = "head -c 200000000 /dev/zero | tail -c 40000000 | sleep 30";
      const many = await sh(`${eater} & ${eater} & ${eater} & wait`, { limits });
      expect(many).toMatchObject({ kind: "stopped", limit: "memory" });
    });

    it("has no network, not even this machine's", async () => {
      const server = createServer((_, response) => response.end("reached")).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = server.address() as AddressInfo;
      const attempt = `require("net").connect(${port}, "127.0.0.1").on("error", (e) => console.log(e.code)).on("connect", () => console.log("reached"))`;
      const result = await sandbox.run({
        files: { "try.js": attempt },
        command: [process.execPath, "try.js"],
        visible: [process.execPath],
        environment: {},
        signal: new AbortController().signal,
      });
      expect(result.output).toBe("ENETUNREACH\n");
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

    it("sees no file of the person, no process beside its own, and can write nowhere else", async () => {
      const here = import.meta.filename;
      const look = `ls '${here}'; ls /root /home; touch /usr/mine /etc/mine /mine; kill -9 ${process.pid}`;
      const result = await sh(look);
      expect(result.output).not.toContain(`\n${here}\n`);
      expect(
        result.output.match(/No such file|Read-only|Permission|No such process/g)?.length,
      ).toBe(isolated?.isolation === "other-user" ? 7 : expect.any(Number));
      expect(existsSync("/usr/mine")).toBe(false);
    });

    it("shows what it is told to show, and lets nobody change it", async () => {
      const own = join(temporary, "own");
      writeFileSync(own, "mine\n");
      const result = await sandbox.run({
        files: {},
        command: ["sh", "-c", `cat '${own}'; echo evil > '${own}'; rm '${own}'`],
        visible: [own],
        environment: {},
        signal: new AbortController().signal,
      });
      expect(result.output).toMatch(/^mine\n.*Read-only file system\n/);
      expect(readFileSync(own, "utf8")).toBe("mine\n");
      rmSync(own);
    });

    it("has no privilege left and can get none", async () => {
      const result = await sh(
        "grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status; mount -t tmpfs x /scratch",
      );
      expect(result.output.match(/^Cap\w+:\s0+$/gm)?.length).toBe(2);
      expect(result.output).toMatch(/^NoNewPrivs:\s1$/m);
      expect(result.output).toMatch(/permission denied|must be superuser/);
    });

    it("leaves no mount behind", () => {
      expect(readFileSync("/proc/mounts", "utf8")).not.toContain("midspan-sandbox-");
    });
  });

if (isolated === null)
  describe("without isolation", () => {
    it("refuses unless it is told to go on, and says how", async () => {
      await expect(openSandbox({ allowsUnsafe: false })).rejects.toThrow(/--unsafe/);
      expect(sandbox.isolation).toBe("none");
    });
  });

function isSignal(code: number): boolean {
  return code > 128;
}
