/** Decoded values of a stream to backend events: the part that is the same for every protocol. */
import { StopCutter } from "../base/stop-cutter.ts";
import { splitsPair } from "../base/text.ts";
import type { BackendEvent, BackendRequest, FinishReason, Usage } from "../core/index.ts";

/** What one value of a stream says. Absent: says nothing about it. */
export interface WireEvent {
  readonly text?: string | undefined;
  /** Of all tokens of `text` together. */
  readonly logProbability?: number;
  readonly finishReason?: FinishReason;
  readonly usage?: Usage;
}

/**
 * A token of code has 3 to 4 characters, one of indentation up to 16. A server that sends more than
 * this does not obey `maxTokens`, and is not read any further.
 */
const MAX_TOKEN_LENGTH = 16;
const SPARE_LENGTH = 256;
/** What llama.cpp sends for the bytes of a character that the token limit cut in two. */
const HALF_CHARACTER = 0xfffd;

/**
 * Text pieces without stops and never past the limit, then one `done`. Throws what `noAnswer` makes
 * when there are values and all of them are JSON of some other kind.
 */
export async function* completionEvents(
  values: AsyncIterable<unknown>,
  options: {
    readonly read: (value: unknown) => WireEvent;
    readonly request: BackendRequest;
    readonly noAnswer: () => Error;
  },
): AsyncGenerator<BackendEvent> {
  const { read, request, noAnswer } = options;
  const cutter = new StopCutter(request.stop);
  let room = request.maxTokens * MAX_TOKEN_LENGTH + SPARE_LENGTH;
  let half = "";
  let isAnswer = false;
  let isOther = false;
  let heldLogProbability: number | null = null;
  let finishReason: FinishReason = "stop";
  let usage: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

  const textEvent = (text: string): BackendEvent => {
    room -= text.length;
    const logProbability = heldLogProbability;
    heldLogProbability = null;
    return logProbability === null
      ? { kind: "text", text }
      : { kind: "text", text, logProbability };
  };

  for await (const value of values) {
    const event = read(value);
    if (event.logProbability !== undefined) {
      heldLogProbability = (heldLogProbability ?? 0) + event.logProbability;
    }
    if (saysSomething(event)) isAnswer = true;
    else isOther = true;
    usage = event.usage ?? usage;
    finishReason = event.finishReason ?? finishReason;
    const certain = half + cutter.push(event.text ?? "");
    const text = withoutHalf(certain);
    half = certain.slice(text.length);
    if (text.length > room) {
      finishReason = "length";
      const end = splitsPair(text, room) ? room - 1 : room;
      if (end > 0) yield textEvent(text.slice(0, end));
      break;
    }
    if (text !== "") yield textEvent(text);
    if (cutter.isStopped) {
      finishReason = "stop";
      break;
    }
  }
  if (isOther && !isAnswer) throw noAnswer();
  const rest = room > 0 ? half + cutter.end() : "";
  const held = finishReason === "length" ? withoutHalf(rest) : rest;
  if (held !== "") yield textEvent(held);
  yield { kind: "done", finishReason, usage };
}

function saysSomething({ text, finishReason, usage }: WireEvent): boolean {
  return text !== undefined || finishReason !== undefined || usage !== undefined;
}

function withoutHalf(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === HALF_CHARACTER) end--;
  return text.slice(0, end);
}
