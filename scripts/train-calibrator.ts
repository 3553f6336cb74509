/**
 * Trains the calibrator of the local model and writes `src/local/calibrator.data.json`.
 *
 *   npx tsx scripts/train-calibrator.ts [--cross-validate] [--cursors 1500] [--seed 1] [--dry-run]
 *
 * The questions come from the training packages of `src/eval/corpora.data.json`, drawn as the bench
 * draws its own: held-out files, near copies left out, a third of the cursors at each kind of place.
 * A package that judges the model never trains it; the script refuses to write otherwise.
 * `--cross-validate` first prints what the fit is worth on packages that it did not see, three folds
 * of whole packages; it takes four times as long. Packages are kept in the user's cache.
 */
import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { present } from "../src/base/assert.ts";
import { judgedPackages, loadCorpus, trainingPackages } from "../src/eval/corpus.ts";
import type { SampledCursor } from "../src/eval/cursor-sample.ts";
import { defaultSample, drawQuestions, type SampleOptions } from "../src/eval/held-out-sample.ts";
import { documentAt, indexFiles, openFiles } from "../src/eval/index-files.ts";
import { judge, lineQuality } from "../src/eval/line-quality.ts";
import { stateFolders } from "../src/host/state-folders.ts";
import { Calibrator, fitCalibrator, type JudgedQuery, LocalModel } from "../src/local/index.ts";
import { createRandom } from "../src/stats/random.ts";
import { isExactMatch } from "../src/stats/text-match.ts";

const FOLDS = 3;
/** The fitter never looks at this many candidates of one question. */
const MAX_CANDIDATES = 64;

/** A question for the fitter, and what is needed to judge the fit by it. */
interface TrainingQuestion extends JudgedQuery {
  readonly cursor: SampledCursor;
  readonly texts: readonly string[];
}

const { values: flags } = parseArgs({
  options: {
    "cross-validate": { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
    cursors: { type: "string", default: String(defaultSample.cursors) },
    seed: { type: "string", default: String(defaultSample.seed) },
  },
});
const sample = { ...defaultSample, cursors: Number(flags.cursors), seed: Number(flags.seed) };
const { cache } = stateFolders({
  environment: process.env,
  platform: process.platform,
  homeFolder: homedir(),
});
const corpusFolder = join(cache, "corpora");

const questions: TrainingQuestion[] = [];
for (const { name, version } of trainingPackages) {
  const asked = await askPackage(name, sample);
  questions.push(...asked);
  const reachable = asked.filter(({ candidates }) => candidates.some(({ isRight }) => isRight));
  const share = ((100 * reachable.length) / asked.length).toFixed(1);
  console.log(`${name} ${version}: ${asked.length} questions, ${share} % can be answered`);
}

if (flags["cross-validate"]) {
  const names = trainingPackages.map(({ name, version }) => `${name} ${version}`);
  for (let fold = 0; fold < FOLDS; fold++) {
    const heldOut = new Set(names.filter((_, i) => i % FOLDS === fold));
    const data = fitCalibrator(questions.filter((question) => !heldOut.has(question.package)));
    for (const name of heldOut) {
      report(
        name,
        new Calibrator(data),
        questions.filter((one) => one.package === name),
      );
    }
  }
}

const data = fitCalibrator(questions);
const judged = new Set(judgedPackages.map(({ name, version }) => `${name} ${version}`));
const leaked = data.trainedOn.filter((name) => judged.has(name));
if (leaked.length > 0) throw new Error(`trained on packages that judge: ${leaked.join(", ")}`);
if (flags["dry-run"]) {
  console.log("nothing written (--dry-run)");
} else {
  const file = fileURLToPath(new URL("../src/local/calibrator.data.json", import.meta.url));
  writeFileSync(file, `${JSON.stringify(data)}\n`);
  console.log(`wrote ${file}`);
}

async function askPackage(name: string, options: SampleOptions): Promise<TrainingQuestion[]> {
  const chosen = present(
    trainingPackages.find((candidate) => candidate.name === name),
    name,
  );
  const corpus = await loadCorpus(chosen, { folder: corpusFolder });
  const asked: TrainingQuestion[] = [];
  const drawn = drawQuestions(corpus.files, { ...options, random: createRandom(options.seed) });
  for (const { split, cursors } of drawn) {
    const model = new LocalModel();
    model.adopt(indexFiles(split.indexed));
    const documents = openFiles(model, split.heldOut);
    for (const cursor of cursors) {
      const { path, languageId } = cursor.file;
      const candidates = model.rawCandidates({
        document: documentAt(cursor, present(documents.get(cursor.file), path)),
        offset: cursor.offset,
        path,
        languageId,
        maxLines: 1,
        maxCandidates: MAX_CANDIDATES,
      });
      asked.push({
        package: `${name} ${chosen.version}`,
        cursor,
        texts: candidates.map(({ text }) => text),
        candidates: candidates.map(({ text, features }) => ({
          features,
          isRight: isExactMatch(text, cursor.target),
        })),
      });
    }
  }
  return asked;
}

function report(name: string, model: Calibrator, asked: readonly TrainingQuestion[]): void {
  const judgements = asked.map(({ cursor, texts, candidates }) => {
    const proposals = candidates.map(({ features }, i) => ({
      text: present(texts[i], "a text"),
      chance: model.chance(features),
    }));
    return judge(
      cursor,
      proposals.sort((a, b) => b.chance - a.chance),
    );
  });
  const { exactMatch, reachable, calibrationError, curve } = lineQuality(judgements);
  const point = present(
    curve.find(({ threshold }) => threshold === 0.25),
    "the default threshold",
  );
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  console.log(
    `${name}, not seen: exact match ${percent(exactMatch.all)} of ${percent(reachable)}, ` +
      `calibration error ${calibrationError.toFixed(3)}, at 0.25 ${percent(point.coverage)} shown ` +
      `and ${percent(point.precision)} right`,
  );
}
