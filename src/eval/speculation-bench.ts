/**
 * Speculation in the embedded engine: how many passes through the model an answer takes with drafts
 * from the file, with candidates of the local model too, and without. Passes do not depend on what
 * else the machine does. What drafts must not change, the text, is compared as well.
 */
import {
  type Backend,
  type BackendRequest,
  buildPrompt,
  type FimFormat,
  promptBudget,
  promptTokenCounter,
} from "../core/index.ts";
import {
  type BenchCheck,
  type BenchReporter,
  formatChecks,
  formatTable,
  percent,
} from "./bench-report.ts";
import { describeMachine, type Machine, machineLine } from "./machine.ts";
import {
  type SpeculationCase,
  type SpeculationKind,
  speculationKinds,
} from "./speculation-cases.ts";

export interface SpeculationBenchOptions {
  /** The same model without and with drafts. */
  readonly plain: Backend;
  readonly drafting: Backend;
  readonly model: string;
  readonly format: FimFormat;
  readonly cases: readonly SpeculationCase[];
  readonly reporter: BenchReporter;
}

/** Sums over the answers of one kind. */
export interface SpeculationRow {
  readonly kind: SpeculationKind;
  readonly answers: number;
  readonly tokens: number;
  readonly plainSteps: number;
  readonly fileSteps: number;
  /** With candidates of the local model; equal to `fileSteps` where there are none. */
  readonly candidateSteps: number;
  /** Answers whose text is another one with drafts. */
  readonly different: number;
}

export interface SpeculationReport {
  readonly machine: Machine;
  readonly model: string;
  readonly rows: readonly SpeculationRow[];
  readonly checks: readonly BenchCheck[];
}

/** Tokens of an answer at most, as in the product's multi-line mode. */
const MAX_TOKENS = 64;
const GOAL_RATIO = 2;
const GOAL_SAME = 1;

const labels: Readonly<Record<SpeculationKind, string>> = {
  rename: "edit-like: a copy with another name",
  repeated: "edit-like: a list of similar lines",
  line: "ordinary: the rest of a line",
};

/** Asks each case three times. Fails as the backend does. */
export async function runSpeculationBench(
  options: SpeculationBenchOptions,
): Promise<SpeculationReport> {
  const { plain, drafting, cases, reporter } = options;
  const rows = new Map<SpeculationKind, SpeculationRow>();
  let done = 0;
  for (const each of cases) {
    const request = requestOf(each, options);
    const first = await answerOf(plain, request);
    const second = await answerOf(drafting, request);
    const third =
      each.drafts.length === 0
        ? second
        : await answerOf(drafting, { ...request, drafts: each.drafts });
    const row = rows.get(each.kind) ?? emptyRow(each.kind);
    const isSame = first.text === second.text && first.text === third.text;
    rows.set(each.kind, {
      kind: each.kind,
      answers: row.answers + 1,
      tokens: row.tokens + first.tokens,
      plainSteps: row.plainSteps + first.steps,
      fileSteps: row.fileSteps + second.steps,
      candidateSteps: row.candidateSteps + third.steps,
      different: row.different + (isSame ? 0 : 1),
    });
    reporter.progress({ label: each.kind, done: ++done, total: cases.length });
  }
  const found = speculationKinds.flatMap((kind) => rows.get(kind) ?? []);
  return {
    machine: describeMachine(),
    model: options.model,
    rows: found,
    checks: checksOf(found),
  };
}

/** For a person. */
export function formatSpeculationBench({
  machine,
  model,
  rows,
  checks,
}: SpeculationReport): string {
  const head = [
    "text",
    "answers",
    "tokens",
    "passes",
    "with drafts",
    "fewer by",
    "+ local model",
    "fewer by",
    "other text",
  ];
  const cells = rows.map((row) => [
    labels[row.kind],
    String(row.answers),
    String(row.tokens),
    String(row.plainSteps),
    String(row.fileSteps),
    (row.plainSteps / row.fileSteps).toFixed(2),
    String(row.candidateSteps),
    (row.plainSteps / row.candidateSteps).toFixed(2),
    percent(row.different / row.answers),
  ]);
  return [
    machineLine(machine),
    `${model}, greedy, at most ${MAX_TOKENS} tokens, on the processor. Passes through the model that gave tokens; "other text": % of answers that drafts change.`,
    formatTable(head, cells),
    formatChecks(checks),
  ].join("\n\n");
}

function checksOf(rows: readonly SpeculationRow[]): readonly BenchCheck[] {
  const sum = (list: readonly SpeculationRow[], of: (row: SpeculationRow) => number): number =>
    list.reduce((total, row) => total + of(row), 0);
  const edits = rows.filter(({ kind }) => kind !== "line");
  const answers = sum(rows, (row) => row.answers);
  return [
    {
      name: "fewer passes on edit-like text",
      value: sum(edits, (row) => row.plainSteps) / sum(edits, (row) => row.fileSteps),
      goal: { kind: "at-least", value: GOAL_RATIO },
      unit: "×",
    },
    {
      name: "answers whose text drafts leave alone",
      value: 1 - sum(rows, (row) => row.different) / answers,
      goal: { kind: "at-least", value: GOAL_SAME },
      unit: "",
    },
  ];
}

function emptyRow(kind: SpeculationKind): SpeculationRow {
  const none = { answers: 0, tokens: 0, plainSteps: 0, fileSteps: 0, candidateSteps: 0 };
  return { kind, ...none, different: 0 };
}

function requestOf(
  { prefix, suffix, stop, languageId }: SpeculationCase,
  { plain, format, model }: SpeculationBenchOptions,
): BackendRequest {
  const { contextTokens } = plain.capabilities;
  const { prompt, stops } = buildPrompt({
    format,
    order: null,
    prefix,
    suffix,
    repository: null,
    path: null,
    languageId,
    snippets: [],
    budget: promptBudget({ contextTokens, outputTokens: MAX_TOKENS }),
    counter: promptTokenCounter(format, languageId),
    multiline: stop.length === 0,
    stops: stop,
    maxStops: null,
    writesBos: false,
  });
  return { model, prompt, maxTokens: MAX_TOKENS, temperature: 0, stop: stops };
}

async function answerOf(
  backend: Backend,
  request: BackendRequest,
): Promise<{ readonly text: string; readonly tokens: number; readonly steps: number }> {
  const { signal } = new AbortController();
  let text = "";
  let tokens = 0;
  let steps = 0;
  for await (const event of backend.complete(request, { signal })) {
    if (event.kind === "text") text += event.text;
    else {
      tokens = event.usage.outputTokens;
      steps = event.usage.decodeSteps ?? 0;
    }
  }
  return { text, tokens, steps };
}
