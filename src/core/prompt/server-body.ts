import { assert } from "../../base/assert.ts";
import type { BackendRequest } from "../ports.ts";
import type { ServerFimFormat } from "./format-row.ts";

/**
 * The JSON body for a server that writes the prompt itself: the prefix as `prompt`, and only fields
 * that the endpoint takes, because some refuse a request for one that they do not know.
 * The request's prompt comes in parts; otherwise `BugError`.
 */
export function serverSideBody(
  format: ServerFimFormat,
  request: BackendRequest,
): Readonly<Record<string, unknown>> {
  const { prompt } = request;
  assert(prompt.kind === "parts", "a server-side format gets its prompt in parts");
  const values = {
    model: request.model,
    prompt: prompt.prefix,
    suffix: prompt.suffix,
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    ...(request.stop.length === 0 ? {} : { stop: request.stop }),
    stream: true,
  };
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => format.api.fields.includes(name)),
  );
}
