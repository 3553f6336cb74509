/** Repository context over files in memory, as prompts of an evaluation take it. */
import { hashText } from "../base/hash.ts";
import type { Settings } from "../config/schema.ts";
import { type ContextSource, type SnippetKind, snippetKinds } from "../core/index.ts";
import type { SourceFile } from "../eval/source-file.ts";
import { installedGrammars } from "../host/grammars.ts";
import {
  defaultContextBudgets,
  indexSegment,
  RepoContext,
  RepoIndex,
  SegmentBuilder,
  type SegmentData,
} from "../repo/index.ts";
import { createSyntax } from "../syntax/index.ts";

/** What is known of a workspace at a moment. */
export interface KnownContext {
  /** Kinds of snippets that the settings ask for. */
  readonly kinds: readonly SnippetKind[];
  /** Takes these files in place of those before; only texts that are new are parsed. */
  know(files: readonly SourceFile[]): Promise<void>;
  /** A source over the files, now and later, with no document seen yet; of the kinds that are set. */
  createSource(kinds?: readonly SnippetKind[]): ContextSource;
}

/** `null` where the settings switch context off. */
export function createKnownContext(settings: Settings): KnownContext | null {
  if (!settings["context.enabled"]) return null;
  const wanted = new Set(settings["context.sources"]);
  const set = snippetKinds.filter((kind) => wanted.has(kind));
  const syntax = createSyntax({ source: installedGrammars, now: () => performance.now() });
  let segment: SegmentData | null = null;
  let index = new RepoIndex([]);
  let texts: ReadonlyMap<string, string> = new Map();
  const sources: RepoContext[] = [];
  return {
    kinds: set,
    async know(files) {
      const before = new Map(segment?.files.map((file, number) => [file.path, number]));
      const builder = new SegmentBuilder();
      for (const { path, languageId, text } of files) {
        const about = { path, languageId, hash: hashText(text), sizeBytes: text.length };
        const file = { ...about, modifiedMs: 0, isNamesOnly: false };
        const number = texts.get(path) === text ? before.get(path) : undefined;
        if (segment !== null && number !== undefined) {
          builder.reuse(segment, number, file);
          continue;
        }
        await syntax.prepare(languageId);
        builder.add(file, text, syntax.outline(text, languageId));
      }
      segment = builder.build();
      index = new RepoIndex([{ index: indexSegment(segment), hidden: new Set() }]);
      texts = new Map(files.map(({ path, text }) => [path, text]));
      for (const source of sources) source.adopt(index);
    },
    createSource(own = set) {
      const source = new RepoContext({
        texts: { textOf: ({ path }) => texts.get(path) ?? null, load: async () => {} },
        mayShow: (path) => texts.has(path),
        budgets: defaultContextBudgets,
        kinds: new Set(own),
      });
      source.adopt(index);
      sources.push(source);
      return source;
    },
  };
}
