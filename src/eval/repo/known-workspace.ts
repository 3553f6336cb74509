/** What is brought to the state that a question may know. */
import type { LocalModel } from "../../local/index.ts";
import { indexFiles } from "../index-files.ts";
import type { SourceFile } from "../source-file.ts";

export interface KnownWorkspace {
  /** `null` where the model without weights is off. */
  readonly local: LocalModel | null;
  /** Is told of all files, for repository context; `null` where there is none. */
  readonly onFiles: ((files: readonly SourceFile[]) => Promise<void>) | null;
}

/** Makes these files known, and no others. */
export async function makeKnown(
  files: readonly SourceFile[],
  { local, onFiles }: KnownWorkspace,
): Promise<void> {
  local?.adopt(indexFiles(files));
  await onFiles?.(files);
}
