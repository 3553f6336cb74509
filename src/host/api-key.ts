import { open } from "node:fs/promises";
import { CompletionError } from "../core/index.ts";
import { fileErrorCode } from "./file-error.ts";

/**
 * The key of the backend: `MIDSPAN_API_KEY`, else the content of `file`; `null` when there is neither.
 * A file that others may read is refused, and so is one that cannot be read: `CONFIG_INVALID`. The key
 * is never part of a message.
 */
export async function readApiKey(options: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The setting `apiKeyFile`; "" for none. */
  readonly file: string;
}): Promise<string | null> {
  const fromVariable = options.environment.MIDSPAN_API_KEY?.trim();
  if (fromVariable !== undefined && fromVariable !== "") {
    return checked(fromVariable, "MIDSPAN_API_KEY");
  }
  return options.file === "" ? null : readKeyFile(options.file);
}

async function readKeyFile(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { mode } = await file.stat();
      // Windows has no such bits; there the folder's rights protect the file.
      if (process.platform !== "win32" && (mode & 0o077) !== 0) {
        const bits = (mode & 0o777).toString(8).padStart(4, "0");
        throw invalid(`${path} can be read by others (mode ${bits}); run chmod 600 ${path}`);
      }
      return checked((await file.readFile("utf8")).trim(), path);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CompletionError) throw cause;
    throw invalid(`the key file ${path} cannot be read (${fileErrorCode(cause)})`, cause);
  }
}

/** A key goes into a header: visible ASCII on one line. */
function checked(key: string, where: string): string {
  if (key === "") throw invalid(`${where} is empty`);
  if (!/^[!-~]+$/.test(key)) throw invalid(`${where} does not hold a key on a single line`);
  return key;
}

function invalid(message: string, cause?: unknown): CompletionError {
  return new CompletionError("CONFIG_INVALID", message, { cause });
}
