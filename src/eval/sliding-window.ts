/** What our windows are compared with: the last and the next tokens around a cursor, to the token. */
import type { TextBuffer } from "../base/text-buffer.ts";
import type { PromptBudget, TokenCounter } from "../core/index.ts";

/** The longest texts around a cursor that are within the budget. */
export function slidingWindow(
  buffer: TextBuffer,
  offset: number,
  { budget, counter }: { readonly budget: PromptBudget; readonly counter: TokenCounter },
): { readonly prefix: string; readonly suffix: string } {
  const before = (units: number): string => buffer.slice(Math.max(0, offset - units), offset);
  const after = (units: number): string =>
    buffer.slice(offset, Math.min(buffer.length, offset + units));
  return {
    prefix: longestWithin(budget.prefixTokens, before, counter),
    suffix: longestWithin(budget.suffixTokens, after, counter),
  };
}

/** The longest text within a number of tokens; `part` gives the one of so many units. */
function longestWithin(
  maxTokens: number,
  part: (units: number) => string,
  counter: TokenCounter,
): string {
  let low = 0;
  let high = maxTokens * 8;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (counter.count(part(middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return part(low);
}
