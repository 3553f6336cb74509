/**
 * What must be true before a command of this repository can run: dependencies as the lockfile says,
 * and a build as new as the sources. Both are decided by content hashes, so that `git pull` is enough.
 * Plain Node without dependencies: this runs before anything is installed.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const installStamp = join(root, "node_modules", ".midspan-lock-hash");
const buildStamp = join(root, "dist", ".source-hash");
/** Everything that a build reads. */
const sources = ["src", "scripts/bundle.mjs", "package-lock.json"];

/** Runs `npm ci` when the lockfile changed since the last install. Returns whether it did. */
export function ensureInstalled() {
  const hash = hashOf(["package-lock.json"]);
  if (existsSync(installStamp) && readFileSync(installStamp, "utf8") === hash) return false;
  say("Installing dependencies (640 MB, once per lockfile, a minute or two) …");
  const started = Date.now();
  const code = npm(["ci", "--no-audit", "--no-fund", "--loglevel", "error"]);
  if (code !== 0) {
    say("npm ci failed. Check the network or the registry setting, then run the command again.");
    process.exit(code);
  }
  writeFileSync(installStamp, hash);
  say(`Installed in ${seconds(started)}.`);
  return true;
}

/** Builds when a source changed since the last build. Returns whether it did. */
export function ensureBuilt() {
  const hash = hashOf(sources);
  if (existsSync(buildStamp) && readFileSync(buildStamp, "utf8") === hash) return false;
  const started = Date.now();
  say("Building …");
  rmSync(buildStamp, { force: true });
  // A process of its own: the bundlers' memory and helper processes end with it.
  const bundler = join(root, "scripts", "bundle.mjs");
  const { status } = spawnSync(process.execPath, [bundler], { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) {
    say("The build failed; the lines above say where.");
    process.exit(status ?? 1);
  }
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, hash);
  say(`Built in ${seconds(started)}.`);
  return true;
}

/** Runs npm without a shell where npm tells us its own path. Returns the exit code. */
export function npm(args) {
  const own = process.env.npm_execpath;
  const result =
    own === undefined || !/\.[cm]?js$/.test(own)
      ? spawnSync("npm", args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" })
      : spawnSync(process.execPath, [own, ...args], { cwd: root, stdio: "inherit" });
  return result.status ?? 1;
}

/** Runs a program of `node_modules` with this Node. Returns the exit code. */
export function run(name, args, options = {}) {
  const manifestPath = join(root, "node_modules", name, "package.json");
  const manifest = JSON.parse(readFileSync(manifestPath, "utf8"));
  const bin = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[options.bin ?? name];
  const script = join(dirname(manifestPath), bin);
  const env = { ...process.env, ...options.env };
  const result = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: "inherit",
    env,
  });
  return result.status ?? 1;
}

/** A line for the person at the terminal; stdout belongs to the program that runs afterwards. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

function hashOf(paths) {
  const hash = createHash("sha256").update(process.version.split(".")[0]);
  for (const path of paths) {
    for (const file of filesUnder(join(root, path))) {
      hash.update(relative(root, file).split(sep).join("/")).update("\0");
      hash.update(readFileSync(file)).update("\0");
    }
  }
  return hash.digest("hex");
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    return [path];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const child = join(path, entry.name);
      if (entry.isDirectory()) return filesUnder(child);
      return entry.name.endsWith(".test.ts") ? [] : [child];
    });
}

function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}
