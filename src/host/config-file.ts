import { join } from "node:path";
import { parse, TomlError } from "smol-toml";
import type { ConfigFile } from "../config/layers.ts";
import { CompletionError } from "../core/index.ts";
import { fileErrorCode, isMissing } from "./file-error.ts";
import { readPlainFile } from "./plain-file.ts";

/** A person writes a few lines. */
const MAX_CONFIG_BYTES = 1_000_000;

/** The `midspan.toml` of a workspace. */
export function workspaceConfigFile(root: string): string {
  return join(root, "midspan.toml");
}

/**
 * Reads a `midspan.toml`; `null` when there is none. Throws `CONFIG_INVALID` with file, line and column
 * when it is no TOML, and with the file when it cannot be read.
 */
export async function readConfigFile(file: string): Promise<ConfigFile | null> {
  try {
    const read = await readPlainFile(file, { maxBytes: MAX_CONFIG_BYTES, links: "followed" });
    if (read.kind === "left-out") {
      const what = read.reason === "special" ? "no plain file" : `over ${MAX_CONFIG_BYTES} bytes`;
      throw new CompletionError("CONFIG_INVALID", `${file} is ${what}`);
    }
    return { file, values: parse(read.bytes.toString("utf8").replace(/^\uFEFF/, "")) };
  } catch (cause) {
    if (cause instanceof CompletionError) throw cause;
    if (isMissing(cause)) return null;
    if (cause instanceof TomlError) {
      // The first line of the parser's message; the rest is a drawing of the place.
      const what = cause.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "");
      const place = `${file}:${cause.line}:${cause.column}`;
      throw new CompletionError("CONFIG_INVALID", `${place} is no TOML: ${what}`, { cause });
    }
    const code = fileErrorCode(cause);
    if (code === null) throw cause;
    throw new CompletionError("CONFIG_INVALID", `${file} cannot be read (${code})`, { cause });
  }
}
