import type { BackendCapabilities } from "./ports.ts";

/** A server that completes the prompt that we render and can do nothing else. Adapters add to it. */
export const bareCapabilities: BackendCapabilities = {
  fim: "client",
  logProbabilities: false,
  cachedTokens: false,
  contextTokens: null,
  maxStops: null,
  forcedPrefix: false,
  grammar: false,
  priority: false,
  cacheSalt: false,
  tokenize: false,
};
