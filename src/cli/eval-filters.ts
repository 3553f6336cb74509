/** `midspan eval filters`: what each filter is worth, on stored answers; no model is asked. */
import { resolveFormat, sentinelsToCut } from "../core/index.ts";
import { isReached } from "../eval/bench-report.ts";
import { judgedPackages, loadCorpus } from "../eval/corpus.ts";
import { filterEffects } from "../eval/filters/filter-effects.ts";
import { filterReport } from "../eval/filters/filter-report.ts";
import { storedTexts } from "../eval/filters/stored-texts.ts";
import { readAnswers } from "../eval/inference-answers.ts";
import { describeMachine } from "../eval/machine.ts";
import type { ExitCode } from "./exit.ts";
import { corpusFolder } from "./own-folders.ts";
import { emitReport, type ReportOutput } from "./report-options.ts";
import { version } from "./version.ts";

/** Prints the report. 1 when there are no answers, or a filter costs more than it is worth. */
export async function evalFiltersCommand(options: {
  readonly answers: string;
  readonly output: ReportOutput;
}): Promise<ExitCode> {
  const answers = await readAnswers(options.answers);
  if (answers.length === 0) {
    process.stderr.write(`midspan: ${options.answers} holds no answers\n`);
    return 1;
  }
  const folder = corpusFolder();
  const used = judgedPackages.filter(({ name }) => answers.some((one) => one.package === name));
  const corpora = [];
  for (const one of used) corpora.push(await loadCorpus(one, { folder }));
  const { model, local } = storedTexts(answers, corpora);
  // Sentinels of every family are cut; the row itself makes no difference here.
  const row = "qwen2.5-coder";
  const format = resolveFormat({ model: row, backendKind: "llama.cpp", override: row });
  const stopsOf = (origin: "model" | "local"): readonly string[] =>
    origin === "model" ? sentinelsToCut(format) : [];
  const report = filterReport({
    version,
    machine: describeMachine(),
    cursors: answers.length,
    groups: [
      { name: "language model", found: filterEffects(model, { stopsOf }) },
      { name: "local model", found: filterEffects(local, { stopsOf }) },
    ],
  });
  await emitReport(report, { ...options.output, name: "filters" });
  return report.checks.every(isReached) ? 0 : 1;
}
