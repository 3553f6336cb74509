/**
 * Fetches the embedded engine with npm into a folder of its own: the library without its optional
 * parts, which are 0.7 GB of prebuilt code for every machine, plus the one part for this machine. No
 * script of a package is run. The folder appears in one step, or not at all.
 */
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { byteSize } from "../../base/byte-size.ts";
import { CompletionError, type ErrorCode, storageError } from "../../core/index.ts";
import { freeBytesAt } from "../disk-space.ts";
import { acquireWriterLock } from "../writer-lock.ts";
import { type InstalledEngine, installedEngine } from "./engine-folder.ts";
import { type EnginePlatform, type EngineVariant, enginePackage } from "./engine-platform.ts";
import { ENGINE_PACKAGE, ENGINE_VERSION } from "./engine-version.ts";
import { type NpmResult, type RunNpm, runNpm } from "./npm.ts";

export interface InstallEngineOptions {
  /** See `engineFolder`. */
  readonly folder: string;
  readonly machine: EnginePlatform;
  readonly variant: EngineVariant;
  readonly isOffline: boolean;
  /** Called for each package that is there, with about how many there are. */
  readonly onProgress: (packages: number, total: number) => void;
  readonly signal: AbortSignal;
  readonly npm?: RunNpm;
  readonly freeBytes?: (folder: string) => Promise<number>;
}

/** The library, what it needs, and one prebuilt part. */
const PACKAGES = 117;
/** What npm keeps in its own cache, and room to breathe. */
const SPARE_BYTES = 100e6;

/**
 * Installs what is missing and returns what is there. Throws `MODEL_SERVER_FAILED` for a machine that
 * nobody builds for, `DOWNLOAD_FAILED`, `CHECKSUM_MISMATCH`, as `storageError`, or the signal's reason.
 */
export async function installEngine(options: InstallEngineOptions): Promise<InstalledEngine> {
  const { folder, machine, variant } = options;
  const library = enginePackage(machine, variant);
  if (library === null) {
    const name = `${machine.platform}-${machine.architecture}`;
    throw new CompletionError(
      "MODEL_SERVER_FAILED",
      `There is no embedded engine for ${name} (${variant}); install llama.cpp, then midspan model run finds its server`,
    );
  }
  const found = await installedEngine(folder);
  if (found?.version === ENGINE_VERSION && found.libraries.includes(library.name)) return found;
  if (options.isOffline) {
    throw failed("--offline refuses to fetch the embedded engine; go online for it once");
  }
  const bytes = library.megabytes * 1e6;
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw storageError(parent, error);
  });
  await checkSpace(parent, bytes, options.freeBytes ?? freeBytesAt);
  const lock = await acquireWriterLock(join(parent, "install.lock"));
  if (lock === null) throw failed("Another process installs the embedded engine; wait for it");
  const unfinished = `${folder}.partial`;
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    // Variants lie side by side: the library takes the best that works.
    const libraries = new Set([...(found?.libraries ?? []), library.name]);
    await fetchPackages([...libraries], { ...options, unfinished });
    await replaceFolder(unfinished, folder);
  } catch (error) {
    throw storageError(folder, error);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await lock.release();
  }
  const installed = await installedEngine(folder);
  if (installed === null) throw failed("npm ended well and the embedded engine is not there");
  return installed;
}

/** Removes all versions of the engine; false when there was none. */
export async function removeEngines(folder: string): Promise<boolean> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
    throw storageError(folder, error);
  });
  return isThere;
}

async function fetchPackages(
  libraries: readonly string[],
  options: InstallEngineOptions & { readonly unfinished: string },
): Promise<void> {
  const { unfinished, signal, onProgress, npm = runNpm } = options;
  const manifest = { name: "midspan-engine", private: true };
  await writeFile(join(unfinished, "package.json"), JSON.stringify(manifest));
  const wanted = [ENGINE_PACKAGE, ...libraries].map((name) => `${name}@${ENGINE_VERSION}`);
  const flags = [
    "--omit=optional",
    "--omit=dev",
    "--ignore-scripts",
    "--save-exact",
    "--global=false",
  ];
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=http"];
  // npm refuses a shortest wait, 10 s by itself, that is above the longest one.
  const waits = ["--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"];
  const patience = ["--fetch-retries=2", ...waits];
  const args = ["install", "--prefix", unfinished, ...flags, ...quiet, ...patience, ...wanted];
  let packages = 0;
  const onPackage = (): void => onProgress(++packages, Math.max(packages, PACKAGES));
  const result = await npm(args, { cwd: unfinished, signal, onPackage });
  if (result.exitCode !== 0) throw npmFailure(result);
}

/** A folder cannot replace a full one in one step: the old one goes aside first. */
async function replaceFolder(from: string, to: string): Promise<void> {
  const aside = `${to}.old`;
  await rm(aside, { recursive: true, force: true });
  await rename(to, aside).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });
  await rename(from, to);
  await rm(aside, { recursive: true, force: true });
}

async function checkSpace(
  folder: string,
  bytes: number,
  freeBytes: (folder: string) => Promise<number>,
): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= bytes + SPARE_BYTES) return;
  throw new CompletionError(
    "STORAGE_FULL",
    `There is no room in ${folder}: ${byteSize(bytes + SPARE_BYTES)} are needed and ${byteSize(free)} are free; free some, or set MIDSPAN_HOME to another disk`,
  );
}

/** Codes of npm and of the network below it. */
const advice: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOTFOUND: ["DOWNLOAD_FAILED", "the npm registry cannot be reached; check the network"],
  EAI_AGAIN: ["DOWNLOAD_FAILED", "the npm registry cannot be reached; check the network"],
  ECONNREFUSED: ["DOWNLOAD_FAILED", "the npm registry refuses the connection; check the proxy"],
  ECONNRESET: ["DOWNLOAD_FAILED", "the connection to the npm registry broke; try again"],
  ETIMEDOUT: ["DOWNLOAD_FAILED", "the npm registry does not answer; check the network and proxy"],
  ERR_SOCKET_TIMEOUT: ["DOWNLOAD_FAILED", "the npm registry does not answer; check the network"],
  E401: ["DOWNLOAD_FAILED", "the npm registry wants an account; check the npm settings"],
  E403: ["DOWNLOAD_FAILED", "the npm registry refuses the package; check the npm settings"],
  E404: ["DOWNLOAD_FAILED", "the npm registry has no such package; check its setting in npm"],
  EINTEGRITY: ["CHECKSUM_MISMATCH", "a package is not what it should be; try again"],
  ENOSPC: ["STORAGE_FULL", "the disk is full; free some and try again"],
};

function npmFailure({ errorCode, says, exitCode }: NpmResult): CompletionError {
  const [code, words] = advice[errorCode ?? ""] ?? [
    "DOWNLOAD_FAILED",
    says === "" ? `npm ended with code ${exitCode}` : `npm says: ${says}`,
  ];
  const named = errorCode === null ? "" : ` (${errorCode})`;
  return new CompletionError(code, `The embedded engine could not be fetched${named}: ${words}`);
}

function failed(message: string): CompletionError {
  return new CompletionError("DOWNLOAD_FAILED", message);
}
