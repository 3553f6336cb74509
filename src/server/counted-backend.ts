import type { Backend, BackendEvent, BackendRequest } from "../core/index.ts";
import type { Metrics } from "./metrics.ts";

/** The same backend, with each of its calls counted once: done, aborted or error. */
export function countedBackend(backend: Backend, metrics: Metrics): Backend {
  return {
    kind: backend.kind,
    address: backend.address,
    capabilities: backend.capabilities,
    listModels: (options) => backend.listModels(options),
    ...(backend.countTokens && { countTokens: backend.countTokens.bind(backend) }),
    complete: (request, options) => counted(backend, metrics, { request, options }),
  };
}

async function* counted(
  backend: Backend,
  metrics: Metrics,
  call: { readonly request: BackendRequest; readonly options: { readonly signal: AbortSignal } },
): AsyncGenerator<BackendEvent> {
  // A loop that is left early and an aborted signal both reach `finally` with this value.
  let outcome: "done" | "aborted" | "error" = "aborted";
  try {
    for await (const event of backend.complete(call.request, call.options)) {
      if (event.kind === "done") outcome = "done";
      yield event;
    }
  } catch (error) {
    if (!call.options.signal.aborted) outcome = "error";
    throw error;
  } finally {
    metrics.backendCalled(backend.kind, outcome);
  }
}
