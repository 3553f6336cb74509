/** The kinds of server that a backend address may name. */
export const backendKinds = [
  "llama.cpp",
  "vllm",
  "sglang",
  "openai",
  "ollama",
  "mistral",
  "deepseek",
  "tgi",
] as const;

/** One of `backendKinds`. */
export type BackendKind = (typeof backendKinds)[number];

/** What the setting `backend` says. */
export type BackendAddress =
  | { readonly kind: "none" }
  | { readonly kind: "auto" }
  | { readonly kind: "server"; readonly server: BackendKind; readonly url: string };

/**
 * Takes the checked value of the setting `backend` apart. The URL comes back without a final `/` and
 * without `/v1`, which adapters add themselves. Text that the setting would refuse is `none`.
 */
export function parseBackendAddress(value: string): BackendAddress {
  if (value === "auto") return { kind: "auto" };
  const server = backendKinds.find((kind) => value.startsWith(`${kind}:`));
  if (server === undefined) return { kind: "none" };
  const url = value
    .slice(server.length + 1)
    .replace(/\/+$/, "")
    .replace(/\/v1$/, "");
  return { kind: "server", server, url };
}
