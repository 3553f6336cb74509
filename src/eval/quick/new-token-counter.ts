/**
 * Counts the prompt tokens that a server with one slot would evaluate: those behind what the prompt
 * has in common with the one before. It needs no server, and its count is the same in every run.
 */
import type { Backend, BackendRequest } from "../../core/index.ts";

/** A backend that counts, and its count so far. */
export interface NewTokenCounter {
  observe(backend: Backend): Backend;
  readonly newTokens: number;
}

/** Tokens are shared out evenly over the characters of a prompt. */
export function countNewTokens(): NewTokenCounter {
  let before = "";
  let newTokens = 0;
  const see = ({ prompt }: BackendRequest): void => {
    const text = prompt.kind === "rendered" ? prompt.text : prompt.prefix + prompt.suffix;
    let shared = 0;
    while (shared < text.length && text[shared] === before[shared]) shared++;
    if (text.length > 0) newTokens += prompt.tokens * (1 - shared / text.length);
    before = text;
  };
  return {
    observe: (backend) => ({
      kind: backend.kind,
      address: backend.address,
      capabilities: backend.capabilities,
      listModels: (options) => backend.listModels(options),
      ...(backend.countTokens && { countTokens: backend.countTokens.bind(backend) }),
      complete: (request, options) => {
        see(request);
        return backend.complete(request, options);
      },
    }),
    get newTokens() {
      return newTokens;
    },
  };
}
