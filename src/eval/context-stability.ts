/**
 * How many prompt tokens snippets cost while a person types: the same key presses are replayed with and
 * without context, and what each prompt does not share with the one before is counted. What the prompts
 * with context have to evaluate beyond those without is the snippets' doing.
 */
import { commonPrefixLength, isWordCode } from "../base/text.ts";
import { estimatedTokenCounter, snippetKinds } from "../core/index.ts";
import { requestFor } from "../engine/index.ts";
import type { Random } from "../stats/random.ts";
import type { ContextParts, ContextWorld } from "./context-world.ts";
import { RecordingBackend } from "./recording-backend.ts";
import type { SourceFile } from "./source-file.ts";

/** What a replay showed. */
export interface StabilityReport {
  readonly keys: number;
  readonly documents: number;
  /** New prompt tokens per key press with context, less those without. */
  readonly tokensPerKey: number;
  /** Key presses at which the snippets were others than before. */
  readonly changes: number;
  /** Such key presses inside a word. The goal is none. */
  readonly changesInWords: number;
}

const KEYS_PER_DOCUMENT = 500;
/** Documents that are open beside the one that is typed in. */
const OPEN_DOCUMENTS = 4;

/** Types `keys` characters, in stretches of 500 in files drawn at random. */
export async function measureStability(
  files: readonly SourceFile[],
  options: {
    readonly world: ContextWorld;
    readonly parts: ContextParts;
    readonly keys: number;
    readonly random: Random;
  },
): Promise<StabilityReport> {
  const { world, parts, keys, random } = options;
  const long = random.shuffled(files.filter(({ text }) => text.length > 4 * KEYS_PER_DOCUMENT));
  const chosen = long.slice(0, Math.ceil(keys / KEYS_PER_DOCUMENT));
  const sums = { keys: 0, tokens: 0, changes: 0, changesInWords: 0 };
  for (const file of chosen) {
    const source = world.createSource(snippetKinds);
    const bare = new Typist(file, parts, null);
    const informed = new Typist(file, parts, source);
    for (const other of random.shuffled(files).slice(0, OPEN_DOCUMENTS)) {
      if (other !== file) informed.openBeside(other);
    }
    const start = lineStartNear(file.text, random.below(file.text.length - 2 * KEYS_PER_DOCUMENT));
    bare.start(start);
    informed.start(start);
    for (let key = 0; key < KEYS_PER_DOCUMENT && sums.keys < keys; key++) {
      const without = await bare.press();
      const withContext = await informed.press();
      sums.keys++;
      sums.tokens += withContext.tokens - without.tokens;
      if (withContext.isChanged) sums.changes++;
      if (withContext.isChanged && withContext.isInWord) sums.changesInWords++;
    }
    bare.close();
    informed.close();
  }
  return {
    keys: sums.keys,
    documents: chosen.length,
    tokensPerKey: sums.tokens / Math.max(1, sums.keys),
    changes: sums.changes,
    changesInWords: sums.changesInWords,
  };
}

/** Types a file from a place on, key by key. */
class Typist {
  readonly #file: SourceFile;
  readonly #backend = new RecordingBackend();
  readonly #engine: ReturnType<ContextParts["createEngine"]>;
  readonly #counter: ReturnType<typeof estimatedTokenCounter>;
  #offset = 0;
  #version = 1;
  #before: string | null = null;
  #snippets: string | null = null;

  constructor(
    file: SourceFile,
    parts: ContextParts,
    context: Parameters<ContextParts["createEngine"]>[0]["context"],
  ) {
    this.#file = file;
    this.#engine = parts.createEngine({ backend: this.#backend, context });
    const { languageId } = file;
    this.#counter = estimatedTokenCounter({ vocabulary: "large", languageId });
  }

  openBeside({ path, languageId, text }: SourceFile): void {
    this.#engine.open({ uri: path, path, languageId, version: 1, text });
  }

  /** The text that will be typed is taken out. */
  start(offset: number): void {
    const { path, languageId, text } = this.#file;
    this.#offset = offset;
    const end = Math.min(text.length, offset + KEYS_PER_DOCUMENT);
    const rest = text.slice(0, offset) + text.slice(end);
    this.#engine.open({ uri: path, path, languageId, version: 1, text: rest });
  }

  async press(): Promise<{
    readonly tokens: number;
    readonly isChanged: boolean;
    readonly isInWord: boolean;
  }> {
    const { path: uri, text } = this.#file;
    const typed = text.charAt(this.#offset);
    const version = ++this.#version;
    this.#engine.edit(uri, version, [{ start: this.#offset, end: this.#offset, text: typed }]);
    const isInWord =
      isWordCode(typed.charCodeAt(0)) && isWordCode(text.charCodeAt(this.#offset - 1));
    this.#offset++;
    const document = { kind: "open", uri, version, offset: this.#offset } as const;
    const request = requestFor(document, { trigger: "invoked", explain: true });
    const { signal } = new AbortController();
    const { explanation } = await this.#engine.complete(request, { signal });
    const { prompt } = this.#backend;
    // The first prompt of a document is new whatever stands in it; its snippets count all the same.
    const before = this.#before ?? "";
    const tokens = this.#counter.count(prompt.slice(commonPrefixLength(before, prompt)));
    const snippets = JSON.stringify(explanation?.snippets.map((snippet) => snippet.text) ?? []);
    const isChanged = this.#snippets !== null && snippets !== this.#snippets;
    this.#before = prompt;
    this.#snippets = snippets;
    return { tokens, isChanged, isInWord };
  }

  close(): void {
    this.#engine.dispose();
  }
}

function lineStartNear(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset) + 1;
}
