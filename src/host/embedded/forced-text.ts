/**
 * Token healing: the answer must begin with a given text. Of the likeliest next tokens the best that
 * agrees is taken; that costs nothing. Where none of them does, or where a character may be spread
 * over tokens, a grammar decides, which looks at the whole vocabulary (40 to 100 ms for 152,000
 * tokens).
 */
import { forcingGrammar, isOnlyBlanks } from "../../core/index.ts";
import { cutTo, type DecodedToken, type Gate, grammarSteps, likeliestTokens } from "./decode.ts";
import type { EngineSequence } from "./engine-library.ts";
import { type Detokenize, TokenText } from "./token-text.ts";

/**
 * One token a step, until what they write begins with `forced`, and goes on with something else than
 * blanks where it is blanks alone. The last one is not yet evaluated.
 */
export async function* forcedSteps(
  sequence: EngineSequence,
  pending: readonly number[],
  options: {
    readonly forced: string;
    /** Text of one token that is no control token; `""` for those. */
    readonly textOf: (token: number) => string;
    readonly detokenize: Detokenize;
    readonly grammarState: (grammar: string) => Promise<unknown>;
    readonly gate: Gate;
  },
): AsyncGenerator<readonly DecodedToken[], void, void> {
  const { textOf, gate } = options;
  let next = pending;
  let left = options.forced;
  const isBlank = isOnlyBlanks(left);
  /** What follows the blanks is still to come. */
  let isOpen = isBlank;
  while ((left !== "" || isOpen) && isComparable(left)) {
    await gate();
    const choices = await likeliestTokens(sequence, next);
    const choice = choices.find(({ token }) => agrees(left, textOf(token), isBlank));
    if (choice === undefined) {
      // The pass has evaluated these tokens; the grammar evaluates the last one again.
      await cutTo(sequence, sequence.nextTokenIndex - 1);
      next = next.slice(-1);
      break;
    }
    yield [choice];
    next = [choice.token];
    const text = textOf(choice.token);
    // A control token ends the answer.
    isOpen &&= text !== "" && text.length <= left.length;
    left = left.slice(text.length);
  }
  if (left === "" && !isOpen) return;

  const grammarState = await options.grammarState(forcingGrammar(left));
  const text = new TokenText(options.detokenize, []);
  const demanded = left.length + (isOpen ? 1 : 0);
  let whole = "";
  for await (const step of grammarSteps(sequence, next, { grammarState, temperature: 0, gate })) {
    yield step;
    for (const { token } of step) whole += text.push(token);
    if (whole.length >= demanded) return;
  }
}

/** True when the likeliest tokens can be compared with `left` by their text. */
function isComparable(left: string): boolean {
  for (let i = 0; i < left.length; i++) if (left.charCodeAt(i) > 127) return false;
  return true;
}

/** True when an answer that goes on with `text` agrees with what is still demanded. */
function agrees(left: string, text: string, isBlank: boolean): boolean {
  if (text === "") return isBlank && left === "";
  if (!text.startsWith(left)) return left.startsWith(text);
  return !isBlank || text.length === left.length || /\S/.test(text.charAt(left.length));
}
