/**
 * What context does to the lines that are written with it: exact match and edit similarity on lines that
 * use a name of another file. Two writers. The local model that has read nothing but the document and
 * the snippets shows whether what a line is made of stands in them. A language model gets a prompt with
 * the same windows and with or without the snippets.
 */
import { appendFile } from "node:fs/promises";
import type { TextBuffer } from "../base/text-buffer.ts";
import {
  type Backend,
  type BackendRequest,
  buildPrompt,
  type FimFormat,
  nextWindow,
  type PromptBudget,
  promptBudget,
  promptTokenCounter,
  type Snippet,
} from "../core/index.ts";
import { readAnswerLines } from "./answer-lines.ts";
import { choiceName, soloChoices } from "./context-choices.ts";
import { type CrossFileCursor, contextAt } from "./context-recall.ts";
import type { ContextWorld } from "./context-world.ts";
import { piecesOf } from "./plain-prompt.ts";
import { rowOf } from "./run/json-lines.ts";
import type { SourceFile } from "./source-file.ts";
import type { WorthText } from "./source-worth.ts";

/** What was written at one place in one way. */
export interface WorthAnswer {
  readonly package: string;
  readonly path: string;
  readonly offset: number;
  readonly target: string;
  /** The way: of sources, by `choiceName`. */
  readonly sources: string;
  /** The rest of the line; `""` when nothing was written. */
  readonly text: string;
}

const readWorthAnswer = rowOf<WorthAnswer>({
  ...{ package: "string", path: "string", offset: "number", target: "string" },
  ...{ sources: "string", text: "string" },
});

/** A language model that is asked. */
export interface WorthModel {
  readonly backend: Backend;
  readonly id: string;
  readonly format: FimFormat;
}

/** A package whose places are asked about. */
export interface WorthPackage {
  readonly name: string;
  readonly files: readonly SourceFile[];
  readonly world: ContextWorld;
  readonly cursors: readonly CrossFileCursor[];
}

/** One way to ask a model. */
export interface WorthWay {
  readonly name: string;
  readonly request: (
    at: Pick<WorthPackage, "files" | "world"> & { readonly place: CrossFileCursor },
    model: WorthModel,
  ) => Promise<BackendRequest>;
}

/** Prompts are small: a model of this size on a CPU reads some hundred tokens a second. */
const WINDOW = { prefixTokens: 180, suffixTokens: 60 } as const;
const PROMPT_TOKENS = 560;
const LINE_TOKENS = 24;
/** Shared out as the product does it for a context of this length. */
const BUDGET: PromptBudget = {
  ...promptBudget({ contextTokens: PROMPT_TOKENS + LINE_TOKENS, outputTokens: LINE_TOKENS }),
  ...WINDOW,
};

/** Without sources, with all, with those that are on, and with each alone. */
export const sourceWays: readonly WorthWay[] = soloChoices.map((kinds) => ({
  name: choiceName(kinds),
  request: async ({ files, world, place }, model) => {
    const { buffer, snippets } = await contextAt(files, place.cursor, world, kinds);
    return requestOf(place, { buffer, snippets, model });
  },
}));

/**
 * Asks a language model at each place in each way, and keeps the answers in a file, one per line, so
 * that a run can be continued. Packages take turns. Equal prompts are asked once.
 */
export async function askEachWay(
  packages: readonly WorthPackage[],
  options: {
    readonly model: WorthModel;
    readonly ways: readonly WorthWay[];
    readonly file: string;
    /** Asked until then and not longer; what the file holds is returned in any case. */
    readonly untilMs: number;
    readonly onProgress: (done: number, total: number) => void;
  },
): Promise<readonly WorthAnswer[]> {
  const { model, ways, file, untilMs, onProgress } = options;
  const known = new Map(
    (await readAnswerLines(file, readWorthAnswer)).map((answer) => [keyOf(answer), answer]),
  );
  const answers: WorthAnswer[] = [];
  const turns = Math.max(0, ...packages.map(({ cursors }) => cursors.length));
  for (let turn = 0; turn < turns; turn++) {
    for (const { name, files, world, cursors } of packages) {
      const place = cursors[turn];
      if (place === undefined) continue;
      const { file: document, offset, target } = place.cursor;
      const about = { package: name, path: document.path, offset, target };
      const asked = new Map<string, string>();
      const found: WorthAnswer[] = [];
      for (const way of ways) {
        const sources = way.name;
        let answer = known.get(keyOf({ ...about, sources }));
        if (answer === undefined && Date.now() < untilMs) {
          const request = await way.request({ files, world, place }, model);
          const prompt = JSON.stringify(request.prompt);
          const text = asked.get(prompt) ?? (await lineOf(model, request));
          asked.set(prompt, text);
          answer = { ...about, sources, text };
          await appendFile(file, `${JSON.stringify(answer)}\n`);
        }
        if (answer !== undefined) found.push(answer);
      }
      // A place counts when every way was asked, so that all rows are about the same places.
      if (found.length === ways.length) answers.push(...found);
    }
    onProgress(turn + 1, turns);
    if (Date.now() >= untilMs && answers.length === 0) break;
  }
  return answers;
}

/** The answers as texts that can be held against each other. */
export function worthTexts(answers: readonly WorthAnswer[]): readonly WorthText[] {
  return answers.map((answer) => ({
    place: keyOf({ ...answer, sources: "" }),
    cluster: `${answer.package}\0${answer.path}`,
    sources: answer.sources,
    target: answer.target,
    text: answer.text,
  }));
}

/** A small prompt for a place. `head` stands before the text around the cursor. */
export function requestOf(
  { cursor }: CrossFileCursor,
  parts: {
    readonly buffer: TextBuffer;
    readonly snippets: readonly Snippet[];
    readonly model: WorthModel;
    readonly head?: string;
  },
): BackendRequest {
  const { buffer, snippets, model, head = "" } = parts;
  const { path, languageId } = cursor.file;
  const counter = promptTokenCounter(model.format, languageId);
  const window = nextWindow(null, {
    ...{ buffer, offset: cursor.offset, counter, keepsSuffix: true },
    ...WINDOW,
  });
  const { prompt, stops } = buildPrompt({
    ...{ format: model.format, order: null, prefix: head + window.prefix, suffix: window.suffix },
    ...{ repository: null, path, languageId, snippets, counter },
    budget: BUDGET,
    ...{ multiline: false, stops: ["\n"], maxStops: null, writesBos: false },
  });
  return { model: model.id, prompt, maxTokens: LINE_TOKENS, temperature: 0, stop: stops };
}

async function lineOf({ backend }: WorthModel, request: BackendRequest): Promise<string> {
  return (await piecesOf(backend, request)).join("").split("\n")[0] ?? "";
}

function keyOf(answer: Omit<WorthAnswer, "text">): string {
  const { package: name, path, offset, sources } = answer;
  return `${name}\0${path}\0${offset}\0${sources}`;
}
