/** `midspan bench speculation`: the embedded engine with and without drafts. */
import { present } from "../base/assert.ts";
import type { BenchReporter } from "../eval/bench-report.ts";
import { judgedPackages, loadCorpus } from "../eval/corpus.ts";
import { runSpeculationBench, type SpeculationReport } from "../eval/speculation-bench.ts";
import { speculationCases } from "../eval/speculation-cases.ts";
import { systemClock } from "../host/clock.ts";
import { createEmbeddedBackend } from "../host/embedded/embedded-backend.ts";
import type { EngineOptions } from "../host/embedded/engine.ts";
import { engineFolder } from "../host/embedded/engine-folder.ts";
import { modelNameOfFile } from "../host/gguf-header.ts";
import { createLog } from "../host/log.ts";
import type { StateFolders } from "../host/state-folders.ts";
import { createRandom } from "../stats/random.ts";
import { engineChildFile } from "./embedded-model.ts";
import { UsageError } from "./exit.ts";
import { formatOfHeader, readModelHeader } from "./model-file.ts";

const CONTEXT_TOKENS = 2_048;
const CASES = 80;
const QUICK_CASES = 20;

/** Runs the bench on one package. Throws `UsageError` when no model is named. */
export async function benchSpeculation(options: {
  readonly quick: boolean;
  readonly corpusFolder: string;
  readonly folders: StateFolders;
  readonly reporter: BenchReporter;
}): Promise<SpeculationReport> {
  const { quick, corpusFolder, folders, reporter } = options;
  const modelFile = process.env.MIDSPAN_TEST_GGUF;
  if (modelFile === undefined) {
    throw new UsageError(
      "bench speculation needs MIDSPAN_TEST_GGUF, a small model, and the embedded engine: midspan model engine install",
    );
  }
  const format = formatOfHeader(modelFile, await readModelHeader(modelFile), null);
  const corpus = await loadCorpus(present(judgedPackages[0], "a package"), {
    folder: corpusFolder,
  });
  const count = quick ? QUICK_CASES : CASES;
  const cases = speculationCases(corpus.files, { count, random: createRandom(1) });
  const common: Omit<EngineOptions, "speculates"> = {
    modelFile,
    engineFolder: process.env.MIDSPAN_TEST_ENGINE ?? engineFolder(folders.data),
    childFile: engineChildFile(),
    // One thread: what it computes does not depend on how many cores there are.
    threads: 1,
    gpu: "off",
    contextTokens: CONTEXT_TOKENS,
    log: createLog({ level: "warn" }),
    clock: systemClock,
  };
  const plain = await createEmbeddedBackend({ ...common, speculates: false });
  try {
    const drafting = await createEmbeddedBackend({ ...common, speculates: true });
    try {
      const model = modelNameOfFile(modelFile);
      return await runSpeculationBench({ plain, drafting, model, format, cases, reporter });
    } finally {
      await drafting.close();
    }
  } finally {
    await plain.close();
  }
}
