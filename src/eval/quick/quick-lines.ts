/**
 * The lines of a quick evaluation: every way answers the same questions in the same order, as many as
 * it has time for; ways are compared on those that all of them answered.
 */
import type { Engine, LanguageModel } from "../../engine/index.ts";
import { LocalModel } from "../../local/index.ts";
import { createRandom } from "../../stats/random.ts";
import { percentile } from "../../stats/summary.ts";
import type { BenchReporter } from "../bench-report.ts";
import { rawAsker } from "../infill/infill-asker.ts";
import { meterBackend } from "../replay/metered-backend.ts";
import { askQuestions } from "../repo/ask-questions.ts";
import { fileQuestions } from "../repo/file-questions.ts";
import type { KnownWorkspace } from "../repo/known-workspace.ts";
import { asSet, type LineAnswer } from "../repo/line-answer.ts";
import type { LineQuestion, QuestionSource } from "../repo/line-question.ts";
import { engineWay } from "../repo/line-way.ts";
import type { SourceFile } from "../source-file.ts";

/** One way of asking, with what it answered. */
export type QuickWay =
  | { readonly kind: "missing"; readonly name: string; readonly reason: string }
  | {
      readonly kind: "measured";
      readonly name: string;
      readonly answers: readonly LineAnswer[];
      /** Of one question, median. */
      readonly msPerQuestion: number;
    };

/** Makes an engine as the product does. */
export type CreateEngine = (parts: {
  readonly local: LocalModel | null;
  readonly model: LanguageModel | null;
}) => Engine;

export interface AskingLimits {
  readonly signal: AbortSignal;
  readonly reporter: BenchReporter;
}

const OUTPUT_TOKENS = 48;

/** Questions about held-out files, in a random order within a split. */
export function quickQuestions(
  files: readonly SourceFile[],
  options: { readonly cursors: number; readonly seed: number },
): QuestionSource {
  const source = fileQuestions(files, {
    cursors: options.cursors,
    random: createRandom(options.seed),
  });
  const random = createRandom(options.seed + 1);
  const batches = source.batches.map((batch) => ({
    questions: random.shuffled(batch.questions),
    prepare: (known: KnownWorkspace) => batch.prepare(known),
  }));
  return { ...source, batches };
}

/** Asks through an engine; with a local model it is brought to the state of the questions first. */
export async function askThroughEngine(
  name: string,
  source: QuestionSource,
  options: AskingLimits & {
    readonly createEngine: CreateEngine;
    readonly hasLocal: boolean;
    readonly model: LanguageModel | null;
  },
): Promise<QuickWay> {
  const { createEngine, hasLocal, model, signal, reporter } = options;
  const local = hasLocal ? new LocalModel() : null;
  const meter = model === null ? null : meterBackend(model.backend, { clock: performance });
  const metered = model === null || meter === null ? null : { ...model, backend: meter.backend };
  const engine = createEngine({ local, model: metered });
  const times: number[] = [];
  let before = performance.now();
  try {
    const { answers } = await askQuestions({
      ways: [engineWay(asSet, { engine, calls: meter?.calls ?? [], source: null })],
      ...{ source, signal, earlier: new Map() },
      // Prompts hold the document alone: what context is worth is told by `midspan eval repo`.
      known: { local, onFiles: null },
      keep: () => {
        times.push(performance.now() - before);
        before = performance.now();
      },
      reporter: {
        progress: (step) => reporter.progress({ ...step, label: name }),
        note: (text) => reporter.note(text),
      },
    });
    return { kind: "measured", name, answers, msPerQuestion: percentile(times, 0.5) };
  } finally {
    engine.dispose();
  }
}

/** The model called as the literature does: sentinels, prefix, suffix, the first line of its text. */
export async function askPlainly(
  name: string,
  source: QuestionSource,
  { model, signal, reporter }: AskingLimits & { readonly model: LanguageModel },
): Promise<QuickWay> {
  const ask = rawAsker("plain", {
    ...{ backend: model.backend, model: model.id, format: model.format, order: null },
    ...{ temperature: 0, lineTokens: OUTPUT_TOKENS, blockTokens: OUTPUT_TOKENS },
  });
  const questions = source.batches.flatMap((batch) => batch.questions);
  const answers: LineAnswer[] = [];
  const times: number[] = [];
  for (const question of questions) {
    for (const mode of ["with suffix", "without suffix"] as const) {
      if (signal.aborted) break;
      const startedAt = performance.now();
      const suffix = mode === "with suffix" ? question.suffix : "";
      const outcome = await plainOutcome(ask, { ...question, suffix }, signal);
      if (outcome === null) break;
      times.push(performance.now() - startedAt);
      const { path, languageId, place, target } = question;
      answers.push({
        id: `${question.id}:${mode}`,
        ...{ path, languageId, place, mode, target, outcome },
        ...{ way: asSet, context: null },
      });
      reporter.progress({ label: name, done: answers.length, total: 2 * questions.length });
    }
  }
  return { kind: "measured", name, answers, msPerQuestion: percentile(times, 0.5) };
}

/** `null` when it was interrupted. */
async function plainOutcome(
  ask: ReturnType<typeof rawAsker>,
  question: LineQuestion,
  signal: AbortSignal,
): Promise<LineAnswer["outcome"] | null> {
  const task = { ...question, set: "lines", isSingleLine: true, isWholeLine: false, tests: null };
  try {
    const { text } = await ask(task, { signal });
    const [line = ""] = text.split("\n");
    return line.trim() === ""
      ? { kind: "none", reason: "empty" }
      : { kind: "text", text: line, chance: null, source: "model" };
  } catch {
    return signal.aborted ? null : { kind: "failed", code: "BACKEND_REFUSED" };
  }
}

/** The answers to questions that every one of these ways answered. */
export function answeredByAll(ways: readonly QuickWay[]): ReadonlySet<string> {
  const sets = ways.flatMap((way) =>
    way.kind === "missing" ? [] : [new Set(way.answers.map(({ id }) => id))],
  );
  const [first = new Set<string>(), ...others] = sets;
  return new Set([...first].filter((id) => others.every((other) => other.has(id))));
}
