/** What names this installation in events: a random word, and the salt of path hashes. */
import { createHmac, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { LruMap } from "../base/lru.ts";
import { storageError } from "../core/index.ts";

/** One installation. */
export interface Installation {
  readonly install: string;
  /** 64 bits of HMAC-SHA256 as hex: equal paths, equal words; nobody without the salt finds the path. */
  readonly hashPath: (path: string) => string;
}

/** Reads the file, or makes it. Readable by its owner only. Throws as `storageError` when it cannot be made. */
export async function openInstallation(file: string): Promise<Installation> {
  const { install, salt } = (await read(file)) ?? (await make(file));
  // Each request tells events of the same few files.
  const hashes = new LruMap<string, string>(MAX_HASHES);
  return {
    install,
    hashPath: (path) => {
      const known = hashes.get(path);
      if (known !== undefined) return known;
      const hash = createHmac("sha256", salt).update(path).digest("hex").slice(0, 16);
      hashes.set(path, hash);
      return hash;
    },
  };
}

/** Files that a person works on at a time, and more. */
const MAX_HASHES = 256;

interface Secret {
  readonly install: string;
  readonly salt: string;
}

async function make(file: string): Promise<Secret> {
  const own = `${file}.${randomBytes(4).toString("hex")}.tmp`;
  const secret = { install: randomBytes(8).toString("hex"), salt: randomBytes(32).toString("hex") };
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // Written beside and linked into place: two processes that start at once agree on one.
    await writeFile(own, `${JSON.stringify(secret)}\n`, { flag: "wx", mode: 0o600 });
    await link(own, file).catch(() => {});
    const agreed = await read(file);
    if (agreed !== null) return agreed;
    // What is there is damaged, or the file system has no links.
    await rename(own, file);
    return secret;
  } catch (cause) {
    throw storageError(file, cause);
  } finally {
    await rm(own, { force: true }).catch(() => {});
  }
}

async function read(file: string): Promise<Secret | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return isSecret(value) ? value : null;
  } catch {
    return null;
  }
}

function isSecret(value: unknown): value is Secret {
  return (
    typeof value === "object" &&
    value !== null &&
    "install" in value &&
    typeof value.install === "string" &&
    "salt" in value &&
    typeof value.salt === "string"
  );
}
