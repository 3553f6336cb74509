/** Many packages as one corpus, for figures of time and memory. */
import { CorpusUnavailableError, largeCorpusPackages, loadCorpus } from "./corpus.ts";
import type { SourceFile } from "./source-file.ts";

export interface LargeCorpus {
  /** Names and versions of the packages that could be had. */
  readonly packages: readonly string[];
  /** Their files under `NAME/path`, none repeated across packages. */
  readonly files: readonly SourceFile[];
}

/**
 * All packages that can be had; one that cannot is named to `note`, so that a machine without
 * Debian's client still has a corpus. Throws `CorpusUnavailableError` when there is none at all.
 */
export async function loadLargeCorpus(options: {
  readonly corpusFolder: string;
  readonly note: (text: string) => void;
}): Promise<LargeCorpus> {
  const packages: string[] = [];
  const files: SourceFile[] = [];
  const seen = new Set<string>();
  for (const wanted of largeCorpusPackages) {
    try {
      const corpus = await loadCorpus(wanted, { folder: options.corpusFolder });
      packages.push(`${wanted.name} ${wanted.version}`);
      for (const file of corpus.files) {
        if (seen.has(file.text)) continue;
        seen.add(file.text);
        files.push({ ...file, path: `${wanted.name}/${file.path}` });
      }
    } catch (error) {
      if (!(error instanceof CorpusUnavailableError)) throw error;
      options.note(`left out: ${error.message}`);
    }
  }
  if (packages.length === 0) throw new CorpusUnavailableError("no package of the large corpus");
  return { packages, files };
}
