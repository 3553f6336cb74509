/** Held-out cursors asked of a real model in every way that is compared. */
import { present } from "../base/assert.ts";
import type { TextBuffer } from "../base/text-buffer.ts";
import {
  type Backend,
  type BackendEvent,
  type BackendRequest,
  type FimFormat,
  nextWindow,
  promptBudget,
  promptTokenCounter,
  type Sureness,
  surenessOf,
  TokenScoreList,
  triggerScore,
} from "../core/index.ts";
import { type Engine, requestFor } from "../engine/index.ts";
import { LocalModel } from "../local/index.ts";
import type { Fields } from "../protocol/decode.ts";
import { createRandom } from "../stats/random.ts";
import { type AskingTime, askInTurns } from "./answer-lines.ts";
import type { Corpus } from "./corpus.ts";
import type { CursorPlace, SampledCursor } from "./cursor-sample.ts";
import { drawQuestions, type SampleOptions } from "./held-out-sample.ts";
import { documentAt, indexFiles, openFiles } from "./index-files.ts";
import { piecesOf, plainRequest } from "./plain-prompt.ts";
import { rowOf } from "./run/json-lines.ts";
import type { SourceFile } from "./source-file.ts";

/** What one cursor got. Texts are `null` where there was none. */
export interface InferenceAnswer {
  readonly package: string;
  readonly path: string;
  readonly offset: number;
  readonly place: CursorPlace;
  readonly target: string;
  /** The cursor's line, left of it. */
  readonly linePrefix: string;
  /** The model called plainly: its own order, the raw first line. `undefined`: not asked. */
  readonly plain?: string | null;
  /** Our prompt and filters without token healing. `undefined`: not asked. */
  readonly unhealed?: string | null;
  /** Our prompt, healing and filters. */
  readonly ours: string | null;
  readonly sureness: Sureness | null;
  readonly trigger: number;
  /** Of the local model, best first. */
  readonly local: readonly { readonly text: string; readonly chance: number }[];
}

/** Takes a line that was kept. */
export const readAnswer: (fields: Fields) => InferenceAnswer = rowOf<InferenceAnswer>({
  package: "string",
  path: "string",
  offset: "number",
  place: "string",
  target: "string",
  linePrefix: "string",
  plain: "string?",
  unhealed: "string?",
  ours: "string?",
  sureness: "object?",
  trigger: "number",
  local: [{ text: "string", chance: "number" }],
});

/** How the model is asked. */
export interface AskingParts {
  readonly backend: Backend;
  readonly model: string;
  readonly format: FimFormat;
  /** Prompt and output. */
  readonly contextTokens: number;
  /** An engine in front of a backend, without a local model. */
  readonly createEngine: (options: {
    readonly backend: Backend;
    readonly isHealed: boolean;
  }) => Engine;
  /** Also asks plainly and without healing. */
  readonly compares: boolean;
}

/** Output of one line. */
export const ANSWER_TOKENS = 48;
const LOCAL_CANDIDATES = 5;

/** Asks what is not in the file yet. Resolves with all answers to these questions. */
export async function askCursors(
  corpora: readonly Corpus[],
  options: SampleOptions & AskingTime & { readonly parts: AskingParts },
): Promise<readonly InferenceAnswer[]> {
  const asker = new Asker(options.parts);
  return askInTurns(
    corpora.map((corpus) => questionsOf(corpus, options)),
    {
      ...options,
      read: readAnswer,
      questionKey: ({ package: name, cursor: { file, offset } }) =>
        keyOf({ package: name, path: file.path, offset }),
      answerKey: keyOf,
      ask: (question) => asker.ask(question),
    },
  );
}

interface Question {
  readonly package: string;
  readonly repository: string;
  readonly cursor: SampledCursor;
  /** The local model that knows the split's other files, and the held-out files as documents. */
  readonly knowledge: () => {
    readonly local: LocalModel;
    readonly documents: ReadonlyMap<SourceFile, TextBuffer>;
  };
}

/** In a random order, the same in each run. */
function questionsOf(corpus: Corpus, options: SampleOptions): readonly Question[] {
  const { name } = corpus.package;
  const random = createRandom(options.seed);
  const drawn = drawQuestions(corpus.files, { ...options, random });
  const questions = drawn.flatMap(({ split, cursors }): Question[] => {
    let known: ReturnType<Question["knowledge"]> | null = null;
    const knowledge = (): ReturnType<Question["knowledge"]> => {
      if (known === null) {
        const local = new LocalModel();
        local.adopt(indexFiles(split.indexed));
        known = { local, documents: openFiles(local, split.heldOut) };
      }
      return known;
    };
    const repository = name.split("/").at(-1) ?? name;
    return cursors.map((cursor) => ({ package: name, repository, cursor, knowledge }));
  });
  return random.shuffled(questions);
}

class Asker {
  readonly #parts: AskingParts;
  readonly #recorder: ScoreRecorder;
  readonly #healed: Engine;
  readonly #unhealed: Engine;

  constructor(parts: AskingParts) {
    this.#parts = parts;
    this.#recorder = new ScoreRecorder(parts.backend);
    this.#healed = parts.createEngine({ backend: this.#recorder.backend, isHealed: true });
    this.#unhealed = parts.createEngine({ backend: parts.backend, isHealed: false });
  }

  async ask(question: Question): Promise<InferenceAnswer> {
    const { cursor } = question;
    const { file, offset, place, target } = cursor;
    const { local, documents } = question.knowledge();
    const document = documentAt(cursor, present(documents.get(file), file.path));
    const { path, languageId } = file;
    const candidates = local.complete({
      document,
      offset,
      path,
      languageId,
      maxLines: 1,
      maxCandidates: LOCAL_CANDIDATES,
    });
    const ours = await this.#complete(this.#healed, cursor, document);
    const sureness =
      ours === null ? null : surenessOf(this.#recorder.scores, { start: 0, end: ours.length });
    const prefix = document.slice(0, offset);
    const suffix = document.slice(offset, document.length);
    const place0 = { prefix, suffix, languageId, documentLength: document.length, offset };
    return {
      package: question.package,
      path,
      offset,
      place,
      target,
      linePrefix: prefix.slice(prefix.lastIndexOf("\n") + 1),
      ...(this.#parts.compares
        ? {
            unhealed: await this.#complete(this.#unhealed, cursor, document),
            plain: await this.#askPlainly(cursor, document),
          }
        : {}),
      ours,
      sureness,
      trigger: triggerScore({ ...place0, lastOutcome: null }),
      local: candidates.map(({ text, chance }) => ({ text, chance })),
    };
  }

  /** The text after the filters, whatever its chance. */
  async #complete(
    engine: Engine,
    { file, offset }: SampledCursor,
    document: TextBuffer,
  ): Promise<string | null> {
    const { explanation } = await engine.complete(
      requestFor(
        {
          kind: "text",
          prefix: document.slice(0, offset),
          suffix: document.slice(offset, document.length),
          path: file.path,
          languageId: file.languageId,
          session: null,
          version: null,
        },
        { trigger: "invoked", multiline: "never", maxTokens: ANSWER_TOKENS, explain: true },
      ),
      { signal: new AbortController().signal },
    );
    const first = explanation?.candidates[0];
    const isKept = first?.rejectedBy === null || first?.rejectedBy === "below-threshold";
    return first !== undefined && isKept ? first.text : null;
  }

  /** The same windows, no path, no healing, no filter: the raw first line. */
  async #askPlainly({ file, offset }: SampledCursor, document: TextBuffer): Promise<string> {
    const { backend, model, format, contextTokens } = this.#parts;
    const { languageId } = file;
    const counter = promptTokenCounter(format, languageId);
    const budget = promptBudget({ contextTokens, outputTokens: ANSWER_TOKENS });
    const { prefixTokens, suffixTokens } = budget;
    const limits = { prefixTokens, suffixTokens, counter, keepsSuffix: false };
    const { prefix, suffix } = nextWindow(null, { buffer: document, offset, ...limits });
    const place = { prefix, suffix, languageId, path: null, multiline: false };
    const asked = { model, format, budget, maxTokens: ANSWER_TOKENS };
    return (await piecesOf(backend, plainRequest(place, asked))).join("");
  }
}

/** Listens to the log-probabilities of the last answer. */
class ScoreRecorder {
  readonly backend: Backend;
  #list = new TokenScoreList(0);

  constructor(backend: Backend) {
    const complete = (request: BackendRequest, options: { readonly signal: AbortSignal }) =>
      this.#listen(request, backend.complete(request, options));
    this.backend = {
      kind: backend.kind,
      address: backend.address,
      capabilities: backend.capabilities,
      listModels: (options) => backend.listModels(options),
      complete,
    };
  }

  get scores(): TokenScoreList["scores"] {
    return this.#list.scores;
  }

  async *#listen(
    request: BackendRequest,
    events: AsyncIterable<BackendEvent>,
  ): AsyncGenerator<BackendEvent> {
    this.#list = new TokenScoreList(request.forcedPrefix?.length ?? 0);
    for await (const event of events) {
      if (event.kind === "text") this.#list.push(event);
      yield event;
    }
  }
}

function keyOf(answer: Pick<InferenceAnswer, "package" | "path" | "offset">): string {
  return `${answer.package}:${answer.path}:${answer.offset}`;
}
