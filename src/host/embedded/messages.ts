/**
 * What the program and the child process with the model say to each other. Both sides check what they
 * get: the other one may be of another version, or out of its mind.
 */
import {
  type ErrorCode,
  errorTable,
  type FinishReason,
  type PromptPiece,
  type Usage,
} from "../../core/index.ts";
import type { EnginePrompt } from "./prompt-tokens.ts";

/** What computes. `auto`: a GPU where the installed engine can use one; `off`: the processor. */
export type GpuChoice = (typeof gpuChoices)[number];
export const gpuChoices = ["auto", "off", "metal", "cuda", "vulkan"] as const;

/** Two KV caches: what is asked ahead must not push out what a person waits for. */
export type LaneName = (typeof laneNames)[number];
export const laneNames = ["foreground", "prefetch"] as const;

/** The library is loaded and, unless it is only tried, a model too. The first message. */
export interface OpenMessage {
  readonly kind: "open";
  readonly engineFolder: string;
  /** `null`: only try whether the library works. */
  readonly modelFile: string | null;
  readonly threads: number;
  readonly gpu: GpuChoice;
  readonly contextTokens: number;
}

/** Asks for one answer. At most one at a time in each lane. */
export interface CompleteMessage {
  readonly kind: "complete";
  readonly id: number;
  readonly lane: LaneName;
  readonly prompt: EnginePrompt;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly stop: readonly string[];
  readonly forcedPrefix: string;
  readonly grammar: string | null;
  readonly logProbabilities: boolean;
  /** `null`: nothing is guessed, not from the prompt either. */
  readonly drafts: readonly string[] | null;
}

/** To the child. */
export type EngineCall =
  | OpenMessage
  | CompleteMessage
  /** Nobody waits for the answer any more; `ended` comes all the same. */
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "count"; readonly id: number; readonly text: string };

/** What the child found when it was opened. */
export interface EngineFacts {
  /** Prompt and output together; 0 without a model. */
  readonly contextTokens: number;
  /** `off` for the processor. */
  readonly gpu: string;
  readonly threads: number;
}

/** From the child. Each `complete` is answered by texts and then one of `ended` and `failed`. */
export type EngineReply =
  | { readonly kind: "opened"; readonly facts: EngineFacts }
  | { readonly kind: "unusable"; readonly code: ErrorCode; readonly message: string }
  | {
      readonly kind: "text";
      readonly id: number;
      readonly text: string;
      readonly logProbability: number | null;
    }
  | {
      readonly kind: "ended";
      readonly id: number;
      readonly finishReason: FinishReason;
      readonly usage: Usage;
    }
  | { readonly kind: "counted"; readonly id: number; readonly tokens: number }
  | {
      readonly kind: "failed";
      readonly id: number;
      readonly code: ErrorCode;
      readonly message: string;
    }
  | { readonly kind: "log"; readonly message: string };

/** A message that is none of ours. */
export class MessageError extends Error {
  override readonly name = "MessageError";
}

/** Checks a message to the child. Throws `MessageError`. */
export function readCall(value: unknown): EngineCall {
  const message = new Fields(value);
  const kind = message.text("kind");
  switch (kind) {
    case "open":
      return {
        kind,
        engineFolder: message.text("engineFolder"),
        modelFile: message.isNull("modelFile") ? null : message.text("modelFile"),
        threads: message.count("threads"),
        gpu: message.oneOf("gpu", gpuChoices),
        contextTokens: message.count("contextTokens"),
      };
    case "complete":
      return {
        kind,
        id: message.count("id"),
        lane: message.oneOf("lane", laneNames),
        prompt: readPrompt(message.fields("prompt")),
        maxTokens: message.count("maxTokens"),
        temperature: message.number("temperature"),
        stop: message.texts("stop"),
        forcedPrefix: message.text("forcedPrefix"),
        grammar: message.isNull("grammar") ? null : message.text("grammar"),
        logProbabilities: message.flag("logProbabilities"),
        drafts: message.isNull("drafts") ? null : message.texts("drafts"),
      };
    case "cancel":
      return { kind, id: message.count("id") };
    case "count":
      return { kind, id: message.count("id"), text: message.text("text") };
    default:
      throw new MessageError(`there is no call ${JSON.stringify(kind)}`);
  }
}

/** Checks a message from the child. Throws `MessageError`. */
export function readReply(value: unknown): EngineReply {
  const message = new Fields(value);
  const kind = message.text("kind");
  switch (kind) {
    case "opened":
      return { kind, facts: readFacts(message.fields("facts")) };
    case "unusable":
      return { kind, code: message.oneOf("code", codes), message: message.text("message") };
    case "text":
      return {
        kind,
        id: message.count("id"),
        text: message.text("text"),
        logProbability: message.isNull("logProbability") ? null : message.number("logProbability"),
      };
    case "ended":
      return {
        kind,
        id: message.count("id"),
        finishReason: message.oneOf("finishReason", ["stop", "length"]),
        usage: readUsage(message.fields("usage")),
      };
    case "counted":
      return { kind, id: message.count("id"), tokens: message.count("tokens") };
    case "failed":
      return {
        kind,
        id: message.count("id"),
        code: message.oneOf("code", codes),
        message: message.text("message"),
      };
    case "log":
      return { kind, message: message.text("message") };
    default:
      throw new MessageError(`there is no reply ${JSON.stringify(kind)}`);
  }
}

const codes = Object.keys(errorTable).filter((code): code is ErrorCode => code in errorTable);

function readPrompt(prompt: Fields): EnginePrompt {
  return {
    pieces: prompt.isText("pieces") ? prompt.text("pieces") : prompt.list("pieces").map(readPiece),
    cursorPiece: prompt.isNull("cursorPiece") ? null : prompt.count("cursorPiece"),
  };
}

function readPiece(value: unknown): PromptPiece {
  const piece = new Fields(value);
  return { isSentinel: piece.flag("isSentinel"), text: piece.text("text") };
}

function readFacts(facts: Fields): EngineFacts {
  return {
    contextTokens: facts.count("contextTokens"),
    gpu: facts.text("gpu"),
    threads: facts.count("threads"),
  };
}

function readUsage(usage: Fields): Usage {
  return {
    inputTokens: usage.count("inputTokens"),
    cachedTokens: usage.count("cachedTokens"),
    outputTokens: usage.count("outputTokens"),
    decodeSteps: usage.count("decodeSteps"),
  };
}

/** The fields of an object, each asked for with its type. */
class Fields {
  readonly #values: object;

  constructor(value: unknown) {
    if (typeof value !== "object" || value === null)
      throw new MessageError("a message is an object");
    this.#values = value;
  }

  text(name: string): string {
    const value = this.#get(name);
    return typeof value === "string" ? value : this.#isNot(name, "a text");
  }

  number(name: string): number {
    const value = this.#get(name);
    return typeof value === "number" ? value : this.#isNot(name, "a number");
  }

  count(name: string): number {
    const value = this.number(name);
    return Number.isSafeInteger(value) && value >= 0 ? value : this.#isNot(name, "a count");
  }

  flag(name: string): boolean {
    const value = this.#get(name);
    return typeof value === "boolean" ? value : this.#isNot(name, "true or false");
  }

  list(name: string): readonly unknown[] {
    const value = this.#get(name);
    return Array.isArray(value) ? value : this.#isNot(name, "a list");
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((value) =>
      typeof value === "string" ? value : this.#isNot(name, "a list of texts"),
    );
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const value = this.#get(name);
    return values.find((each) => each === value) ?? this.#isNot(name, "a known word");
  }

  fields(name: string): Fields {
    return new Fields(this.#get(name));
  }

  isNull(name: string): boolean {
    return this.#get(name) === null;
  }

  isText(name: string): boolean {
    return typeof this.#get(name) === "string";
  }

  #get(name: string): unknown {
    return Reflect.get(this.#values, name);
  }

  #isNot(name: string, what: string): never {
    throw new MessageError(`${name} is not ${what}`);
  }
}
