/**
 * Trains a calibrator of the local model and writes its data file: that of whole rests of lines,
 * `src/local/calibrator.data.json`, or with `--parts` that of parts, `src/local/part-calibrator.data.json`.
 *
 *   npx tsx scripts/train-calibrator.ts [--parts] [--cross-validate] [--cursors 1500] [--seed 1] [--dry-run]
 *
 * The questions come from the training packages of `src/eval/corpora.data.json`, drawn as the bench
 * draws its own: held-out files, near copies left out, a third of the cursors at each kind of place.
 * A package that judges the model never trains it; the script refuses to write otherwise.
 * A part is judged by the chances of the lines that begin so. To be fitted they come from calibrators of
 * rests that did not see the package, as they do not see the packages of those who use them.
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
import { defaultSample, drawQuestions } from "../src/eval/held-out-sample.ts";
import { documentAt, indexFiles, openFiles } from "../src/eval/index-files.ts";
import { judge, lineQuality, type ProposedText } from "../src/eval/line-quality.ts";
import { isRightPart, judgeParts, partQuality } from "../src/eval/part-quality.ts";
import { stateFolders } from "../src/host/state-folders.ts";
import {
  Calibrator,
  fitCalibrator,
  type JudgedQuery,
  LocalModel,
  type LocalQuery,
  partFeatureNames,
} from "../src/local/index.ts";
import { createRandom } from "../src/stats/random.ts";
import { isExactMatch } from "../src/stats/text-match.ts";

const FOLDS = 3;
/** The fitter never looks at this many candidates of one question. */
const MAX_CANDIDATES = 64;

/** The default of the product. */
const THRESHOLD = 0.25;

/** A question for the fitter, and what is needed to judge the fit by it. */
interface TrainingQuestion extends JudgedQuery {
  readonly cursor: SampledCursor;
  readonly candidates: readonly TrainingCandidate[];
}

type TrainingCandidate = JudgedQuery["candidates"][number] & { readonly text: string };
type TrainingProposal = ProposedText & { readonly worth: number };

const { values: flags } = parseArgs({
  options: {
    parts: { type: "boolean", default: false },
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

const names = trainingPackages.map(({ name, version }) => `${name} ${version}`);
const folds = Array.from({ length: FOLDS }, (_, fold) =>
  names.filter((_, i) => i % FOLDS === fold),
);

const rests = await askPackages(names, askRests);
const questions = flags.parts ? await askParts() : rests;
const features = flags.parts ? [...partFeatureNames] : undefined;

if (flags["cross-validate"]) {
  for (const heldOut of folds) {
    const others = questions.filter((question) => !heldOut.includes(question.package));
    const model = new Calibrator(fitCalibrator(others, features));
    for (const name of heldOut) {
      const asked = questions.filter((one) => one.package === name);
      if (flags.parts) reportParts(name, model, asked);
      else reportRests(name, model, asked);
    }
  }
}

const data = fitCalibrator(questions, features);
const judged = new Set(judgedPackages.map(({ name, version }) => `${name} ${version}`));
const leaked = data.trainedOn.filter((name) => judged.has(name));
if (leaked.length > 0) throw new Error(`trained on packages that judge: ${leaked.join(", ")}`);
if (flags["dry-run"]) {
  console.log("nothing written (--dry-run)");
} else {
  const name = flags.parts ? "part-calibrator" : "calibrator";
  const file = fileURLToPath(new URL(`../src/local/${name}.data.json`, import.meta.url));
  writeFileSync(file, `${JSON.stringify(data)}\n`);
  console.log(`wrote ${file}`);
}

/** The parts of each package, beside lines with the chances of a calibrator that does not know it. */
async function askParts(): Promise<TrainingQuestion[]> {
  const asked: TrainingQuestion[] = [];
  for (const heldOut of folds) {
    const others = rests.filter((question) => !heldOut.includes(question.package));
    const calibrator = new Calibrator(fitCalibrator(others));
    asked.push(...(await askPackages(heldOut, askPartsOf, calibrator)));
  }
  return asked;
}

function askRests(model: LocalModel, query: LocalQuery, target: string): TrainingCandidate[] {
  return model.rawCandidates(query).map(({ text, features }) => ({
    text,
    features,
    isRight: isExactMatch(text, target),
    worth: 1,
  }));
}

/** A part saves its length, but for the key that accepts it. */
function askPartsOf(model: LocalModel, query: LocalQuery, target: string): TrainingCandidate[] {
  return model.rawParts(query).map(({ text, features }) => {
    return { text, features, isRight: isRightPart(text, target), worth: text.length - 1 };
  });
}

async function askPackages(
  chosen: readonly string[],
  ask: typeof askRests,
  calibrator?: Calibrator,
): Promise<TrainingQuestion[]> {
  const asked: TrainingQuestion[] = [];
  for (const one of trainingPackages) {
    const name = `${one.name} ${one.version}`;
    if (!chosen.includes(name)) continue;
    const corpus = await loadCorpus(one, { folder: corpusFolder });
    const own: TrainingQuestion[] = [];
    const drawn = drawQuestions(corpus.files, { ...sample, random: createRandom(sample.seed) });
    for (const { split, cursors } of drawn) {
      const model = new LocalModel(calibrator === undefined ? {} : { calibrator });
      model.adopt(indexFiles(split.indexed));
      const documents = openFiles(model, split.heldOut);
      for (const cursor of cursors) {
        const { path, languageId } = cursor.file;
        const document = documentAt(cursor, present(documents.get(cursor.file), path));
        const place = { document, offset: cursor.offset, path, languageId };
        const query = { ...place, maxLines: 1, maxCandidates: MAX_CANDIDATES };
        own.push({ package: name, cursor, candidates: ask(model, query, cursor.target) });
      }
    }
    const reachable = own.filter(({ candidates }) => candidates.some(({ isRight }) => isRight));
    const share = ((100 * reachable.length) / own.length).toFixed(1);
    console.log(`${name}: ${own.length} questions, ${share} % can be answered`);
    asked.push(...own);
  }
  return asked;
}

/** With the chances of a calibrator, best first. */
function rated({ candidates }: TrainingQuestion, model: Calibrator): TrainingProposal[] {
  return candidates
    .map(({ text, features, worth }) => ({ text, worth, chance: model.chance(features) }))
    .sort((a, b) => b.chance * b.worth - a.chance * a.worth);
}

function reportRests(name: string, model: Calibrator, asked: readonly TrainingQuestion[]): void {
  const judgements = asked.map((question) => judge(question.cursor, rated(question, model)));
  const { exactMatch, reachable, calibrationError, curve } = lineQuality(judgements);
  const point = present(
    curve.find(({ threshold }) => threshold === THRESHOLD),
    "the default threshold",
  );
  console.log(
    `${name}, not seen: exact match ${percent(exactMatch.all)} of ${percent(reachable)}, ` +
      `calibration error ${calibrationError.toFixed(3)}, at 0.25 ${percent(point.coverage)} shown ` +
      `and ${percent(point.precision)} right`,
  );
}

/** Over the questions at which no line is sure. */
function reportParts(name: string, model: Calibrator, asked: readonly TrainingQuestion[]): void {
  const judgements = asked.map((question) =>
    judgeParts(question.cursor, { rests: [], parts: rated(question, model), threshold: THRESHOLD }),
  );
  const { coverage, precision, units, calibrationError } = partQuality(judgements);
  console.log(
    `${name}, not seen: at ${THRESHOLD} ${percent(coverage)} shown and ${percent(precision)} right, ` +
      `${units.toFixed(1)} characters, calibration error ${calibrationError.toFixed(3)}`,
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
