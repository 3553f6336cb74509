/** Who answers `midspan eval infill`, and what its stamp says of it. */
import { basename } from "node:path";
import { parseBackendSpec, probeBackend } from "../backend/index.ts";
import type { Settings } from "../config/schema.ts";
import { type FimFormat, resolveFormat } from "../core/index.ts";
import type { LanguageModel } from "../engine/index.ts";
import {
  type AskInfill,
  type AskingOrder,
  type AskingWay,
  checkOrder,
  engineAsker,
  type ModelCall,
  rawAsker,
} from "../eval/infill/infill-asker.ts";
import { type Script, ScriptedBackend, scriptedText } from "../eval/infill/scripted-answers.ts";
import { readApiKey } from "../host/api-key.ts";
import { systemClock } from "../host/clock.ts";
import { createHttpClient } from "../host/http-client.ts";
import { LocalModel } from "../local/index.ts";
import { UsageError } from "./exit.ts";
import type { LoadedSettings } from "./load-settings.ts";
import {
  evaluatedModel,
  evaluationEngine,
  inOrder,
  UNHURRIED_TIMEOUT_MS,
} from "./replay-engine.ts";

/** How it is asked. */
export interface InfillAsking {
  readonly way: AskingWay;
  readonly order: AskingOrder | null;
  readonly temperature: number;
  readonly lineTokens: number;
  readonly blockTokens: number;
}

/** Who answers. */
export interface InfillModel {
  readonly ask: AskInfill;
  readonly id: string;
  readonly kind: string;
  /** Version of the program that computes; `null` when it does not say. */
  readonly engineVersion: string | null;
  readonly quantisation: string | null;
  /** `null` where there is no prompt. */
  readonly format: FimFormat | null;
  close(): Promise<void>;
}

/** The model of the settings, or the local one. Throws `UsageError` for ways that need a server. */
export async function infillModel(
  loaded: LoadedSettings,
  asking: InfillAsking,
): Promise<InfillModel> {
  const { settings } = loaded.resolved;
  const evaluated = await evaluatedModel(process.cwd(), loaded);
  try {
    const { model } = evaluated;
    if (model === null) {
      if (asking.way !== "full" || asking.order !== null) {
        throw new UsageError(
          "the ways plain and prompt ask a language model; name its server with --backend",
        );
      }
      const ask = askerOf(null, { settings, asking });
      const said = { engineVersion: null, quantisation: null, format: null };
      return { ask, id: "local", kind: "midspan", ...said, close: () => evaluated.close() };
    }
    checkOrder(model.format, asking.order);
    const about = await softwareOf(settings);
    return {
      ask: askerOf(model, { settings, asking }),
      id: basename(model.id),
      kind: model.backend.kind,
      engineVersion: about.version,
      quantisation: about.quantisation ?? quantisationOf([model.id, ...about.names]),
      format: model.format,
      close: () => evaluated.close(),
    };
  } catch (error) {
    await evaluated.close();
    throw error;
  }
}

/** A backend that follows a script, in Qwen's format. */
export function scriptedModel(
  script: Script,
  about: { readonly settings: Settings; readonly asking: InfillAsking },
): InfillModel {
  const family = "qwen2.5-coder";
  const format = resolveFormat({ model: family, backendKind: "llama.cpp", override: family });
  checkOrder(format, about.asking.order);
  const ask: AskInfill = (task, options) => {
    const backend = new ScriptedBackend(scriptedText(task, script, about.asking.way));
    const model = { backend, id: script, format, repositoryName: "" };
    return askerOf(model, about)(task, options);
  };
  const said = { engineVersion: null, quantisation: null, format };
  return { ask, id: script, kind: "scripted", ...said, close: async () => {} };
}

function askerOf(
  model: LanguageModel | null,
  about: { readonly settings: Settings; readonly asking: InfillAsking },
): AskInfill {
  const { settings, asking } = about;
  const { way, order } = asking;
  if (model !== null && way !== "full") {
    const { backend, id, format } = model;
    const call: ModelCall = { ...asking, backend, model: id, format };
    return rawAsker(way, call);
  }
  if (order === "efim") throw new UsageError("--order efim goes with --way plain or prompt");
  return engineAsker(
    () =>
      evaluationEngine({
        settings: {
          ...settings,
          threshold: 0,
          "prefetch.enabled": false,
          "request.timeoutMs": UNHURRIED_TIMEOUT_MS,
        },
        clock: systemClock,
        local: model === null ? new LocalModel() : null,
        model: model === null ? null : { ...model, format: inOrder(model.format, order) },
      }),
    asking,
  );
}

interface Software {
  readonly version: string | null;
  readonly quantisation: string | null;
  /** Of the model and its file. */
  readonly names: readonly string[];
}

/** What the server says of itself; nothing when it does not. */
async function softwareOf(settings: Settings): Promise<Software> {
  const http = createHttpClient({ isOffline: settings["offline.enabled"] });
  try {
    const spec = parseBackendSpec(settings.backend);
    const apiKey = await readApiKey({ environment: process.env, file: settings.apiKeyFile });
    const signal = AbortSignal.timeout(3_000);
    const model = settings.model === "" ? null : settings.model;
    const probed = await probeBackend(spec, { http, apiKey, model }, { signal });
    return {
      // The kind stands beside it.
      version: probed.software.replace(/^llama\.cpp /, ""),
      quantisation: probed.quantisation ?? null,
      names: probed.evidence?.names ?? [],
    };
  } catch {
    // A server that says nothing of itself can still answer.
    return { version: null, quantisation: null, names: [] };
  } finally {
    await http.close();
  }
}

/** As file names of GGUF models write it; `null` when none of the names says it. */
export function quantisationOf(names: readonly string[]): string | null {
  const mark =
    /(?:^|[-_.:/])((?:I?Q\d\w*|BF16|F16|F32|fp16|fp8|int8|int4|awq|gptq)(?:_\w+)*)(?=[-_.]|$)/i;
  for (const name of names) {
    const found = mark.exec(basename(name));
    if (found?.[1] !== undefined) return found[1];
  }
  return null;
}
