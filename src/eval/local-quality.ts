/** The local model and the plain n-gram model on the same questions about one package. */
import { present } from "../base/assert.ts";
import { LocalModel } from "../local/index.ts";
import { type BootstrapInterval, pairedBootstrap } from "../stats/paired-bootstrap.ts";
import { createRandom } from "../stats/random.ts";
import { percentile } from "../stats/summary.ts";
import type { BenchReporter } from "./bench-report.ts";
import type { Corpus } from "./corpus.ts";
import { drawQuestions, type SampleOptions } from "./held-out-sample.ts";
import { documentAt, indexFiles, openFiles } from "./index-files.ts";
import { type Judgement, judge, type LineQuality, lineQuality } from "./line-quality.ts";
import { cpuMs } from "./machine.ts";
import { NgramBaseline } from "./ngram-baseline.ts";
import { judgeParts, type PartJudgement, type PartQuality, partQuality } from "./part-quality.ts";

/** The figures of one package. */
export interface PackageQuality {
  readonly name: string;
  readonly version: string;
  readonly languageId: string;
  readonly files: number;
  readonly heldOutFiles: number;
  /** Near copies of held-out files, left out of the index. */
  readonly leftOutFiles: number;
  /** Bytes of code of the largest index. */
  readonly codeBytes: number;
  readonly local: LineQuality;
  readonly baseline: LineQuality;
  /** At the default threshold. */
  readonly parts: PartQuality;
  /** Exact match of the local model less that of the baseline. */
  readonly gain: BootstrapInterval;
  readonly queryMs: { readonly p50: number; readonly p95: number };
  /** CPU time of a query, mean over all. */
  readonly queryCpuMs: number;
}

/** Lines of text that the baseline sees before the cursor. */
const BASELINE_UNITS = 2_000;
/** All candidates are wanted here: their number bounds what ranking could reach. */
const MAX_CANDIDATES = 64;
/** As many as the engine asks for. */
const MAX_PARTS = 4;
const THRESHOLD = 0.25;

/** Judges both models. Deterministic but for the times. */
export function judgePackage(
  corpus: Corpus,
  options: SampleOptions & { readonly reporter: BenchReporter },
): PackageQuality {
  const { name, version, languageId } = corpus.package;
  const random = createRandom(options.seed);
  const questions = drawQuestions(corpus.files, { ...options, random });
  const local: Judgement[] = [];
  const baseline: Judgement[] = [];
  const parts: PartJudgement[] = [];
  const queryMs: number[] = [];
  let queryCpuMs = 0;
  let codeBytes = 0;
  for (const { split, cursors } of questions) {
    const { heldOut, indexed } = split;
    const model = new LocalModel();
    const index = indexFiles(indexed);
    codeBytes = Math.max(codeBytes, index.codeBytes);
    model.adopt(index);
    const ngrams = new NgramBaseline(indexed);
    const documents = openFiles(model, heldOut);
    for (const cursor of cursors) {
      const { file, offset } = cursor;
      const document = documentAt(cursor, present(documents.get(file), file.path));
      const cpuBefore = cpuMs();
      const before = performance.now();
      const candidates = model.complete({
        document,
        offset,
        path: file.path,
        languageId,
        maxLines: 1,
        maxCandidates: MAX_CANDIDATES,
        maxParts: MAX_PARTS,
      });
      queryMs.push(performance.now() - before);
      queryCpuMs += cpuMs(cpuBefore);
      const rests = candidates.filter(({ extent }) => extent === "rest");
      const ownParts = candidates.filter(({ extent }) => extent === "part");
      local.push(judge(cursor, rests));
      parts.push(judgeParts(cursor, { rests, parts: ownParts, threshold: THRESHOLD }));
      const prefix = file.text.slice(Math.max(0, offset - BASELINE_UNITS), offset);
      const text = ngrams.complete(prefix);
      baseline.push(judge(cursor, text === "" ? [] : [{ text, chance: 1 }]));
      if (local.length % 100 === 0) {
        options.reporter.progress({ label: name, done: local.length, total: options.cursors });
      }
    }
  }
  const pairs = local.map((judgement, i) => ({
    left: baseline[i]?.isCorrect === true ? 1 : 0,
    right: judgement.isCorrect ? 1 : 0,
    cluster: judgement.cursor.file.path,
  }));
  return {
    name,
    version,
    languageId,
    files: corpus.files.length,
    heldOutFiles: questions.reduce((sum, { split }) => sum + split.heldOut.length, 0),
    leftOutFiles: questions.reduce((sum, { split }) => sum + split.leftOut.length, 0),
    codeBytes,
    local: lineQuality(local),
    baseline: lineQuality(baseline),
    parts: partQuality(parts),
    gain: pairedBootstrap(pairs, { random }),
    queryMs: { p50: percentile(queryMs, 0.5), p95: percentile(queryMs, 0.95) },
    queryCpuMs: queryCpuMs / queryMs.length,
  };
}
