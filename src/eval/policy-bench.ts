/**
 * What the policy for a language model saves and what it loses, by rule, over replayed typing. The
 * local model stands in for the language model: where nothing is right by it, little is by any.
 */
import { present } from "../base/assert.ts";
import { countRefusals, lexicalScopeProbe, type PolicyShares } from "../core/index.ts";
import { LocalModel } from "../local/index.ts";
import type { Random } from "../stats/random.ts";
import { formatTable, percent } from "./bench-report.ts";
import type { Corpus } from "./corpus.ts";
import { indexFiles } from "./index-files.ts";
import { makeSplits } from "./split.ts";
import { replayTyping, type TypedKey } from "./typing-replay.ts";

/** How much is replayed of a package. */
export interface PolicySample {
  /** Held-out files, at most a quarter of the package. */
  readonly files: number;
  readonly sessionsPerFile: number;
  readonly random: Random;
}

/** Key presses in held-out files, answered by a model that knows the other files. */
export function* replayedKeys(corpus: Corpus, sample: PolicySample): Generator<TypedKey> {
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

/** Counts what the rules refuse. */
export function measurePolicy(keys: Iterable<TypedKey>): PolicyShares {
  return countRefusals(observations(keys));
}

function* observations(keys: Iterable<TypedKey>): Parameters<typeof countRefusals>[0] & Generator {
  for (const key of keys) {
    const position = {
      ...key,
      trigger: "automatic" as const,
      forModel: true,
      hasSelection: false,
      isLanguageEnabled: true,
      scopes: lexicalScopeProbe,
    };
    yield { position, isRight: key.isRight };
  }
}

/** The table of shares, for a person. */
export function formatPolicyShares(shares: PolicyShares): string {
  const { positions, right } = shares;
  const rows = [...shares.rules, { ...shares, rule: "all rules" }].map(
    ({ rule, skipped, lost }) => [rule, percent(skipped / positions), percent(lost / right)],
  );
  return formatTable(["rule", "key presses not sent, %", "right answers lost, %"], rows);
}
