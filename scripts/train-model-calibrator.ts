/**
 * Trains the calibrator for texts of language models and writes
 * `src/core/show/model-chance.data.json`.
 *
 *   npx tsx scripts/train-model-calibrator.ts ANSWERS [--cursors 25] [--minutes 60] [--write]
 *
 * A real llama-server with the quality model of `midspan bench inference` (same environment) is asked
 * at held-out cursors of the training packages of `src/eval/corpora.data.json`; ANSWERS keeps what it
 * said, so that a run can be stopped and continued. Two ridge regressions are fitted, one with and one
 * without log-probabilities. Printed is their calibration error on packages that the fit has not seen,
 * four folds of whole packages. A package that judges the model never trains it.
 */
import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withInferenceEnvironment } from "../src/cli/bench-inference.ts";
import { type ModelChanceData, modelChance, modelTextFeatures } from "../src/core/index.ts";
import { type Corpus, judgedPackages, loadCorpus, trainingPackages } from "../src/eval/corpus.ts";
import { defaultSample } from "../src/eval/held-out-sample.ts";
import { askCursors, type InferenceAnswer } from "../src/eval/inference-answers.ts";
import { QUALITY_TOKENS } from "../src/eval/inference-judging.ts";
import { answerFacts } from "../src/eval/inference-quality.ts";
import { startInferenceServer } from "../src/eval/inference-server.ts";
import { calibrationBins } from "../src/eval/line-quality.ts";
import { expectedCalibrationError } from "../src/stats/calibration.ts";
import { fitLogistic } from "../src/stats/logistic-fit.ts";
import { mean } from "../src/stats/summary.ts";
import { isExactMatch } from "../src/stats/text-match.ts";

/** Few, so that a package has one index. */
const HELD_OUT_FILES = 8;
const FOLDS = 4;
const RIDGE = 4;
const MODEL = "smol-fim";
const SLOT_TOKENS = 2_048;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cursors: { type: "string", default: "25" },
    minutes: { type: "string", default: "60" },
    write: { type: "boolean", default: false },
  },
});
const [file] = positionals;
if (file === undefined) throw new Error("usage: train-model-calibrator.ts ANSWERS [--write]");
const home = process.env.MIDSPAN_HOME ?? join(homedir(), ".cache", "midspan");
const folder = join(home, "cache", "corpora");

const corpora: Corpus[] = [];
for (const one of trainingPackages) corpora.push(await loadCorpus(one, { folder }));
const asked = await withInferenceEnvironment(async (environment) => {
  const { command, models, formats, createBackend, createEngine, http, clock } = environment;
  const model = models.quality;
  const format = formats.quality;
  const server = await startInferenceServer({
    ...{ command, model, threads: 2, slots: 2, contextTokens: SLOT_TOKENS, batchTokens: 256 },
  });
  try {
    const { url } = server;
    const contextTokens = QUALITY_TOKENS;
    return await askCursors(corpora, {
      ...defaultSample,
      heldOutFiles: HELD_OUT_FILES,
      cursors: Number(flags.cursors),
      file,
      untilMs: Date.now() + Number(flags.minutes) * 60_000,
      parts: {
        backend: createBackend({ url, http, contextTokens: SLOT_TOKENS, isPinned: true }),
        ...{ model, format, contextTokens, compares: false },
        createEngine: (parts) =>
          createEngine({
            ...parts,
            model,
            format,
            local: null,
            isPrefetched: false,
            contextTokens,
            clock,
          }),
      },
      onProgress: (done, total) => {
        if (done % 25 === 0) console.log(`${done} of ${total} answers`);
      },
    });
  } finally {
    await server.stop();
  }
});

const answers = asked.filter(({ ours }) => ours !== null);
const isRight = ({ ours, target }: InferenceAnswer): boolean => isExactMatch(ours ?? "", target);
const packages = [...new Set(answers.map((answer) => answer.package))].sort();
console.log(
  `${asked.length} cursors of ${packages.length} packages, ${answers.length} with a text, ` +
    `${answers.filter(isRight).length} right`,
);

for (const hasSureness of [true, false]) {
  const rated: { chance: number; isCorrect: boolean }[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const held = new Set(packages.filter((_, i) => i % FOLDS === fold));
    const data = fitted(answers.filter((answer) => !held.has(answer.package)));
    for (const answer of answers.filter((one) => held.has(one.package))) {
      const facts = { ...answerFacts(answer, MODEL), ...(hasSureness ? {} : { sureness: null }) };
      rated.push({ chance: modelChance(facts, data) ?? 0, isCorrect: isRight(answer) });
    }
  }
  const error = expectedCalibrationError(rated, calibrationBins);
  const score = mean(rated.map(({ chance, isCorrect }) => (chance - (isCorrect ? 1 : 0)) ** 2));
  const rate = mean(rated.map(({ isCorrect }) => (isCorrect ? 1 : 0)));
  console.log(
    `${hasSureness ? "with" : "without"} log-probabilities, packages not seen: calibration error ` +
      `${error.toFixed(3)}, Brier score ${score.toFixed(3)} (always ${rate.toFixed(2)}: ${(rate * (1 - rate)).toFixed(3)})`,
  );
}

const data = fitted(answers);
const judged = new Set(judgedPackages.map(({ name }) => name));
const leaked = data.trainedOn.filter((name) => judged.has(name));
if (leaked.length > 0) throw new Error(`trained on packages that judge: ${leaked.join(", ")}`);
if (flags.write) {
  const target = fileURLToPath(new URL("../src/core/show/model-chance.data.json", import.meta.url));
  writeFileSync(target, `${JSON.stringify(data, null, 2)}\n`);
  console.log(`wrote ${target}`);
}

function fitted(some: readonly InferenceAnswer[]): ModelChanceData {
  return {
    models: [MODEL],
    withSureness: weightsOf(some, true),
    withoutSureness: weightsOf(some, false),
    trainedOn: [...new Set(some.map((answer) => answer.package))].sort(),
  };
}

function weightsOf(
  some: readonly InferenceAnswer[],
  hasSureness: boolean,
): ModelChanceData["withSureness"] {
  const rows = some
    .filter(({ sureness }) => !hasSureness || sureness !== null)
    .map((answer) => {
      const facts = { ...answerFacts(answer, MODEL), ...(hasSureness ? {} : { sureness: null }) };
      return { values: modelTextFeatures(facts), isRight: isRight(answer) };
    });
  const features = [...(rows[0]?.values.keys() ?? [])];
  const examples = rows.map((row) => ({
    values: features.map((name) => row.values.get(name) ?? 0),
    isRight: row.isRight,
  }));
  const { bias, weights } = fitLogistic(examples, { ridge: RIDGE });
  const scores = examples.map(({ values }) =>
    values.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), bias),
  );
  return {
    features,
    bias: rounded(bias),
    weights: weights.map(rounded),
    usual: rounded(mean(scores)),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
