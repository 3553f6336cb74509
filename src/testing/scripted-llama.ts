/**
 * A library with the interface of node-llama-cpp whose model obeys: a prompt that holds `«text»` is
 * answered with `text`. Tokens are bytes and a few words. Prompts with `«!crash»`, `«!hang»` and
 * `«!throw»` make it do that in the first pass after the prompt. Nothing of it knows our decoding.
 */
import { setImmediate as tick } from "node:timers/promises";
import type {
  EngineContext,
  EngineLlama,
  EngineModel,
  EngineOutput,
  EngineSequence,
  GenerateNext,
} from "../host/embedded/engine-library.ts";

/** Control tokens. The last one ends an answer. */
export const scriptedSentinels = [
  "<|fim_prefix|>",
  "<|fim_suffix|>",
  "<|fim_middle|>",
  "<|endoftext|>",
] as const;

const words = ["return", "const", "item", "items", "    ", "();\n"];
const FIRST_SENTINEL = 256;
const FIRST_WORD = FIRST_SENTINEL + scriptedSentinels.length;
const MIDDLE = FIRST_SENTINEL + 2;
/** Ends an answer. */
export const END: number = FIRST_SENTINEL + 3;
const VOCABULARY = FIRST_WORD + words.length;

/** What a sequence was asked to do, for tests in the same process. */
export interface ScriptedSequence extends EngineSequence {
  /** Number of tokens of each pass. */
  readonly passes: readonly number[];
  /** The tokens that the cache holds. */
  readonly cache: readonly number[];
}

export class InsufficientMemoryError extends Error {}

/** Holds what must be written before the model may write what it wants. */
export class LlamaGrammarEvaluationState {
  readonly forced: string;

  constructor({ grammar }: { readonly grammar: unknown }) {
    this.forced = String(grammar);
  }
}

export async function getLlama(options: {
  readonly gpu: "auto" | "metal" | "cuda" | "vulkan" | false;
  readonly logger: (level: string, message: string) => void;
}): Promise<EngineLlama> {
  if (options.gpu === "metal") throw new Error("NoBinaryFound. More lines\nfollow.");
  return {
    gpu: options.gpu === "vulkan" ? "vulkan" : false,
    cpuMathCores: 2,
    loadModel: async ({ modelPath }) => {
      if (modelPath.includes("too-large")) throw new InsufficientMemoryError("13 GB");
      if (modelPath.includes("broken")) throw new Error("Failed to load model");
      options.logger("warn", "loaded\n");
      return scriptedModel();
    },
    createGrammar: async ({ grammar }) => {
      const literal = /^root ::= "((?:[^"\\]|\\.)*)"/.exec(grammar)?.[1];
      if (literal === undefined) throw new Error("Failed to parse grammar");
      return JSON.parse(`"${literal}"`);
    },
    dispose: async () => {},
  };
}

/** A model of 2,048 tokens, or what it is asked for if that is less. */
export function scriptedModel(): EngineModel {
  return {
    trainContextSize: 2048,
    tokens: { bos: null, shouldPrependBosToken: false },
    tokenize,
    detokenize: (tokens, special) => textOf(tokens, special),
    isEogToken: (token) => token === END,
    createContext: async ({ contextSize, sequences }): Promise<EngineContext> => {
      let free = sequences;
      return {
        contextSize,
        getSequence: () => {
          if (free === 0) throw new Error("No sequences left");
          free--;
          return scriptedSequence(contextSize, () => free++);
        },
      };
    },
  };
}

export function tokenize(text: string, special: boolean): number[] {
  const known = [
    ...(special ? scriptedSentinels.map((word, i) => [word, FIRST_SENTINEL + i] as const) : []),
    ...words.map((word, i) => [word, FIRST_WORD + i] as const),
  ].sort(([a], [b]) => b.length - a.length);
  const tokens: number[] = [];
  for (let at = 0; at < text.length; ) {
    const found = known.find(([word]) => text.startsWith(word, at));
    const piece = found?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (found === undefined) tokens.push(...Buffer.from(piece));
    else tokens.push(found[1]);
    at += piece.length;
  }
  return tokens;
}

function textOf(tokens: readonly number[], special: boolean): string {
  const bytes = tokens.map((token) => {
    if (token < FIRST_SENTINEL) return Buffer.of(token);
    if (token >= FIRST_WORD) return Buffer.from(words[token - FIRST_WORD] ?? "");
    return Buffer.from(special ? (scriptedSentinels[token - FIRST_SENTINEL] ?? "") : "");
  });
  return Buffer.concat(bytes).toString("utf8");
}

/** The script of the prompt, and what was generated after the last middle sentinel. */
function read(tokens: readonly number[]): { readonly script: string; readonly generated: string } {
  const text = textOf(tokens, true);
  const script = /«([^»]*)»/.exec(text)?.[1] ?? "";
  const middle = tokens.lastIndexOf(MIDDLE);
  const generated = middle < 0 ? "" : textOf(tokens.slice(middle + 1), true);
  return { script, generated };
}

/** The likeliest token: the script goes on, or the answer ends. */
function nextToken(tokens: readonly number[]): number {
  const { script, generated } = read(tokens);
  const bytes = Buffer.from(script);
  const done = tokens.slice(tokens.lastIndexOf(MIDDLE) + 1);
  const written = Buffer.concat(
    done.map((token) => Buffer.from(token < FIRST_SENTINEL ? [token] : textOf([token], true))),
  );
  if (!bytes.subarray(0, written.length).equals(written)) {
    return generated.length > 200 ? END : 46;
  }
  if (written.length >= bytes.length) return END;
  const rest = bytes.subarray(written.length);
  const word = words.findIndex((each) => rest.toString("latin1").startsWith(each));
  return word >= 0 ? FIRST_WORD + word : (rest[0] ?? END);
}

/** One KV cache with `contextSize` places. */
export function scriptedSequence(
  contextSize: number,
  onDispose: () => void = () => {},
): ScriptedSequence {
  let cache: number[] = [];
  const passes: number[] = [];
  const evaluate = async (tokens: readonly number[]): Promise<void> => {
    await tick();
    if (cache.length + tokens.length > contextSize - 1) throw new Error("the context is full");
    cache = [...cache, ...tokens];
    passes.push(tokens.length);
    const { script, generated } = read(cache);
    if (!cache.includes(MIDDLE) || generated !== "") return;
    if (script === "!crash") process.abort();
    if (script === "!hang") await new Promise(() => setInterval(() => {}, 1_000));
    if (script === "!throw") throw new Error("decode failed");
  };
  return {
    passes,
    get cache() {
      return cache;
    },
    get nextTokenIndex() {
      return cache.length;
    },
    needsCheckpoints: false,
    compareContextTokens: (tokens) => {
      const different = cache.findIndex((token, i) => token !== tokens[i]);
      return { firstDifferentIndex: different < 0 ? cache.length : different };
    },
    eraseContextTokenRanges: async (ranges) => {
      for (const { start, end } of ranges) cache = [...cache.slice(0, start), ...cache.slice(end)];
    },
    clearHistory: async () => {
      cache = [];
    },
    evaluateWithoutGeneratingNewTokens: evaluate,
    controlledEvaluate: async (input) => {
      const start = cache.length;
      await evaluate(input.map((item) => (typeof item === "number" ? item : item[0])));
      return input.map((item, i) =>
        typeof item === "number"
          ? undefined
          : output(cache.slice(0, start + i + 1), item[1].generateNext),
      );
    },
    async *evaluate(tokens, { grammarEvaluationState }) {
      const { forced } = grammarEvaluationState as LlamaGrammarEvaluationState;
      let left = tokenize(forced, false);
      for (let next = tokens; ; ) {
        await evaluate(next);
        const token = left[0] ?? nextToken(cache);
        left = left.slice(1);
        yield token;
        if (token === END) return;
        next = [token];
      }
    },
    dispose: async () => {
      onDispose();
    },
  };
}

function output(tokens: readonly number[], ask: GenerateNext): EngineOutput {
  const token = nextToken(tokens);
  const others = Array.from({ length: VOCABULARY }, (_, i) => i).filter((each) => each !== token);
  const { topK = VOCABULARY } = ask.options;
  return {
    next: {
      ...(ask.token === true ? { token } : {}),
      ...(ask.probabilities === true
        ? {
            probabilities: new Map([
              [token, 0.5],
              ...others.slice(0, topK - 1).map((each) => [each, 0.5 / topK] as const),
            ]),
          }
        : {}),
    },
  };
}
