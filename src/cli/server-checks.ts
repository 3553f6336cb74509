/** The part of `midspan doctor` that is about the model server: which, which model, how set up. */
import {
  type BackendSpec,
  launchLines,
  type ProbedServer,
  parseBackendSpec,
  probeBackend,
  type ServingFact,
  servingReport,
} from "../backend/index.ts";
import type { Settings } from "../config/schema.ts";
import { CompletionError, type HttpClient } from "../core/index.ts";
import type { LanguageModel } from "../engine/index.ts";
import { readApiKey } from "../host/api-key.ts";
import { systemClock } from "../host/clock.ts";
import { createHttpClient } from "../host/http-client.ts";
import { createLog } from "../host/log.ts";
import { findBackend } from "./auto-backend.ts";
import { type Check, failureText } from "./doctor-check.ts";
import { createLanguageModel } from "./language-model.ts";
import { speedCheck } from "./server-speed.ts";
import { timeLimit } from "./time-limit.ts";

const name = "language model";

/** A few completions of a few tokens, perhaps by a model that must be loaded first. */
const PROBE_MS = 20_000;

/** A server that is asked, and what it is asked for. */
interface Target {
  readonly spec: BackendSpec;
  readonly apiKey: string | null;
  /** `null` lets the server decide. */
  readonly model: string | null;
}

/** Never throws for a server that is missing or out of order; that is a failed check. */
export async function serverChecks(workspace: string, settings: Settings): Promise<Check[]> {
  const http = createHttpClient({ isOffline: settings["offline.enabled"] });
  const notices: Check[] = [];
  const onNotice = (text: string): void => {
    notices.push({ name: "on this machine", state: "note", text });
  };
  try {
    const target = await targetOf(settings, { http, onNotice });
    if (target === null) {
      const text = "none; the local model answers alone (--backend KIND:URL names a server)";
      return [{ name, state: "note", text }, ...notices, launchCheck];
    }
    const signal = limit(target.spec.url);
    const probed = await probeBackend(target.spec, { http, ...target }, { signal });
    const model = await modelOf(target, { workspace, settings, http });
    const known = modelCheck(model, probed);
    return [
      known,
      ...notices,
      ...(await servingChecks(target, probed, http)),
      ...(known.state === "ok" ? [await timedCheck(model, settings)] : []),
      launchCheck,
    ];
  } catch (error) {
    return [{ name, state: "failed", text: failureText(error) }, ...notices, launchCheck];
  } finally {
    await http.close();
  }
}

async function targetOf(
  settings: Settings,
  options: { readonly http: HttpClient; readonly onNotice: (text: string) => void },
): Promise<Target | null> {
  const { backend, model } = settings;
  if (backend === "none") return null;
  if (backend === "auto") {
    const choice = await findBackend(settings, options);
    return choice === null ? null : { spec: choice.server.spec, apiKey: null, model: choice.model };
  }
  const apiKey = await readApiKey({ environment: process.env, file: settings.apiKeyFile });
  return { spec: parseBackendSpec(backend), apiKey, model: model === "" ? null : model };
}

/** As `serve` makes it. */
async function modelOf(
  { spec, model }: Target,
  options: { readonly workspace: string; readonly settings: Settings; readonly http: HttpClient },
): Promise<LanguageModel> {
  const { workspace, http } = options;
  const named = { backend: `${spec.kind}:${spec.url}`, model: model ?? "" };
  const made = await createLanguageModel({
    workspace,
    http,
    settings: { ...options.settings, ...named },
    log: createLog({ level: "off" }),
    observe: (backend) => backend,
    own: null,
    onNotice: () => {},
    onWarning: () => {},
    isNewAddress: async () => false,
  });
  if (made === null) throw new CompletionError("MODEL_NOT_FOUND", "no server is set");
  return made;
}

function modelCheck({ id, format, backend }: LanguageModel, probed: ProbedServer): Check {
  const ids = probed.models.map((model) => model.id);
  if (ids.length > 0 && !ids.includes(id)) {
    const text = `${id} is not among the models of ${backend.address}: ${ids.join(", ")}; name one with --model`;
    return { name, state: "failed", text };
  }
  const { contextTokens } = backend.capabilities;
  const context = contextTokens === null ? "" : `, ${contextTokens} tokens of context`;
  const text = `${id} (${format.family}) at ${backend.address}, ${probed.software}${context}`;
  return { name, state: "ok", text };
}

function limit(address: string): AbortSignal {
  return timeLimit(PROBE_MS, { who: `${address} did not answer`, next: "look at its log" });
}

/** After everything else: whatever had to be loaded is there now. */
function timedCheck(model: LanguageModel, settings: Settings): Promise<Check> {
  return speedCheck(model, {
    clock: systemClock,
    timeoutMs: settings["request.timeoutMs"],
    mark: String(Date.now()),
    signal: limit(model.backend.address),
  });
}

async function servingChecks(
  { spec, apiKey }: Target,
  probed: ProbedServer,
  http: HttpClient,
): Promise<Check[]> {
  const signal = limit(spec.url);
  const report = await servingReport(spec, probed, { http, apiKey }, { signal });
  const row = (what: string, fact: ServingFact): Check => ({
    name: what,
    state: fact.state === "on" ? "ok" : "note",
    text: fact.state === "unknown" ? fact.text : `${fact.state}: ${fact.text}`,
  });
  return [
    row("prefix caching", report.prefixCaching),
    row("chunked prefill", report.chunkedPrefill),
    row("priority", report.priority),
    row("cached tokens", report.cachedTokens),
  ];
}

const launchCheck: Check = {
  name: "start a server",
  state: "note",
  text: launchLines.map(({ software, line }) => `${software}:\n  ${line}`).join("\n"),
  isVerbatim: true,
};
