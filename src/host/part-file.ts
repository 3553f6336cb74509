/** The half of a file that has arrived, `NAME.part`, with the checksum of its bytes so far. */
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { storageError } from "../core/index.ts";

export class PartFile {
  readonly path: string;
  readonly #target: string;
  readonly #file: FileHandle;
  #hash: Hash;
  #bytes = 0;

  private constructor(target: string, file: FileHandle, hash: Hash) {
    this.path = partPath(target);
    this.#target = target;
    this.#file = file;
    this.#hash = hash;
  }

  /** Goes on with what is there, or begins anew. Throws as `storageError` when it cannot be written. */
  static async open(
    target: string,
    options: { readonly keep: boolean; readonly signal: AbortSignal },
  ): Promise<PartFile> {
    try {
      const file = await open(partPath(target), "a+", 0o600);
      try {
        const hash = createHash("sha256");
        const part = new PartFile(target, file, hash);
        if (!options.keep) await file.truncate(0);
        for await (const chunk of createReadStream(part.path, { signal: options.signal })) {
          hash.update(chunk);
          part.#bytes += chunk.length;
        }
        return part;
      } catch (error) {
        await file.close();
        throw error;
      }
    } catch (error) {
      throw options.signal.aborted ? options.signal.reason : storageError(target, error);
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  async append(chunk: Uint8Array): Promise<void> {
    try {
      // `write` may take less than the whole; `appendFile` does not.
      await this.#file.appendFile(chunk);
    } catch (error) {
      throw storageError(this.#target, error);
    }
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  /** Throws away what is there. */
  async restart(): Promise<void> {
    await this.#file.truncate(0);
    this.#hash = createHash("sha256");
    this.#bytes = 0;
  }

  /** SHA-256 of everything, in hexadecimal digits. Call it once. */
  digest(): string {
    return this.#hash.digest("hex");
  }

  /** Makes it the finished file. */
  async finish(): Promise<void> {
    try {
      await this.#file.sync();
      await this.#file.close();
      await rename(this.path, this.#target);
    } catch (error) {
      throw storageError(this.#target, error);
    }
  }

  /** Leaves it for the next time. Does nothing after `finish` or `discard`. */
  async close(): Promise<void> {
    await this.#file.close().catch(() => {});
  }

  async discard(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }
}

/** Where the half of a file lies. */
export function partPath(target: string): string {
  return `${target}.part`;
}
