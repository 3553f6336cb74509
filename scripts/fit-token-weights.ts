/**
 * Fits `src/core/prompt/token-weights.data.json`.
 *
 *   npx tsx scripts/fit-token-weights.ts WINDOWS.jsonl [--write]
 *
 * Each line of the file is `{"language", "text", "tokens": {"qwen": 412, "llama2": 498, …}}`: a
 * window of source text (300 to 7,000 characters) and its length in each real vocabulary. A size of
 * vocabulary is fitted on the greatest count among its members. Windows are cut from open packages;
 * they are not part of this repository, any fresh sample gives weights that are alike.
 *
 * The loss is the relative error, with `UNDER_PRICE` times the price on what is below the aim: a
 * quantile regression with weights >= 0, solved by a projected subgradient. Two fifths of the windows
 * are held out; what is printed is measured on those.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { countTokenFeatures, tokenFeatures } from "../src/core/prompt/tokens.ts";

const MEMBERS = { large: ["qwen", "deepseek3"], small: ["llama2", "smol", "tiny"] } as const;
const UNDER_PRICE = 10;
/** Aimed at a little below the truth: a prompt may be counted 5 % too short. */
const AIM = 0.97;
const ROUNDS = 6_000;

interface Row {
  readonly language: string;
  readonly features: Float64Array;
  readonly tokens: number;
}

interface Fit {
  readonly weights: readonly number[];
  /** By language id; `other` for every one that is not listed. */
  readonly languages: Readonly<Record<string, number>>;
}

const [file, ...flags] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: fit-token-weights.ts WINDOWS.jsonl [--write]");
const windows = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map(
    (line) =>
      JSON.parse(line) as { language: string; text: string; tokens: Record<string, number> },
  );

const table: Record<string, Fit> = {};
for (const [vocabulary, members] of Object.entries(MEMBERS)) {
  const rows: Row[] = windows.map(({ language, text, tokens }) => ({
    language,
    features: countTokenFeatures(text),
    tokens: Math.max(...members.map((member) => tokens[member] ?? 0)),
  }));
  const training = rows.filter((_, i) => i % 5 > 1);
  const weights = fitWeights(training);
  const own: Fit = { weights, languages: fitLanguages(training, weights) };
  table[vocabulary] = own;
  console.log(
    `\n${vocabulary}: ${tokenFeatures.map((name, i) => `${name} ${weights[i]}`).join(", ")}`,
  );
  console.log(own.languages);
  report(
    rows.filter((_, i) => i % 5 <= 1),
    own,
  );
}
if (flags.includes("--write")) {
  const path = new URL("../src/core/prompt/token-weights.data.json", import.meta.url);
  writeFileSync(path, `${JSON.stringify(table)}\n`);
}

function fitWeights(rows: readonly Row[]): number[] {
  const size = tokenFeatures.length;
  // Features differ in size by a thousand: step along each in units of its mean share of a token.
  const scale = tokenFeatures.map(
    (_, i) => sum(rows.map((row) => (row.features[i] ?? 0) / row.tokens)) / rows.length,
  );
  let weights: number[] = new Array<number>(size).fill(0.8);
  let average: number[] = new Array<number>(size).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient: number[] = new Array<number>(size).fill(0);
    for (const row of rows) {
      const slope = estimate(row, weights) / row.tokens < AIM ? -UNDER_PRICE : 1;
      for (let i = 0; i < size; i++) {
        gradient[i] = (gradient[i] ?? 0) + (slope * (row.features[i] ?? 0)) / row.tokens;
      }
    }
    const step = 0.05 / Math.sqrt(round + 1) / rows.length;
    weights = weights.map((weight, i) =>
      Math.min(4, Math.max(0, weight - (step * (gradient[i] ?? 0)) / ((scale[i] ?? 0) + 1e-3))),
    );
    if (round >= ROUNDS / 2) average = average.map((sum, i) => sum + (weights[i] ?? 0));
  }
  return average.map((sum) => Math.round((sum / (ROUNDS / 2)) * 1000) / 1000);
}

/** What a language's estimates are multiplied by, so that one in a hundred is over 5 % too low. */
function fitLanguages(rows: readonly Row[], weights: readonly number[]): Record<string, number> {
  const languages: Record<string, number> = {};
  for (const language of new Set(rows.map((row) => row.language))) {
    // A natural language, which can stand in a file of any language.
    if (language === "cjk") continue;
    const own = rows.filter((row) => row.language === language);
    const lowest = quantile(
      own.map((row) => estimate(row, weights) / row.tokens),
      0.01,
    );
    languages[language] = Math.round(95 / lowest) / 100;
  }
  return { ...languages, other: Math.max(...Object.values(languages)) };
}

function report(rows: readonly Row[], { weights, languages }: Fit): void {
  for (const language of ["all", ...new Set(rows.map((row) => row.language))]) {
    const own = rows.filter((row) => language === "all" || row.language === language);
    const estimates = own.map(
      (row) => estimate(row, weights) * (languages[row.language] ?? languages.other ?? 1),
    );
    const ratios = own.map((row, i) => (estimates[i] ?? 0) / row.tokens);
    const below = ratios.filter((ratio) => ratio < 0.95).length / ratios.length;
    const total = sum(estimates) / sum(own.map((row) => row.tokens));
    const [least, low, middle, high] = [0, 0.01, 0.5, 0.99].map((q) =>
      quantile(ratios, q).toFixed(2),
    );
    console.log(
      `${language.padEnd(12)} ${own.length} windows; estimate / truth: total ${total.toFixed(2)}, ` +
        `least ${least}, 1 % ${low}, median ${middle}, 99 % ${high}; ` +
        `over 5 % too low ${(100 * below).toFixed(1)} %`,
    );
  }
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function estimate(row: Row, weights: readonly number[]): number {
  return row.features.reduce((sum, count, i) => sum + count * (weights[i] ?? 0), 0);
}
