/** What the benches of a whole server share: a server of ours in front of a model server. */
import type { HttpClient } from "../core/index.ts";
import type { InferenceMeter, MeteredCall } from "./inference-meter.ts";

/** Our server, in this process. */
export interface InferenceGateway {
  readonly url: string;
  /** Whoever asks asks through this. */
  readonly http: HttpClient;
  /** Counts what it sends to the model server. */
  readonly meter: InferenceMeter;
  close(): Promise<void>;
}

/** One slot as `/slots` shows it. */
export interface SlotState {
  readonly isProcessing: boolean;
  /** Tokens in its cache: prompt and what was generated, but for the last token. */
  readonly tokens: number;
}

/** The slots of a model server. */
export async function readSlots(serverUrl: string): Promise<readonly SlotState[]> {
  const reply = await fetch(`${serverUrl}/slots`);
  const slots: readonly { is_processing: boolean; n_prompt_tokens?: number }[] = JSON.parse(
    await reply.text(),
  );
  return slots.map((slot) => ({
    isProcessing: slot.is_processing,
    tokens: slot.n_prompt_tokens ?? 0,
  }));
}

/** Asks our server for a completion; `signal` closes the connection. Resolves with the text. */
export async function autocomplete(
  gateway: Pick<InferenceGateway, "url" | "http">,
  question: {
    readonly prefix: string;
    readonly suffix: string;
    readonly path: string;
    readonly multiline: "never" | "always";
    readonly maxTokens: number;
    /** Goes along as a stop string, by which the request is found again. */
    readonly mark: string;
  },
  options: { readonly signal: AbortSignal },
): Promise<string> {
  const { prefix, suffix, path, multiline, maxTokens, mark } = question;
  const body = {
    ...{ prefix, suffix, path, multiline },
    max_tokens: maxTokens,
    // The server itself ends the text at the line end, where a single line is asked for.
    stop: multiline === "never" ? [mark, "\n"] : [mark],
    trigger: "invoked",
    // As an editor's client does it: the server keeps what it derived from the document.
    session: "bench",
  };
  const url = `${gateway.url}/v1/autocomplete`;
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of await postJson(
    gateway.http,
    { url, body: JSON.stringify(body) },
    options,
  )) {
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

/** Posts a text of JSON; the bytes of the answer as they arrive. Throws for a status other than 200. */
export async function postJson(
  http: HttpClient,
  call: { readonly url: string; readonly body: string },
  options: { readonly signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array>> {
  const headers = { "content-type": "application/json" };
  const reply = await http.send({ method: "POST", ...call, headers }, options);
  if (reply.status !== 200) throw new Error(`${call.url} answered ${reply.status}`);
  return reply.body;
}

/** Resolves when `isTrue`; looks every few milliseconds. Throws after `timeoutMs`. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`nothing happened within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** The call that is under way; a fault when the gateway sent none. */
export function callOf(meter: InferenceMeter): MeteredCall {
  const { latest } = meter;
  if (latest === null) throw new Error("the model server was not asked");
  return latest;
}
