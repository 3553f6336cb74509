/** Facts about errors of the file system, by code. */

/** The code, such as `ENOENT`; `null` when the error has none. */
export function fileErrorCode(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}

/** True when the file or a folder on its path is not there. */
export function isMissing(error: unknown): boolean {
  const code = fileErrorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
