import type { Backend, BackendRequest, HttpClient } from "../core/index.ts";

/** The JSON that a backend posts for a small request, and where; the answer is a failure. */
export async function sentCall(
  make: (http: HttpClient) => Backend,
  changes: Partial<BackendRequest> = {},
): Promise<{ readonly path: string; readonly body: Readonly<Record<string, unknown>> }> {
  let call: { path: string; body: Record<string, unknown> } | null = null;
  const backend = make({
    send: async (request) => {
      call = { path: new URL(request.url).pathname, body: JSON.parse(request.body ?? "{}") };
      return { status: 500, headers: {}, body: nothing() };
    },
  });
  const request: BackendRequest = {
    model: "m",
    prompt:
      backend.capabilities.fim === "server"
        ? { kind: "parts", prefix: "a", suffix: "b", tokens: 2 }
        : { kind: "rendered", text: "<P>a<S>b<M>", tokens: 5 },
    maxTokens: 8,
    temperature: 0,
    stop: [],
    ...changes,
  };
  const { signal } = new AbortController();
  try {
    for await (const event of backend.complete(request, { signal })) void event;
  } catch {
    // Only what was sent matters.
  }
  if (call === null) throw new Error("nothing was sent");
  return call;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
