/** The source files of a corpus: written by people, of one language, none twice. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** One file of a corpus. */
export interface SourceFile {
  /** Relative to the corpus, with `/`. */
  readonly path: string;
  /** Text as on disk, but for a byte order mark. */
  readonly text: string;
  readonly languageId: string;
}

/** Files above this many bytes are generated or bundled; the product leaves them out as well. */
const MAX_FILE_BYTES = 1_000_000;
/** Mean line length above which a file is minified or data. */
const MAX_MEAN_LINE_UNITS = 200;

/**
 * Reads the files below `folders` whose names end in one of `extensions`, sorted by path.
 * Left out: declaration files, minified files, files over 1 MB, and all but the first of several
 * files with the same content. A folder that is missing is an error.
 */
export async function readSourceFiles(options: {
  readonly root: string;
  readonly folders: readonly string[];
  readonly extensions: readonly string[];
  readonly languageId: string;
}): Promise<readonly SourceFile[]> {
  const { root, folders, extensions, languageId } = options;
  const paths: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const isSource = extensions.some((extension) => entry.name.endsWith(extension));
      if (!entry.isFile() || !isSource || /\.d\.[cm]?ts$/.test(entry.name)) continue;
      paths.push(relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
    }
  }
  const files: SourceFile[] = [];
  const seen = new Set<string>();
  for (const path of paths.sort()) {
    const bytes = await readFile(join(root, path));
    if (bytes.length > MAX_FILE_BYTES) continue;
    const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
    if (isMinified(text) || seen.has(text)) continue;
    seen.add(text);
    files.push({ path, text, languageId });
  }
  return files;
}

function isMinified(text: string): boolean {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return text.length / lines > MAX_MEAN_LINE_UNITS;
}
