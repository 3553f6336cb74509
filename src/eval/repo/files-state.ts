import { hashText } from "../../base/hash.ts";
import type { SourceFile } from "../source-file.ts";

/** A name for the content of all these files. */
export function stateOf(files: readonly SourceFile[]): string {
  const parts = files.map(({ path, text }) => `${path}\0${hashText(text)}\n`);
  return hashText(parts.join("")).slice(0, 12);
}
