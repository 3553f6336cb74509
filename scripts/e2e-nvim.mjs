// `npm run e2e:nvim [-- FILTER]`: drives a real Neovim, 0.12 or newer. Named by MIDSPAN_NVIM, else on
// PATH; else one is set up from Debian's next release (needs root and some minutes, once).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root, run, say } from "./prepare.mjs";

ensureInstalled();
ensureBuilt();
process.env.MIDSPAN_NVIM ||= ownNvim() ?? setUp();
process.exit(run("vitest", ["run", "test/e2e/nvim", ...process.argv.slice(2)]));

/** `nvim` where the one on PATH is new enough. */
function ownNvim() {
  const { stdout } = spawnSync("nvim", ["--version"], { encoding: "utf8" });
  const [, major, minor] = (stdout ?? "").match(/^NVIM v(\d+)\.(\d+)/)?.map(Number) ?? [];
  return major > 0 || minor >= 12 ? "nvim" : null;
}

function setUp() {
  say("Setting up Neovim (some minutes, once) …");
  const script = join(root, "scripts", "debian-programs.sh");
  const place = process.env.MIDSPAN_PROGRAMS;
  const { status, stdout } = spawnSync(script, place === undefined ? [] : [place], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) {
    say("Neovim could not be set up; install 0.12 or newer, or name it by MIDSPAN_NVIM.");
    process.exit(1);
  }
  return `chroot ${stdout.trim().split("\n").at(-1)} nvim`;
}
