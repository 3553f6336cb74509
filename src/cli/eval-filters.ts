/** `midspan eval filters`: what each filter is worth, on stored answers; no model is asked. */
import { resolveFormat, sentinelsToCut } from "../core/index.ts";
import { readAnswerLines } from "../eval/answer-lines.ts";
import { isReached } from "../eval/bench-report.ts";
import { blocksFile, readBlockAnswer } from "../eval/block-answers.ts";
import { judgedPackages, loadCorpus } from "../eval/corpus.ts";
import { type FilteredText, filterEffects } from "../eval/filters/filter-effects.ts";
import { type FilterGroup, filterReport } from "../eval/filters/filter-report.ts";
import { blockTexts, storedTexts } from "../eval/filters/stored-texts.ts";
import { streamEffects } from "../eval/filters/stream-effects.ts";
import { readAnswer } from "../eval/inference-answers.ts";
import { describeMachine } from "../eval/machine.ts";
import { EvaluationUnavailableError } from "../eval/run/evaluation-unavailable.ts";
import type { ExitCode } from "./exit.ts";
import { corpusFolder } from "./own-folders.ts";
import { emitReport, type ReportOutput } from "./report-options.ts";
import { version } from "./version.ts";

/** Prints the report. 1 when there are no answers, or a filter costs more than it is worth. */
export async function evalFiltersCommand(options: {
  readonly answers: string;
  readonly output: ReportOutput;
}): Promise<ExitCode> {
  const answers = await readAnswerLines(options.answers, readAnswer);
  const blocks = await readAnswerLines(blocksFile(options.answers), readBlockAnswer);
  const cursors = answers.length + blocks.length;
  if (cursors === 0) {
    throw new EvaluationUnavailableError(
      `${options.answers} is not there or holds no answers; midspan bench inference --answers ${options.answers} writes them`,
    );
  }
  const folder = corpusFolder();
  const used = judgedPackages.filter(({ name }) =>
    [...answers, ...blocks].some((one) => one.package === name),
  );
  const corpora = [];
  for (const one of used) corpora.push(await loadCorpus(one, { folder }));
  const { model, local } = storedTexts(answers, corpora);
  // Sentinels of every family are cut; the row itself makes no difference here.
  const row = "qwen2.5-coder";
  const format = resolveFormat({ model: row, backendKind: "llama.cpp", override: row });
  const stopsOf = (origin: "model" | "local"): readonly string[] =>
    origin === "model" ? sentinelsToCut(format) : [];
  const lines = (texts: readonly FilteredText[]): Omit<FilterGroup, "name"> => {
    return { kind: "answers", found: filterEffects(texts, { stopsOf }), streamed: null };
  };
  const written = blockTexts(blocks, corpora);
  const groups: readonly FilterGroup[] = [
    { name: "texts of the language model", ...lines(model) },
    { name: "texts of the local model", ...lines(local) },
    ...[true, false].flatMap((below): FilterGroup[] => {
      const texts = written.filter((text) => text.below === below);
      const which = `several lines, ${below ? "with" : "without"} the text below`;
      const streamed = streamEffects(texts, { stops: stopsOf("model") });
      const rightTexts = texts.map((text) => ({ ...text, raw: text.target }));
      return [
        { name: `texts of the language model, ${which}`, ...lines(texts), streamed },
        { name: `the right texts, ${which}`, ...lines(rightTexts), kind: "right texts" },
      ];
    }),
  ];
  const report = filterReport({
    ...{ version, machine: describeMachine(), cursors },
    groups: groups.filter(({ found }) => found.texts > 0),
  });
  await emitReport(report, { ...options.output, name: "filters" });
  return report.checks.every(isReached) ? 0 : 1;
}
