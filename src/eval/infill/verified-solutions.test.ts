import { expect, it } from "vitest";
import { tempFolder } from "../../testing/temp-folder.ts";
import type { SandboxResult } from "../sandbox/run-limited.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Solution } from "./solution.ts";
import type { Toolchain } from "./toolchain.ts";
import { verifiedSolutions } from "./verified-solutions.ts";

const toolchain: Toolchain = {
  id: "javascript",
  version: "Node",
  file: "main.js",
  others: {},
  command: ["node", "main.js"],
  visible: [],
  environment: {},
  limits: {},
};

/** The body says how the program ends. */
const endings: Readonly<Record<string, SandboxResult>> = {
  passes: { kind: "ended", exitCode: 0, output: "" },
  fails: { kind: "ended", exitCode: 1, output: "assertion" },
  hangs: { kind: "stopped", limit: "time", output: "" },
  missing: { kind: "ended", exitCode: 127, output: "node: not found" },
};

function solutionsOf(...bodies: readonly string[]): readonly Solution[] {
  const tests = { toolchain: "javascript", head: "", tail: "", without: null } as const;
  return bodies.map((body) => ({ id: body, prompt: "", body, tests }));
}

function countingSandbox(): Sandbox & { readonly tried: string[] } {
  const tried: string[] = [];
  return {
    isolation: "none",
    tried,
    run: async ({ files }) => {
      const program = files["main.js"] ?? "";
      tried.push(program);
      return endings[program] ?? { kind: "ended", exitCode: 1, output: "" };
    },
  };
}

it("keeps what passed and what failed, and tries what hung again", async () => {
  const sandbox = countingSandbox();
  const cacheFolder = tempFolder();
  const { signal } = new AbortController();
  const options = { toolchain, cacheFolder, parallel: 2, onProgress: () => {}, signal };
  const all = solutionsOf("passes", "fails", "hangs");
  const passing = await verifiedSolutions(all, { ...options, sandbox });
  expect(passing.map(({ id }) => id)).toEqual(["passes"]);
  const again = countingSandbox();
  expect(await verifiedSolutions(all, { ...options, sandbox: again })).toEqual(passing);
  expect([sandbox.tried.length, again.tried]).toEqual([3, ["hangs"]]);
  const newer = countingSandbox();
  const other = { ...toolchain, version: "newer" };
  await verifiedSolutions(all, { ...options, toolchain: other, sandbox: newer });
  expect(newer.tried).toHaveLength(3);
});

it("says that the compiler is gone and keeps nothing of that", async () => {
  const sandbox = countingSandbox();
  const cacheFolder = tempFolder();
  const { signal } = new AbortController();
  const options = { toolchain, cacheFolder, parallel: 1, onProgress: () => {}, signal };
  const attempt = verifiedSolutions(solutionsOf("missing"), { ...options, sandbox });
  await expect(attempt).rejects.toThrow("Node: node: not found");
  const again = countingSandbox();
  await verifiedSolutions(solutionsOf("missing"), { ...options, sandbox: again }).catch(() => []);
  expect(again.tried).toEqual(["missing"]);
});
