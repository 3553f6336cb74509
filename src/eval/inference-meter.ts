/**
 * Counts what a llama-server really did, from its own `timings`, which it is asked to send with each
 * token: an answer that is left early has no last event to read them from.
 */
import type { HttpClient, HttpRequest, HttpResponse } from "../core/index.ts";

/** One request as the server counted it. */
export interface MeteredCall {
  /** What was sent. */
  readonly body: string;
  /** Tokens of the prompt that were evaluated. */
  promptTokens: number;
  /** Tokens of the prompt that were in the cache. */
  cachedTokens: number;
  generatedTokens: number;
  /** False while it runs, and for ever when it was left before the server's last event. */
  isFinished: boolean;
  readonly startedAt: number;
  /** When the first generated token arrived; `null` when none did. */
  firstTokenAt: number | null;
}

const countedPaths = ["/completion", "/infill"];
const timings = /"timings":\{"cache_n":(\d+),"prompt_n":(\d+)[^}]*"predicted_n":(\d+)/g;
/** Longer than the text of the timings. */
const KEPT_UNITS = 512;

/** Hands requests on and keeps the counts of those that generate. */
export class InferenceMeter implements HttpClient {
  readonly #client: HttpClient;
  #calls: MeteredCall[] = [];

  constructor(client: HttpClient) {
    this.#client = client;
  }

  /** The call that was sent last; `null` when none was since the last `take`. */
  get latest(): MeteredCall | null {
    return this.#calls.at(-1) ?? null;
  }

  /** The last call since the last `take` whose body holds the text; `null` when there was none. */
  lastWith(text: string): MeteredCall | null {
    return this.#calls.findLast(({ body }) => body.includes(text)) ?? null;
  }

  /** The calls since the last `take`, in the order in which they were sent. */
  take(): readonly MeteredCall[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  async send(
    request: HttpRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<HttpResponse> {
    const isCounted = countedPaths.some((path) => request.url.endsWith(path));
    if (!isCounted || request.body === undefined) return this.#client.send(request, options);
    const body = JSON.stringify({ ...JSON.parse(request.body), timings_per_token: true });
    const call: MeteredCall = {
      body,
      promptTokens: 0,
      cachedTokens: 0,
      generatedTokens: 0,
      isFinished: false,
      startedAt: performance.now(),
      firstTokenAt: null,
    };
    this.#calls.push(call);
    const response = await this.#client.send({ ...request, body }, options);
    return { ...response, body: metered(response.body, call) };
  }
}

async function* metered(
  body: AsyncIterable<Uint8Array>,
  call: MeteredCall,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    for (const [, cached, prompt, generated] of text.matchAll(timings)) {
      call.cachedTokens = Number(cached);
      call.promptTokens = Number(prompt);
      call.generatedTokens = Number(generated);
    }
    if (call.generatedTokens > 0) call.firstTokenAt ??= performance.now();
    if (text.includes('"stop":true')) call.isFinished = true;
    text = text.slice(-KEPT_UNITS);
    yield bytes;
  }
}
