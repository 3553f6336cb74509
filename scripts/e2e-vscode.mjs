// `npm run e2e:vscode [-- FILTER]`: packs the extension and drives it in a real VS Code workbench, shown by
// Chromium. The workbench is code-server in the folder that MIDSPAN_CODE_SERVER names; else one is set
// up (some minutes, once).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, root, run, say } from "./prepare.mjs";

ensureInstalled();
process.env.MIDSPAN_CODE_SERVER ||= setUp();
process.env.MIDSPAN_TEST_VSIX ||= packed();
process.exit(run("vitest", ["run", "test/e2e/vscode", ...process.argv.slice(2)]));

function setUp() {
  say("Setting up code-server (some minutes, once) …");
  const { status, stdout } = spawnSync(join(root, "scripts", "code-server.sh"), [], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) {
    say("code-server could not be set up; name a folder with one by MIDSPAN_CODE_SERVER.");
    process.exit(1);
  }
  return stdout.trim().split("\n").at(-1);
}

function packed() {
  const file = join(root, "build", "midspan-test.vsix");
  const script = join(root, "scripts", "vscode.mjs");
  const { status } = spawnSync(process.execPath, [script, file], { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  return file;
}
