/** What an Ollama server has: its version and, for each model, context length and capabilities. */
import type { Connection } from "./connection.ts";
import { at, listAt, numberAt, textAt } from "./json-value.ts";
import { type Cancellable, chosen, type ProbedModel, type ProbedServer } from "./probed-server.ts";

/** Of a model that names none: room for our prompt and answer, and little memory. */
const USUAL_CONTEXT_TOKENS = 8192;
/** People have dozens of models; describing one takes a request. */
const MAX_DESCRIBED = 24;

export async function probeOllama(
  connection: Connection,
  model: string | null,
  options: Cancellable,
): Promise<ProbedServer> {
  const [about, tags, running] = await Promise.all([
    connection.get("/api/version", options),
    connection.get("/api/tags", options),
    connection.get("/api/ps", options),
  ]);
  const version = textAt(about, "version") ?? "";
  const names = listAt(tags, "models").flatMap((entry) => textAt(entry, "name") ?? []);
  const wanted = model === null ? names.slice(0, MAX_DESCRIBED) : [model];
  const described = await Promise.all(wanted.map((name) => describe(connection, name, options)));
  const models = names.map(
    (id) =>
      described.find((each) => each.id === id) ?? { id, contextTokens: null, canInsert: null },
  );
  const used = model === null ? chosen(models, null) : described[0];
  return {
    software: `Ollama ${version}`.trim(),
    models,
    slotCount: null,
    evidence: null,
    extras: {
      contextTokens: loadedContext(running, used?.id) ?? used?.contextTokens ?? null,
      hasLogProbabilities: isAtLeast(version, [0, 12, 11]),
    },
  };
}

async function describe(
  connection: Connection,
  id: string,
  options: Cancellable,
): Promise<ProbedModel> {
  const call = { path: "/api/show", body: { model: id }, model: id, prompt: "" };
  const reply = await connection.post(call, options);
  const facts = at(reply, "model_info");
  const key = Object.keys(facts ?? {}).find((name) => name.endsWith(".context_length"));
  const trained = key === undefined ? undefined : numberAt(facts, key);
  // One setting a line: `num_ctx    16384`.
  const set = /^num_ctx\s+(\d+)/m.exec(textAt(reply, "parameters") ?? "")?.[1];
  const contextTokens =
    set === undefined
      ? Math.min(trained ?? USUAL_CONTEXT_TOKENS, USUAL_CONTEXT_TOKENS)
      : Number(set);
  const capabilities = at(reply, "capabilities");
  return {
    id,
    contextTokens,
    canInsert: Array.isArray(capabilities) ? capabilities.includes("insert") : null,
  };
}

/** The length with which it is loaded now: another one would make Ollama load it anew. */
function loadedContext(running: unknown, id: string | undefined): number | undefined {
  const loaded = listAt(running, "models").find((entry) => textAt(entry, "name") === id);
  return numberAt(loaded, "context_length");
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split(/[.-]/).map(Number);
  for (const [i, wanted] of least.entries()) {
    const part = parts[i] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
