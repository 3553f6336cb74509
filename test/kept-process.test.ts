import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { until } from "./e2e/until.ts";
import { root, runToEnd } from "./integration/product.ts";

const idle = "setInterval(() => {}, 1000)";
/** Starts a program that starts another one, and is killed as it says who they are. */
const run = `
  import { spawn } from "node:child_process";
  import { keepProcess } from ${JSON.stringify(join(import.meta.dirname, "kept-process.ts"))};
  const inner = ${JSON.stringify(`
    const { pid } = require("node:child_process").spawn(process.execPath, ["-e", "${idle}"]);
    console.log(process.pid + " " + pid);
    ${idle};
  `)};
  const child = spawn(process.execPath, ["-e", inner], { detached: true });
  keepProcess(child);
  child.stdout.on("data", (text) => {
    process.stdout.write(text, () => process.kill(process.pid, "SIGKILL"));
  });
`;

it.runIf(process.platform === "linux")(
  "leaves no program behind when a run is killed",
  async () => {
    const tsx = join(root, "node_modules/tsx/dist/loader.mjs");
    const args = ["--import", `file://${tsx}`, "--input-type=module", "-e", run];
    const { stdout } = await runToEnd(process.execPath, args, { cwd: root, env: process.env });
    const pids = stdout.trim().split(" ").map(Number);
    expect(pids).toHaveLength(2);
    await until(
      () => pids.filter((pid) => existsSync(`/proc/${pid}`)),
      (left) => left.length === 0,
      { what: "no program left", withinMs: 15_000 },
    );
  },
);
