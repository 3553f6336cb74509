/** Repository context over a few files in memory, with real trees. */
import { hashText } from "../base/hash.ts";
import { languageOfPath, snippetKinds } from "../core/index.ts";
import { installedGrammars } from "../host/grammars.ts";
import {
  defaultContextBudgets,
  indexSegment,
  RepoContext,
  type RepoContextOptions,
  RepoIndex,
  SegmentBuilder,
  type SegmentData,
} from "../repo/index.ts";
import { createSyntax } from "../syntax/index.ts";

/** A segment of these files. */
export async function segmentOf(files: Readonly<Record<string, string>>): Promise<SegmentData> {
  const syntax = createSyntax({ source: installedGrammars, now: () => 0 });
  const builder = new SegmentBuilder();
  for (const [path, text] of Object.entries(files)) {
    const languageId = languageOfPath(path);
    await syntax.prepare(languageId);
    const file = {
      ...{ path, languageId, hash: hashText(text), sizeBytes: text.length, modifiedMs: 0 },
      isNamesOnly: path.startsWith("node_modules/"),
    };
    builder.add(file, text, syntax.outline(text, languageId));
  }
  return builder.build();
}

/** An index of these files. */
export async function repoIndexOf(files: Readonly<Record<string, string>>): Promise<RepoIndex> {
  const index = indexSegment(await segmentOf(files));
  return new RepoIndex([{ index, hidden: new Set() }]);
}

/** A source of all kinds that knows these files. */
export async function repoContextOf(
  files: Readonly<Record<string, string>>,
  options: Partial<RepoContextOptions> = {},
): Promise<RepoContext> {
  const source = new RepoContext({
    texts: { textOf: ({ path }) => files[path] ?? null, load: () => Promise.resolve() },
    mayShow: () => true,
    budgets: defaultContextBudgets,
    kinds: new Set(snippetKinds),
    ...options,
  });
  source.adopt(await repoIndexOf(files));
  return source;
}
