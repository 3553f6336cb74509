import type { ServerResponse } from "node:http";

/** Why a request's signal aborts: the client closed the connection before it had its answer. */
export class ClientGone extends Error {
  override readonly name = "AbortError";
}

/** A signal that aborts with `ClientGone` when the connection closes before the answer is written. */
export function clientSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(new ClientGone("the client is gone"));
  });
  return controller.signal;
}
