/** `npm start` on a copy of the repository: what it does the first time, and what it leaves out the second. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnvironment, root, runToEnd, startServer, temporaryFolder } from "./product.ts";

const folder = temporaryFolder("start");
const checkout = join(folder.path, "checkout");
const workspace = join(folder.path, "workspace");
const env = cleanEnvironment(join(folder.path, "home"));
const start = [join(checkout, "scripts", "start.mjs"), workspace, "--no-open"];

beforeAll(() => {
  mkdirSync(checkout);
  mkdirSync(workspace);
  // A checkout whose dependencies and build are current: what is asserted is that neither runs again.
  const names = [
    "src",
    "scripts",
    "dist",
    "package.json",
    "package-lock.json",
    "tsconfig.base.json",
  ];
  for (const name of names) {
    cpSync(join(root, name), join(checkout, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"), "junction");
  for (let i = 0; i < 5; i++) {
    writeFileSync(
      join(workspace, `file${i}.ts`),
      `export function run${i}(): number {\n  return ${i};\n}\n`,
    );
  }
});

afterAll(folder.dispose);

async function served(args: readonly string[]): Promise<string> {
  const server = await startServer(process.execPath, args, {
    cwd: checkout,
    env,
    pattern: /\d+ read anew.*\n/,
  });
  expect(await server.stop("SIGINT")).toBe(0);
  return server.output();
}

describe("npm start", () => {
  it("runs no install, no build, and lexes no unchanged file the second time", async () => {
    const first = await served([...start, "--port", "0"]);
    const second = await served([...start, "--port", "0"]);
    expect(first).toMatch(/\(5 read anew/);
    expect(second).toMatch(/\(0 read anew/);
    expect(second).not.toMatch(/Installing|Building/);
  });

  it("lexes a changed file and only that", async () => {
    writeFileSync(join(workspace, "file2.ts"), "export const changed = 1;\n");
    expect(await served([...start, "--port", "0"])).toMatch(/\(1 read anew/);
  });

  it("builds again when a source changed", async () => {
    writeFileSync(join(checkout, "src", "base", "extra.ts"), "export const extra: number = 1;\n");
    const output = await served([...start, "--port", "0"]);
    expect(output).toMatch(/Building/);
    expect(output).not.toMatch(/Installing/);
  }, 120_000);

  it("says which port is taken and exits with 1 when the port was asked for", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const address = blocker.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const result = await runToEnd(process.execPath, [...start, "--port", String(port)], {
      cwd: checkout,
      env,
    });
    blocker.close();
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(String(port));
  });

  it("exits with 2 and a sentence when a flag is unknown", async () => {
    const result = await runToEnd(process.execPath, [...start, "--prot", "1"], {
      cwd: checkout,
      env,
    });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("--prot");
  });
});
