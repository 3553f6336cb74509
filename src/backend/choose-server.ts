/** Which of the servers on this machine is used, and why; and why the others are not. */
import { CompletionError, type FimFormat, formatByEvidence, resolveFormat } from "../core/index.ts";
import type { Found, FoundModel, FoundServer } from "./find-servers.ts";

/** A server, the model that it is asked for, and its format. */
export interface Choice {
  readonly server: FoundServer;
  readonly model: string;
  readonly format: FimFormat;
}

/** The choice, and what a person is told about it. */
export interface Chosen {
  /** `null` when no server has a model that can fill in the middle. */
  readonly choice: Choice | null;
  /** One sentence for each server that was found, the chosen one first, without a dot. */
  readonly notes: readonly string[];
}

interface Candidate extends Choice {
  readonly facts: FoundModel;
}

/** With equal models: the more can be asked of a server, the better. */
const kindOrder = ["llama.cpp", "vllm", "sglang", "ollama", "openai"];

/** Billions of parameters that are quick enough for most machines and good enough to be worth it. */
const USUAL_BILLIONS = 3;

/**
 * Takes what is loaded before what is not, base models before those tuned for chat, and then what is
 * nearest to 3 billion parameters. `model` is the id that the settings name, "" for none.
 */
export function chooseServer(
  found: readonly Found[],
  wanted: { readonly model: string; readonly format: string | null },
): Chosen {
  const judged = found.map((each) =>
    each.kind === "server"
      ? { each, ...judge(each.server, wanted) }
      : { each, candidates: [], refusals: [] },
  );
  const candidates = judged.flatMap((entry) => entry.candidates).sort(compare);
  const [choice = null] = candidates;
  const notes = judged.flatMap(({ each, candidates: own, refusals }) => {
    if (each.kind === "refused") return [`${each.address} is not used: ${each.why}`];
    const { server } = each;
    if (choice !== null && server === choice.server) return [];
    return [passedOver(server, own, refusals, choice)];
  });
  return { choice, notes: choice === null ? notes : [taken(choice, candidates), ...notes] };
}

function judge(
  server: FoundServer,
  wanted: { readonly model: string; readonly format: string | null },
): { readonly candidates: readonly Candidate[]; readonly refusals: readonly string[] } {
  const candidates: Candidate[] = [];
  const refusals: string[] = [];
  for (const facts of server.models) {
    if (!isWanted(facts.id, wanted.model)) continue;
    const { id, evidence } = facts;
    const about = { model: id, backendKind: server.spec.kind, override: wanted.format };
    try {
      const format =
        evidence === null ? resolveFormat(about) : formatByEvidence({ ...about, evidence });
      candidates.push({ server, model: id, format, facts });
    } catch (error) {
      if (!(error instanceof CompletionError)) throw error;
      refusals.push(error.message);
    }
  }
  return { candidates, refusals };
}

/** An id as it stands, or its last part: `/models/m.gguf` for `m.gguf`. */
function isWanted(id: string, model: string): boolean {
  return model === "" || id === model || id.split(/[/\\]/).at(-1) === model;
}

function compare(a: Candidate, b: Candidate): number {
  const [first = 0] = rankOf(a)
    .map((value, i) => value - (rankOf(b)[i] ?? 0))
    .filter((difference) => difference !== 0);
  return first;
}

/** Lower comes first, by the first number that differs. */
function rankOf({ server, model, facts }: Candidate): readonly number[] {
  const billions = Number(/(?:^|[^a-z\d.])(\d+(?:\.\d+)?)b(?![a-z\d])/i.exec(model)?.[1]);
  return [
    facts.isLoaded === true ? 0 : facts.isLoaded === null ? 1 : 2,
    isTuned(model) ? 1 : 0,
    Number.isNaN(billions) ? 2 : Math.abs(Math.log(billions / USUAL_BILLIONS)),
    kindOrder.indexOf(server.spec.kind),
  ];
}

function isTuned(model: string): boolean {
  return /instruct|chat|-it\b/i.test(model);
}

function taken({ server, model, format }: Choice, candidates: readonly Candidate[]): string {
  const facts = candidates.find((each) => each.server === server && each.model === model)?.facts;
  const reasons = [
    facts?.isLoaded === true ? "it is loaded" : "",
    isTuned(model) ? "" : "it can fill in the middle",
    isTuned(model) ? "it knows how to fill in the middle, though a base model does it better" : "",
  ].filter((reason) => reason !== "");
  return `using ${model} (${format.family}) of ${server.software} at ${server.spec.url}: ${reasons.join(" and ")}`;
}

function passedOver(
  { software, spec, models }: FoundServer,
  candidates: readonly Candidate[],
  refusals: readonly string[],
  choice: Choice | null,
): string {
  const where = `${software} at ${spec.url}`;
  const [candidate] = candidates;
  if (candidate !== undefined && choice !== null) {
    return `${where} is not used: ${candidate.model} would do too (--backend ${spec.kind}:${spec.url} takes it)`;
  }
  if (models.length === 0) return `${where} is not used: it has no model`;
  if (refusals.length === 0) return `${where} is not used: it has not the model that you named`;
  if (refusals.length === 1) return `${where} is not used: ${refusals[0]}`;
  const names = models.slice(0, 3).map(({ id }) => id);
  const more = models.length > names.length ? " …" : "";
  return `${where} is not used: none of its ${models.length} models can fill in the middle (${names.join(", ")}${more})`;
}
