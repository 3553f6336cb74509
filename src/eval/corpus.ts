/**
 * Open packages as corpora. They are fetched once, by the clients that people already have
 * (`npm pack`; `apt-get download` for Debian's Python packages), checked against the pinned checksum
 * in `corpora.data.json`, unpacked with the system's `tar` or `dpkg-deb` into the user's cache, and
 * never become part of this project.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import corporaData from "./corpora.data.json" with { type: "json" };
import { EvaluationUnavailableError } from "./run/evaluation-unavailable.ts";
import { readSourceFiles, type SourceFile } from "./source-file.ts";

/** One package of the list. */
export interface CorpusPackage {
  readonly name: string;
  readonly source: "npm" | "debian";
  /** Name of the package where it comes from; `name` but for Debian. */
  readonly archiveName: string;
  readonly version: string;
  /** `sha512-` and the digest in base64. */
  readonly checksum: string;
  /** Where its source is; built copies beside it would leak the answers. */
  readonly folders: readonly string[];
  readonly extensions: readonly string[];
  readonly languageId: string;
}

/** A package cannot be had: no client, no network, or not the pinned content. */
export class CorpusUnavailableError extends EvaluationUnavailableError {
  override readonly name = "CorpusUnavailableError";
}

/** A package and its files. */
export interface Corpus {
  readonly package: CorpusPackage;
  readonly files: readonly SourceFile[];
}

/** Packages that judge the local model. None of them trains its calibrator. */
export const judgedPackages: readonly CorpusPackage[] = corporaData.judged.map(parsePackage);
/** Packages that train its calibrator. None of them judges it. */
export const trainingPackages: readonly CorpusPackage[] = corporaData.training.map(parsePackage);
/** Training packages that together are the large corpus of the time and memory figures. */
export const largeCorpusPackages: readonly CorpusPackage[] = trainingPackages.filter((candidate) =>
  corporaData.large.includes(candidate.name),
);

/**
 * The package's files, fetched into `folder` when they are not there yet. Throws
 * `CorpusUnavailableError` when the client is missing, the package cannot be had, or its checksum is
 * not the pinned one.
 */
export async function loadCorpus(
  corpusPackage: CorpusPackage,
  options: { readonly folder: string },
): Promise<Corpus> {
  const { name, version, folders, extensions, languageId } = corpusPackage;
  const root = join(options.folder, `${name}-${version}`.replace(/[^\w.-]+/g, "_"));
  if (!(await exists(root))) {
    await mkdir(options.folder, { recursive: true });
    const scratch = await mkdtemp(join(options.folder, "fetch-"));
    try {
      const unpacked = await fetchPackage(corpusPackage, scratch);
      // Only a complete copy gets the final name; losing a race against another run is no failure.
      await rename(unpacked, root).catch(async (error: unknown) => {
        if (!(await exists(root))) throw error;
      });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
  const files = await readSourceFiles({ root, folders, extensions, languageId });
  return { package: corpusPackage, files };
}

async function fetchPackage(corpusPackage: CorpusPackage, scratch: string): Promise<string> {
  const { source, name, archiveName, version, checksum } = corpusPackage;
  const unpacked = join(scratch, "unpacked");
  await mkdir(unpacked);
  if (source === "npm") {
    await runClient("npm", ["pack", `${archiveName}@${version}`, "--silent"], scratch);
  } else {
    await runClient("apt-get", ["download", "-qq", `${archiveName}=${version}`], scratch);
  }
  const archive = (await readdir(scratch)).find((file) => /\.(tgz|deb)$/.test(file));
  if (archive === undefined) {
    throw new CorpusUnavailableError(`${name} ${version} brought no archive`);
  }
  const digest = createHash("sha512").update(await readFile(join(scratch, archive)));
  const actual = `sha512-${digest.digest("base64")}`;
  if (actual !== checksum) {
    const message = `${name} ${version} has checksum ${actual} instead of ${checksum}`;
    throw new CorpusUnavailableError(message);
  }
  if (source === "npm") {
    // Every npm archive holds one top folder, whose name varies.
    await runClient("tar", ["-xzf", archive, "-C", "unpacked", "--strip-components=1"], scratch);
  } else {
    await runClient("dpkg-deb", ["-x", archive, "unpacked"], scratch);
  }
  return unpacked;
}

const execute = promisify(execFile);

async function runClient(command: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    // On Windows npm is a script, which only a shell starts.
    await execute(command, [...args], { cwd, shell: process.platform === "win32" });
  } catch (cause) {
    const message = `cannot get a corpus: "${command} ${args.join(" ")}" failed`;
    throw new CorpusUnavailableError(message, { cause });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function parsePackage(
  row: Omit<CorpusPackage, "source"> & { readonly source: string },
): CorpusPackage {
  if (row.source !== "npm" && row.source !== "debian") {
    throw new RangeError(`corpus ${row.name} has the unknown source ${row.source}`);
  }
  return { ...row, source: row.source };
}
