/** Where model files lie: `FOLDER/OWNER/REPOSITORY/FILE.gguf`, and whatever a person puts there. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../file-error.ts";
import type { ModelFile } from "./catalogue.ts";

/** A model file that is there. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** Not whole yet. */
  readonly isHalf: boolean;
}

/** The place of a file of the catalogue. */
export function storedPath(
  folder: string,
  { repository, file }: Pick<ModelFile, "repository" | "file">,
): string {
  return join(folder, ...repository.split("/"), file);
}

const MAX_DEPTH = 3;

/** Every model file below the folder, halves too, by path; empty when there is no folder. */
export async function listStored(folder: string): Promise<readonly StoredFile[]> {
  const found: StoredFile[] = [];
  const visit = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const entry of entries) {
      const child = join(path, entry.name);
      if (entry.isDirectory() && depth < MAX_DEPTH) await visit(child, depth + 1);
      const ending = /\.gguf(\.part)?$/i.exec(entry.name);
      if (ending === null || entry.isDirectory()) continue;
      // A link may lead nowhere.
      const bytes = await stat(child).then(
        ({ size }) => size,
        () => null,
      );
      if (bytes !== null) found.push({ path: child, bytes, isHalf: ending[1] !== undefined });
    }
  };
  await visit(folder, 1);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
