/**
 * `midspan bench policy`: what the policy for a language model saves and what it loses, by rule, over
 * replayed typing. The local model stands in for the language model: where nothing is right by it,
 * little is by any. Two views: a language model alone, and one behind the local model, which then is
 * asked only where the local answer is not sure.
 */
import { present } from "../base/assert.ts";
import {
  cascadeRules,
  countRefusals,
  lexicalScopeProbe,
  type PolicyObservation,
  type PolicyShares,
} from "../core/index.ts";
import { LocalModel } from "../local/index.ts";
import { createRandom, type Random } from "../stats/random.ts";
import { type BenchReporter, percent } from "./bench-report.ts";
import { type Corpus, judgedPackages, loadCorpus } from "./corpus.ts";
import { indexFiles } from "./index-files.ts";
import { numberColumn, paragraph, type Report, textColumn } from "./report/report.ts";
import { makeSplits } from "./split.ts";
import { replayTyping, type TypedKey } from "./typing-replay.ts";

/** How much is replayed of a package. */
export interface PolicySample {
  /** Held-out files, at most a quarter of the package. */
  readonly files: number;
  readonly sessionsPerFile: number;
}

/** The sample of the published figures. */
export const defaultPolicySample: PolicySample = { files: 8, sessionsPerFile: 50 };

export interface PolicyBenchOptions extends PolicySample {
  readonly corpusFolder: string;
  /** Names of judged packages; empty for all of them. */
  readonly packages: readonly string[];
  readonly seed: number;
  readonly reporter: BenchReporter;
}

export interface PolicyBenchReport {
  readonly sample: PolicySample;
  readonly packages: readonly string[];
  /** Every key press may ask the language model. */
  readonly alone: PolicyShares;
  /** Only key presses at which the local answer is not sure may. */
  readonly behindLocal: PolicyShares;
}

/** Replays the judged packages. Deterministic. */
export async function runPolicyBench(options: PolicyBenchOptions): Promise<PolicyBenchReport> {
  const { corpusFolder, files, sessionsPerFile, seed, reporter } = options;
  const chosen = judgedPackages.filter(
    ({ name }) => options.packages.length === 0 || options.packages.includes(name),
  );
  const keys: TypedKey[] = [];
  for (const [done, one] of chosen.entries()) {
    reporter.progress({ label: one.name, done, total: chosen.length });
    const corpus = await loadCorpus(one, { folder: corpusFolder });
    keys.push(...replayedKeys(corpus, { files, sessionsPerFile, random: createRandom(seed) }));
  }
  const unsure = keys.filter(({ chance }) => chance < cascadeRules.localChance);
  return {
    sample: { files, sessionsPerFile },
    packages: chosen.map(({ name, version }) => `${name} ${version}`),
    alone: countRefusals(keys.map(observe)),
    behindLocal: countRefusals(unsure.map(observe)),
  };
}

/** Key presses in held-out files, answered by a model that knows the other files. */
export function* replayedKeys(
  corpus: Corpus,
  sample: PolicySample & { readonly random: Random },
): Generator<TypedKey> {
  const { files, sessionsPerFile, random } = sample;
  const heldOutFiles = Math.min(files, Math.max(1, Math.floor(corpus.files.length / 4)));
  const splits = makeSplits(corpus.files, { heldOutFiles, random });
  const { heldOut, indexed } = present(splits[0], `files of ${corpus.package.name}`);
  const local = new LocalModel();
  local.adopt(indexFiles(indexed));
  for (const file of heldOut) {
    const { path, languageId } = file;
    yield* replayTyping(file, {
      model: (document, offset) => {
        const query = { document, offset, path, languageId, maxLines: 1, maxCandidates: 1 };
        return local.complete(query)[0] ?? null;
      },
      sessions: sessionsPerFile,
      random,
    });
  }
}

function observe(key: TypedKey): PolicyObservation {
  const position = {
    ...key,
    trigger: "automatic" as const,
    forModel: true,
    hasSelection: false,
    isLanguageEnabled: true,
    scopes: lexicalScopeProbe,
  };
  return { position, isRight: key.isRight };
}

/** The table of shares. */
export function policyReport({ alone, behindLocal }: PolicyBenchReport): Report {
  const shares = (of: PolicyShares, count: { readonly skipped: number; readonly lost: number }) => [
    count.skipped / of.positions,
    count.lost / of.right,
  ];
  const rows = alone.rules.map((count, i) => [
    count.rule,
    ...shares(alone, count),
    ...shares(behindLocal, behindLocal.rules[i] ?? count),
  ]);
  const blocks = [
    paragraph(
      `${alone.positions} key presses, ${percent(alone.right / alone.positions)} % with a right answer; ` +
        `at ${behindLocal.positions} of them the local answer is not sure, ` +
        `${percent(behindLocal.right / behindLocal.positions)} % of these with a right one.`,
    ),
    {
      kind: "table",
      caption: "Key presses that a rule keeps from a language model, and right answers among them.",
      columns: [
        textColumn("rule"),
        numberColumn("not asked", "share"),
        numberColumn("right lost", "share"),
        numberColumn("not asked behind local", "share"),
        numberColumn("right lost behind local", "share"),
      ],
      rows: [...rows, ["all", ...shares(alone, alone), ...shares(behindLocal, behindLocal)]],
    },
  ] as const;
  return {
    ...{ title: "Key presses that ask no language model", lead: "", stamps: [], checks: [] },
    sections: [{ title: "", blocks }],
  };
}
