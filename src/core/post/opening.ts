/** What stands before the answer in a stream of a chat model: reasoning, a sentence, a fence. */
import type { PostContext } from "./context.ts";
import { isAddressedToPerson, isSentence } from "./filters/chat-preamble.ts";
import { isOpeningFence } from "./filters/code-fence.ts";
import { closesThinking, isEndOfThinking, startsThinking } from "./filters/thinking-block.ts";

/** What a line is: not part of the answer, part of it, or the fence that ends it. */
export type LineKind = "wrapper" | "body" | "closing-fence";

/** Tells, line by line, where the answer starts. */
export class Opening {
  readonly #context: PostContext;
  #state: "start" | "thinking" | "wrapped" | "body" = "start";
  #isFenced = false;
  #isTalking = false;

  constructor(context: PostContext) {
    this.#context = context;
  }

  /** Sees the next whole line. */
  see(line: string): LineKind {
    const content = line.trim();
    switch (this.#state) {
      case "body":
        // A server may swallow the mark that opened the reasoning.
        if (isEndOfThinking(content)) {
          this.#state = "wrapped";
          return "wrapper";
        }
        return this.#isFenced && (content === "```" || content === "~~~")
          ? "closing-fence"
          : "body";
      case "thinking":
        if (closesThinking(content)) this.#state = "wrapped";
        return "wrapper";
      case "start":
      case "wrapped":
        if (this.#isWrapper(content)) return "wrapper";
        this.#state = "body";
        return "body";
    }
  }

  #isWrapper(content: string): boolean {
    if (startsThinking(content)) {
      this.#state = closesThinking(content) ? "wrapped" : "thinking";
      return true;
    }
    if (content === "") return this.#state === "wrapped";
    if (!this.#hasWrappers()) return false;
    const isFence = isOpeningFence(content);
    this.#isFenced ||= isFence;
    this.#isTalking = isAddressedToPerson(content) || (this.#isTalking && isSentence(content));
    if (!isFence && !this.#isTalking) return false;
    this.#state = "wrapped";
    return true;
  }

  /** Asked of a whole line at the earliest: before the model is asked, nobody waits for a scope. */
  #hasWrappers(): boolean {
    const { language, headIsBlank } = this.#context;
    return !language.fencesAreContent && headIsBlank && this.#context.scope.region === "code";
  }
}
