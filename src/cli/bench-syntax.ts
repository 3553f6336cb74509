/** `midspan bench syntax`: the parser, put together for the bench. */
import type { BenchReporter } from "../eval/bench-report.ts";
import {
  type BenchCursor,
  runSyntaxBench,
  type SyntaxBenchReport,
} from "../eval/context-syntax.ts";
import type { SampleOptions } from "../eval/held-out-sample.ts";
import { installedGrammars } from "../host/grammars.ts";
import { createSyntax, DocumentTrees } from "../syntax/index.ts";

/** Runs the bench over the judged packages, or those named. */
export async function benchSyntax(options: {
  readonly sample: SampleOptions;
  readonly packages: readonly string[];
  readonly corpusFolder: string;
  readonly reporter: BenchReporter;
}): Promise<SyntaxBenchReport> {
  const { sample, packages, corpusFolder, reporter } = options;
  const syntax = createSyntax({ source: installedGrammars, now: () => performance.now() });
  const trees = new DocumentTrees(syntax);
  try {
    return await runSyntaxBench({
      ...sample,
      packages,
      corpusFolder,
      reporter,
      parts: {
        prepare: (languageId) => syntax.prepare(languageId),
        update: (cursor: BenchCursor) => trees.at(cursor)?.place != null,
        breaks: (cursor: BenchCursor, text) =>
          trees.at(cursor)?.breaks({ text, replaceBefore: 0, replaceAfter: 0 }) ?? false,
      },
    });
  } finally {
    trees.close();
  }
}
