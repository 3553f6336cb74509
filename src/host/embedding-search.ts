/**
 * A search by meaning over any server with `/v1/embeddings`. Off unless a person names a server; it was
 * tried against a scripted one only, and its worth is not measured. Vectors stay in memory: each start asks
 * for them again. Secrets are taken out before a text leaves, as in prompts.
 */
import { hashText } from "../base/hash.ts";
import { LruMap } from "../base/lru.ts";
import type { HttpClient, Log } from "../core/index.ts";
import {
  type FileTexts,
  type MeaningSearch,
  type Passage,
  type RepoIndex,
  redactSecrets,
  VectorList,
} from "../repo/index.ts";

export interface EmbeddingSearchOptions {
  readonly http: HttpClient;
  readonly log: Log;
  /** With or without `/v1`. */
  readonly url: string;
  /** `""`: the server decides. */
  readonly model: string;
  readonly texts: FileTexts;
  readonly mayShow: (path: string) => boolean;
}

/** Chunks beyond this many are left out: a brute-force search would take too long. */
const MAX_CHUNKS = 20_000;
const BATCH_CHUNKS = 32;
const MAX_TEXT_UNITS = 4_000;
const RESULTS = 6;
/** Queries that are remembered. */
const MAX_QUERIES = 64;

export class EmbeddingSearch implements MeaningSearch {
  readonly #options: EmbeddingSearchOptions;
  readonly #abort = new AbortController();
  readonly #queries = new LruMap<string, readonly number[]>(MAX_QUERIES);
  #vectors = new VectorList<Passage>();
  #asking: Promise<void> | null = null;

  constructor(options: EmbeddingSearchOptions) {
    this.#options = options;
  }

  /** Asks for the vectors of an index; resolves when all are there. A failure is logged, and ends it. */
  async adopt(index: RepoIndex): Promise<void> {
    const { texts, mayShow, log } = this.#options;
    const vectors = new VectorList<Passage>();
    this.#vectors = vectors;
    let batch: { readonly passage: Passage; readonly text: string }[] = [];
    const flush = async (): Promise<void> => {
      const found = await this.#embed(batch.map(({ text }) => text));
      for (const [i, { passage }] of batch.entries()) vectors.add(passage, found[i] ?? []);
      batch = [];
    };
    try {
      let count = 0;
      for (const { file, line, endLine } of index.chunks()) {
        if (this.#vectors !== vectors || count === MAX_CHUNKS) break;
        if (file.isNamesOnly || !mayShow(file.path)) continue;
        await texts.load(file);
        const text = texts.textOf(file)?.split("\n").slice(line, endLine).join("\n") ?? "";
        if (text.trim() === "") continue;
        count++;
        batch.push({ passage: { path: file.path, line, endLine }, text });
        if (batch.length === BATCH_CHUNKS) await flush();
      }
      if (batch.length > 0) await flush();
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      log.warn(`the embeddings server gave no vectors: ${message}`);
    }
  }

  find(query: string): {
    readonly passages: readonly Passage[];
    readonly late: Promise<void> | null;
  } {
    const key = hashText(query);
    const known = this.#queries.get(key);
    if (known !== undefined) {
      const passages = this.#vectors.nearest(known, RESULTS).map(({ item }) => item);
      return { passages, late: null };
    }
    if (this.#vectors.length === 0) return { passages: [], late: null };
    // One at a time: the next key press asks again.
    this.#asking ??= this.#embed([query])
      .then(([vector]) => void this.#queries.set(key, vector ?? []))
      .catch(() => {})
      .finally(() => {
        this.#asking = null;
      });
    return { passages: [], late: this.#asking };
  }

  /** Ends what runs. */
  close(): void {
    this.#vectors = new VectorList();
    this.#abort.abort();
  }

  /** A vector for each text, in order; `[]` where the server gave none. */
  async #embed(texts: readonly string[]): Promise<readonly (readonly number[])[]> {
    const { http, url, model } = this.#options;
    const input = texts.map((text) => redactSecrets(text).slice(0, MAX_TEXT_UNITS));
    const response = await http.send(
      {
        method: "POST",
        url: `${url.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1/embeddings`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(model === "" ? { input } : { model, input }),
      },
      { signal: this.#abort.signal },
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    if (response.status !== 200) throw new Error(`it answered with status ${response.status}`);
    const parsed: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const { data } = { data: null, ...Object(parsed) };
    if (!Array.isArray(data)) throw new Error("its answer has no list of vectors");
    return input.map((_, i) => {
      const entry = data.find((candidate: unknown) => Object(candidate).index === i) ?? data[i];
      const { embedding } = { embedding: null, ...Object(entry) };
      return Array.isArray(embedding) ? embedding.map(Number) : [];
    });
  }
}
