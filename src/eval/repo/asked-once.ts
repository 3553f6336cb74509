/** A backend that is asked the same only once in a while: ways whose prompts are equal share the answer. */
import { LruMap } from "../../base/lru.ts";
import type { Backend, BackendEvent, BackendRequest } from "../../core/index.ts";

/** Ways ask one after the other, so few answers need to be remembered. */
const MAX_ANSWERS = 32;

interface Heard {
  readonly events: BackendEvent[];
  /** False: the caller left, and the model may have had more to say. */
  isWhole: boolean;
}

/** Wraps a backend. An answer that failed is not remembered. */
export function askedOnce(backend: Backend): Backend {
  const answers = new LruMap<string, Heard>(MAX_ANSWERS);
  async function* complete(
    request: BackendRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<BackendEvent> {
    const key = JSON.stringify(request);
    const heard = answers.get(key) ?? { events: [], isWhole: false };
    const before = heard.events.length;
    yield* heard.events.slice();
    if (heard.isWhole) return;
    let seen = 0;
    answers.delete(key);
    for await (const event of backend.complete(request, options)) {
      seen++;
      if (seen <= before) continue;
      heard.events.push(event);
      answers.set(key, heard);
      yield event;
    }
    heard.isWhole = true;
    answers.set(key, heard);
  }
  return {
    kind: backend.kind,
    address: backend.address,
    capabilities: backend.capabilities,
    listModels: (listing) => backend.listModels(listing),
    ...(backend.countTokens && { countTokens: backend.countTokens.bind(backend) }),
    complete,
  };
}
