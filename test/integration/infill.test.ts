/** `midspan eval infill` as a person types it: good and bad data, scripts, going on; and the download. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { infillDataSource } from "../../src/cli/infill-data.ts";
import { readRows } from "../../src/eval/infill/data-file.ts";
import { ScriptedServer } from "../../src/testing/scripted-server.ts";
import {
  cleanEnvironment,
  type Finished,
  program,
  runToEnd,
  type TemporaryFolder,
  temporaryFolder,
} from "./product.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder("infill");
});
afterEach(() => folder.dispose());

function evalInfill(...args: readonly string[]): Promise<Finished> {
  const env = cleanEnvironment(join(folder.path, "home"));
  const command = [program, "eval", "infill", ...args];
  return runToEnd(process.execPath, command, { cwd: folder.path, env });
}

describe("eval infill", () => {
  it("says that data is missing and where it can be had", async () => {
    const data = ["humanevalpack-js", "--data", folder.path, "--script", "perfect", "--unsafe"];
    const { code, stderr, stdout } = await evalInfill(...data);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/js\.jsonl is missing; copy it there from https:/);
  });

  it("refuses data with another checksum", async () => {
    mkdirSync(join(folder.path, "humanevalpack"));
    writeFileSync(join(folder.path, "humanevalpack", "js.jsonl"), "{}\n");
    const data = ["humanevalpack-js", "--data", folder.path, "--script", "perfect", "--unsafe"];
    const { code, stderr } = await evalInfill(...data);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/has the checksum \w+ instead of/)]);
  });

  it("names the sets that there are, and what a way needs", async () => {
    const unknown = await evalInfill("humaneval", "--script", "empty", "--unsafe");
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('there is no set "humaneval"; there are humaneval-infilling/'),
    ]);
    const bare = await evalInfill("--way", "plain", "--unsafe");
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining("--backend")]);
  });

  it("scores scripts on SantaCoder-FIM and asks nothing twice", async () => {
    const lines = ["return a;", "}", "let b = 1;"];
    const rows = lines.map((line, index) => ({
      name: `task${index}`,
      language: "js",
      prompt: "function f(a) {",
      suffix: "return b; }",
      canonical_solution: line,
    }));
    const file = join(folder.path, "rows.jsonl");
    writeFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
    const scores = async (script: string): Promise<readonly (readonly [string, number])[]> => {
      const out = join(folder.path, `${script}.jsonl`);
      const args = ["--santacoder", file, "--script", script, "--way", "plain", "--out", out];
      // Rows are missing, which the exit code says.
      const { code, stdout } = await evalInfill(...args, "--json");
      expect(code).toBe(1);
      const report: {
        readonly sections: readonly {
          readonly blocks: readonly { readonly rows: readonly (readonly unknown[])[] }[];
        }[];
      } = JSON.parse(stdout);
      const [table] = report.sections[0]?.blocks ?? [];
      const exact = 4;
      return (table?.rows ?? []).map((row) => [String(row[0]), Number(row[exact])]);
    };
    const name = "santacoder-fim/javascript";
    expect(await scores("perfect")).toEqual([
      [name, 1],
      [`${name}, 3 characters on`, 1],
      ["santacoder-fim, all rows, 3 characters on", 1],
      ["santacoder-fim, all rows", 1],
    ]);
    expect((await scores("empty")).map(([, exact]) => exact)).toEqual([0, 0, 0, 0]);
    const kept = join(folder.path, "perfect.jsonl");
    const before = readFileSync(kept, "utf8");
    await scores("perfect");
    expect(readFileSync(kept, "utf8")).toBe(before);
  });
});

describe("data that is fetched", () => {
  const content = '{"a":1}\n';
  const sha256 = createHash("sha256").update(content).digest("hex");
  const { signal } = new AbortController();
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await ScriptedServer.start(() => ({ steps: [{ kind: "write", bytes: content }] }));
  });
  afterEach(() => server.close());

  it("is fetched once into the cache", async () => {
    const said: string[] = [];
    const cache = join(folder.path, "cache");
    const say = (line: string): void => void said.push(line);
    const source = infillDataSource({ folder: null, cache, isOffline: true, signal, say });
    const bytes = content.length;
    const file = { path: "set/a.jsonl", url: `${server.url}/a.jsonl`, sha256, bytes };
    expect(await readRows(file, source)).toEqual([{ a: 1 }]);
    expect(await readRows(file, source)).toEqual([{ a: 1 }]);
    expect([server.requests.length, said.length]).toEqual([1, 1]);
  });

  it("is not kept when it is something else than what was pinned", async () => {
    const cache = join(folder.path, "cache");
    const say = (): void => {};
    const source = infillDataSource({ folder: null, cache, isOffline: true, signal, say });
    const other = { path: "a.jsonl", url: `${server.url}/a.jsonl`, sha256: "0".repeat(64) };
    const file = { ...other, bytes: content.length };
    await expect(readRows(file, source)).rejects.toMatchObject({ code: "CHECKSUM_MISMATCH" });
    expect(existsSync(join(cache, "infill", "a.jsonl"))).toBe(false);
  });
});
