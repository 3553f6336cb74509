/** The package as a user gets it: packed, installed into an empty folder, run. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnvironment, root, runToEnd, startServer, temporaryFolder } from "./product.ts";

const folder = temporaryFolder("pack");
const workspace = join(folder.path, "my code");
const env = cleanEnvironment(join(folder.path, "home"));
const bin = join(folder.path, "node_modules", "midspan", "dist", "cli", "main.js");

beforeAll(() => {
  const packed = npm(
    ["pack", "--json", "--ignore-scripts", "--pack-destination", folder.path],
    root,
  );
  const { filename } = JSON.parse(packed)[0];
  writeFileSync(join(folder.path, "package.json"), '{"name":"empty","private":true}');
  npm(
    ["install", "--no-audit", "--no-fund", "--prefer-offline", join(folder.path, filename)],
    folder.path,
  );
  mkdirSync(workspace);
  const line = (name: string): string => `export const ${name} = makeWidget(defaults);\n`;
  writeFileSync(
    join(workspace, "widgets.ts"),
    ["alpha", "beta", "gamma", "delta"].map(line).join(""),
  );
  writeFileSync(
    join(workspace, "more.ts"),
    `${line("epsilon")}${line("zeta")}export const eta = make`,
  );
}, 240_000);

afterAll(folder.dispose);

describe("the packed program", () => {
  it("completes a line of a workspace without a model", async () => {
    const args = ["complete", "--file", "more.ts", "--line", "3", "--column", "24", "--json"];
    const result = await runToEnd(process.execPath, [bin, ...args], { cwd: workspace, env });
    expect(result.code, result.stderr).toBe(0);
    const reply = JSON.parse(result.stdout);
    expect(reply.completion).toBe("Widget(defaults);");
    expect(reply.source).toBe("local");
  });

  it("serves the page and the interface", async () => {
    const args = [bin, "serve", workspace, "--port", "0", "--no-open"];
    const server = await startServer(process.execPath, args, { cwd: folder.path, env });
    try {
      const page = await fetch(`${server.url}/`);
      expect([page.status, page.headers.get("content-type")]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      const health = await (await fetch(`${server.url}/v1/health`)).json();
      expect(health).toMatchObject({ name: "midspan", status: "ok" });
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });
});

function npm(args: readonly string[], cwd: string): string {
  const own = process.env.npm_execpath;
  const [command, first] =
    own !== undefined && /\.[cm]?js$/.test(own) ? [process.execPath, [own]] : ["npm", []];
  return execFileSync(command, [...first, ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    shell: command === "npm" && process.platform === "win32",
  });
}
