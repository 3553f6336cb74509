import { basename } from "node:path";
import { CompletionError } from "../core/index.ts";

/** The error for a file that begins as a model and cannot be read as one. */
export function damaged(path: string, what: string): CompletionError {
  return invalid(path, `is damaged (${what}); fetch it again`);
}

/** The error for a file that is no model for us. `says` follows its name. */
export function invalid(path: string, says: string): CompletionError {
  return new CompletionError("MODEL_FILE_INVALID", `${basename(path)} ${says}`);
}
