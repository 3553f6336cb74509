/**
 * Fits `src/core/request/trigger-score.data.json`.
 *
 *   npx tsx scripts/fit-trigger-score.ts FOLDER [--write]
 *
 * FOLDER keeps the unpacked training packages of `src/eval/corpora.data.json`; what is missing is
 * fetched. Typing is replayed over held-out files of each package (`src/eval/typing-replay.ts`) with
 * the local model, which knows the other files. A key press is an example; its label is whether the
 * best candidate was right. Every second example forgets the last outcome, so that the score means
 * the same before anything was shown. Logistic regression with a ridge, solved by Newton's method; every
 * fourth package is left out of the fit and gives the printed figures and the usual score. Then all
 * packages are fitted.
 */
import { writeFileSync } from "node:fs";
import { type TriggerPosition, triggerFeatures, triggerScore } from "../src/core/index.ts";
import { loadCorpus, trainingPackages } from "../src/eval/corpus.ts";
import { replayedKeys } from "../src/eval/policy-bench.ts";
import { createRandom } from "../src/stats/random.ts";

const SESSIONS = { files: 6, sessionsPerFile: 60 };
const SEED = 7;
const RIDGE = 3;
const STEPS = 12;
/** A feature seen less often gets no weight. */
const MIN_SEEN = 60;
const DATA = new URL("../src/core/request/trigger-score.data.json", import.meta.url);

interface Example {
  readonly position: TriggerPosition;
  readonly isRight: boolean;
}

const [folder, flag] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: fit-trigger-score.ts FOLDER [--write]");

const byPackage: Example[][] = [];
for (const one of trainingPackages) {
  const corpus = await loadCorpus(one, { folder });
  const random = createRandom(SEED);
  const examples: Example[] = [];
  for (const key of replayedKeys(corpus, { ...SESSIONS, random })) {
    const lastOutcome = examples.length % 2 === 0 ? key.lastOutcome : null;
    examples.push({ position: { ...key, lastOutcome }, isRight: key.isRight });
  }
  byPackage.push(examples);
  console.log(
    `${one.name}: ${examples.length} key presses, ${percent(rightShare(examples))} right`,
  );
}

const judged = byPackage.filter((_, i) => i % 4 === 3).flat();
const trial = fitWeights(byPackage.filter((_, i) => i % 4 !== 3).flat());
console.log(
  `\nlearnt on the other packages, judged on ${judged.length} key presses of every fourth:`,
);
const scored = judged
  .map(({ position, isRight }) => ({ score: triggerScore(position, trial), isRight }))
  .sort((a, b) => a.score - b.score);
report();
const usualScore = round(scored[Math.floor(scored.length / 2)]?.score ?? 0);
console.log(`usual score ${usualScore}`);

const weights = fitWeights(byPackage.flat());
if (flag === "--write") {
  const packages = trainingPackages.map(({ name, version }) => `${name} ${version}`);
  const fittedOn = { packages, keyPresses: byPackage.flat().length, seed: SEED };
  const data = { fittedOn, usualScore, weights };
  writeFileSync(DATA, `${JSON.stringify(data, null, 1)}\n`);
}

/** Weights by feature name, rounded. */
function fitWeights(examples: readonly Example[]): Record<string, number> {
  const seen = new Map<string, number>();
  const features = examples.map(({ position }) => triggerFeatures(position));
  for (const [name] of features.flat()) seen.set(name, (seen.get(name) ?? 0) + 1);
  const names = [...seen.keys()].filter((name) => (seen.get(name) ?? 0) >= MIN_SEEN).sort();
  const places = new Map(names.map((name, place) => [name, place]));
  const rows = features.map((list) =>
    list.flatMap(([name, value]) => {
      const place = places.get(name);
      return place === undefined || value === 0 ? [] : [[place, value] as const];
    }),
  );
  let solution = new Float64Array(names.length);
  for (let step = 0; step < STEPS; step++) {
    const gradient = solution.map((weight) => -RIDGE * weight);
    const curvature = names.map((_, i) => {
      const row = new Float64Array(names.length);
      row[i] = RIDGE;
      return row;
    });
    rows.forEach((row, i) => {
      let sum = 0;
      for (const [place, value] of row) sum += (solution[place] as number) * value;
      const chance = 1 / (1 + Math.exp(-sum));
      const error = (examples[i]?.isRight === true ? 1 : 0) - chance;
      const weight = chance * (1 - chance);
      for (const [a, x] of row) {
        gradient[a] = (gradient[a] as number) + error * x;
        const line = curvature[a] as Float64Array;
        for (const [b, y] of row) line[b] = (line[b] as number) + weight * x * y;
      }
    });
    const change = solve(curvature, gradient);
    solution = solution.map((weight, i) => weight + (change[i] as number));
  }
  return Object.fromEntries(names.map((name, i) => [name, round(solution[i] as number)]));
}

/** Solves a symmetric positive system by Cholesky's method. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const at = (i: number, j: number): number => matrix[i]?.[j] ?? 0;
  const lower = Array.from({ length: size }, () => new Float64Array(size));
  const low = (i: number, j: number): number => lower[i]?.[j] ?? 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = at(i, j);
      for (let k = 0; k < j; k++) sum -= low(i, k) * low(j, k);
      (lower[i] as Float64Array)[j] = i === j ? Math.sqrt(sum) : sum / low(j, j);
    }
  }
  const result = Float64Array.from(right);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) result[i] = (result[i] ?? 0) - low(i, k) * (result[k] ?? 0);
    result[i] = (result[i] ?? 0) / low(i, i);
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) result[i] = (result[i] ?? 0) - low(k, i) * (result[k] ?? 0);
    result[i] = (result[i] ?? 0) / low(i, i);
  }
  return result;
}

/** What the score tells: order, calibration by tenths, and what a cut would skip and lose. */
function report(): void {
  const right = scored.filter(({ isRight }) => isRight).length;
  let pairs = 0;
  let wrongBelow = 0;
  for (const { isRight } of scored) {
    if (isRight) pairs += wrongBelow;
    else wrongBelow++;
  }
  console.log(`area under the curve ${(pairs / (right * wrongBelow)).toFixed(3)}`);
  console.log("score up to | key presses | mean score | right | right ones up to here");
  let lost = 0;
  for (let tenth = 0; tenth < 10; tenth++) {
    const from = Math.floor((tenth * scored.length) / 10);
    const part = scored.slice(from, Math.floor(((tenth + 1) * scored.length) / 10));
    const mean = part.reduce((sum, { score }) => sum + score, 0) / part.length;
    const share = part.filter(({ isRight }) => isRight).length / part.length;
    lost += part.filter(({ isRight }) => isRight).length;
    const cells = [
      percent((tenth + 1) / 10),
      mean.toFixed(3),
      percent(share),
      percent(lost / right),
    ];
    console.log([part.at(-1)?.score.toFixed(3), ...cells].join(" | "));
  }
}

function rightShare(examples: readonly Example[]): number {
  return examples.filter(({ isRight }) => isRight).length / examples.length;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function round(weight: number): number {
  return Math.round(weight * 1_000) / 1_000;
}
