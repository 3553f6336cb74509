/**
 * Keeps a local model at the state of one commit after the other, without reading a file twice whose
 * blob stays: what differs is updated as if it had been saved, and when that is much, a new index is
 * built, as the product does.
 */
import { hashText } from "../../base/hash.ts";
import { languageOfPath } from "../../core/index.ts";
import { IndexBuilder, type LocalModel } from "../../local/index.ts";
import type { GitHistory } from "./git-history.ts";
import type { KnownWorkspace } from "./known-workspace.ts";
import type { TextOfFile } from "./line-question.ts";

/** Changed files over which a new index is built; searching them costs more than the index does. */
const MAX_DELTA_FILES = 50;
/** Texts that are kept at a time, in UTF-16 units. */
const MAX_KEPT_UNITS = 256 * 1024 * 1024;

export class TreeFollower {
  readonly #history: GitHistory;
  readonly #textOf: TextOfFile;
  readonly #texts = new Map<string, string | null>();
  #keptUnits = 0;
  #tree: ReadonlyMap<string, string> = new Map();
  #model: LocalModel | null = null;

  constructor(options: { readonly history: GitHistory; readonly textOf: TextOfFile }) {
    this.#history = options.history;
    this.#textOf = options.textOf;
  }

  /** Makes the files of a commit known. */
  async follow(commit: string, { local, onFiles }: KnownWorkspace): Promise<void> {
    const tree = await this.#history.tree(commit);
    if (local !== null) await this.#update(tree, local);
    if (onFiles !== null) {
      const texts = await this.#read([...tree]);
      await onFiles(
        texts.map(([path, text]) => ({ path, text, languageId: languageOfPath(path) })),
      );
    }
    this.#tree = tree;
  }

  async #update(tree: ReadonlyMap<string, string>, local: LocalModel): Promise<void> {
    const changed = [...tree].filter(([path, blob]) => this.#tree.get(path) !== blob);
    const gone = [...this.#tree.keys()].filter((path) => !tree.has(path));
    const delta = local.deltaFiles + changed.length + gone.length;
    if (this.#model !== local || delta > MAX_DELTA_FILES) {
      const builder = new IndexBuilder();
      for (const [path, text] of await this.#read([...tree])) {
        const sizeBytes = Buffer.byteLength(text);
        builder.add({ path, hash: hashText(text), sizeBytes, modifiedMs: 0 }, text);
      }
      local.adopt(builder.build());
      this.#model = local;
    }
    // After a new index too: what was updated before it would else stay in force.
    for (const path of gone) local.removeFile(path);
    const texts = new Map(await this.#read(changed));
    for (const [path] of changed) {
      const text = texts.get(path);
      if (text === undefined) local.removeFile(path);
      else local.updateFile(path, text);
    }
  }

  /** Paths with their texts, without what is left out. */
  async #read(
    files: readonly (readonly [path: string, blob: string])[],
  ): Promise<readonly (readonly [path: string, text: string])[]> {
    const texts = await Promise.all(files.map(([path, blob]) => this.#text(path, blob)));
    return files.flatMap(([path], i) => {
      const text = texts[i] ?? null;
      return text === null ? [] : [[path, text] as const];
    });
  }

  async #text(path: string, blob: string): Promise<string | null> {
    // Whether a text is left out may depend on its name.
    const key = `${blob}:${path}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = this.#textOf(path, await this.#history.blob(blob));
    if (this.#keptUnits > MAX_KEPT_UNITS) {
      this.#texts.clear();
      this.#keptUnits = 0;
    }
    this.#texts.set(key, text);
    this.#keptUnits += text?.length ?? 0;
    return text;
  }
}
