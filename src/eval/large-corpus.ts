/** Many packages as one corpus, for figures of time and memory. */
import { largeCorpusPackages, loadCorpus } from "./corpus.ts";
import type { SourceFile } from "./source-file.ts";

/** The packages' files under `NAME/path`, none repeated across packages. */
export async function loadLargeCorpus(options: {
  readonly corpusFolder: string;
}): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  const seen = new Set<string>();
  for (const corpusPackage of largeCorpusPackages) {
    const corpus = await loadCorpus(corpusPackage, { folder: options.corpusFolder });
    for (const file of corpus.files) {
      if (seen.has(file.text)) continue;
      seen.add(file.text);
      files.push({ ...file, path: `${corpusPackage.name}/${file.path}` });
    }
  }
  return files;
}

/** Names and versions of the packages. */
export const largeCorpusNames: readonly string[] = largeCorpusPackages.map(
  ({ name, version }) => `${name} ${version}`,
);
