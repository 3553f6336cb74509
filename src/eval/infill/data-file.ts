/**
 * The data of the benchmarks. It is no part of this project: it lies in a folder that the user names,
 * or is fetched once into the cache, and in both cases must have the pinned checksum.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import { parseJsonLines } from "../run/json-lines.ts";
import dataFiles from "./data-files.data.json" with { type: "json" };

/** One file of a benchmark. */
export interface DataFile {
  /** Below the folder of the data. */
  readonly path: string;
  /** The revision that the checksum is of. */
  readonly url: string;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Names of the files, as the sets refer to them. */
export type DataFileName = keyof typeof dataFiles;

/** Where files come from. */
export interface DataSource {
  /** A folder that holds them already; `null`: they are fetched into `cacheFolder`. */
  readonly folder: string | null;
  readonly cacheFolder: string;
  /** Fetches a file to a path and checks it. Rejects with what went wrong, for a person. */
  readonly fetch: (file: DataFile, target: string) => Promise<void>;
}

/** What is known of a file. */
export function dataFile(name: DataFileName): DataFile {
  return dataFiles[name];
}

/**
 * The lines of the file, decoded. Throws `EvaluationUnavailableError` when it is not in the folder,
 * or has another checksum than the pinned one; rejects as `fetch` does.
 */
export async function readRows(file: DataFile, source: DataSource): Promise<readonly unknown[]> {
  const path = join(source.folder ?? source.cacheFolder, file.path);
  let bytes = await readFile(path).catch(() => null);
  if (bytes === null && source.folder === null) {
    await source.fetch(file, path);
    bytes = await readFile(path);
  }
  if (bytes === null) {
    const message = `${path} is missing; copy it there from ${file.url}, or leave --data out to have it fetched`;
    throw new EvaluationUnavailableError(message);
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== file.sha256) {
    const message = `${path} has the checksum ${sha256} instead of ${file.sha256}; get it anew from ${file.url}`;
    throw new EvaluationUnavailableError(message);
  }
  const text = new TextDecoder().decode(file.path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  return parseJsonLines(text, { file: path, read: (fields) => fields });
}
