import type { FileView } from "./file-view.ts";
import type { TokenMask } from "./index-search.ts";
import type { LocalIndex } from "./local-index.ts";
import type { RecentFiles } from "./recent-files.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The three places that are searched: the index, files saved since, and the open document. */
export interface Sources {
  readonly vocabulary: Vocabulary;
  readonly index: LocalIndex;
  /** What of the index is out of date. */
  readonly mask: TokenMask;
  readonly recent: RecentFiles;
  readonly view: FileView;
}
