import type { ServerResponse } from "node:http";
import type { BodyBudget, HeldBody } from "./body-budget.ts";

/** Why a request's signal aborts: the client closed the connection before it had its answer. */
export class ClientGone extends Error {
  override readonly name = "AbortError";
}

/** A request until its answer is written. */
export interface Followed {
  /** Aborts with `ClientGone` when the connection closes first, or because the body gives way. */
  readonly signal: AbortSignal;
  /** What the request's body holds; released when the answer is written. */
  readonly held: HeldBody;
}

export function followClient(response: ServerResponse, bodies: BodyBudget): Followed {
  const controller = new AbortController();
  const held = bodies.hold((error) => controller.abort(error));
  response.once("close", () => {
    held.release();
    if (!response.writableFinished) controller.abort(new ClientGone("the client is gone"));
  });
  return { signal: controller.signal, held };
}
