/** Engines for evaluations, as the product makes them, on a clock and around a model of one's own. */
import type { Settings } from "../config/schema.ts";
import {
  type Backend,
  type Clock,
  type ContextSource,
  type FimFormat,
  type FimOrder,
  lexicalScopeProbe,
} from "../core/index.ts";
import { Engine, type LanguageModel } from "../engine/index.ts";
import { createStamp, type Stamp } from "../eval/run/stamp.ts";
import { secretPathTest } from "../host/secret-path.ts";
import type { LocalModel } from "../local/index.ts";
import { engineSettings } from "./engine-settings.ts";
import type { LoadedSettings } from "./load-settings.ts";
import { notice } from "./notice.ts";
import { createProduct } from "./product.ts";
import { version } from "./version.ts";

/** Time for an answer where nobody waits and the machine may be busy. */
export const UNHURRIED_TIMEOUT_MS = 120_000;

/** The language model of the settings, to be closed. */
export interface EvaluatedModel {
  /** `null` when the settings name none. */
  readonly model: LanguageModel | null;
  close(): Promise<void>;
}

/** Looks the model up as every command does; says on stderr what was found, the same once. */
export async function evaluatedModel(
  workspace: string,
  { resolved, folders }: LoadedSettings,
): Promise<EvaluatedModel> {
  const product = await createProduct({
    workspace,
    // The evaluation indexes what it may know, not what lies there.
    settings: { ...resolved.settings, "local.enabled": false },
    folders,
    isWatched: false,
    onNotice: notice,
    onWarning: notice,
  });
  return { model: product.model, close: () => product.close() };
}

/** An engine with the person's settings. */
export function evaluationEngine(parts: {
  readonly settings: Settings;
  readonly clock: Clock;
  /** Times the engine's own work; absent: `clock` does. */
  readonly stopwatch?: Pick<Clock, "now">;
  readonly local: LocalModel | null;
  readonly model: LanguageModel | null;
  /** Absent: prompts hold the document alone. */
  readonly context?: ContextSource | null;
}): Engine {
  const { settings, ...rest } = parts;
  let requests = 0;
  return new Engine({
    ...rest,
    settings: engineSettings(settings),
    scopes: lexicalScopeProbe,
    nextId: () => String(requests++),
    isExcluded: secretPathTest(settings["files.deny"]),
  });
}

/** The same model behind another backend, such as a metered one. */
export function withBackend(model: LanguageModel, backend: Backend): LanguageModel {
  return { ...model, backend };
}

/** The format with another order; the same for `null`, and where the server writes the prompt. */
export function inOrder(format: FimFormat, order: FimOrder | null): FimFormat {
  return order === null || format.fim !== "client" ? format : { ...format, order };
}

/** What a stamp says of a model. */
type StampedModel = Pick<LanguageModel, "id" | "format"> & {
  readonly backend: { readonly kind: string };
};

/** The stamp of an evaluation of whole engines. */
export function evaluationStamp(options: {
  readonly benchmark: string;
  readonly settings: Settings;
  readonly model: StampedModel | null;
  readonly scoring: string;
  readonly seed: number;
  readonly choices: Stamp["choices"];
}): Stamp {
  const { benchmark, settings, model, scoring, seed, choices } = options;
  const format = model?.format ?? null;
  return createStamp({
    benchmark,
    version,
    engine: { kind: model?.backend.kind ?? "midspan", version: null },
    model: model?.id ?? "local",
    quantisation: null,
    template: format?.fim === "client" ? `${format.family} ${format.order}` : null,
    stops: format?.fim === "client" ? format.stops : [],
    sampling: {
      temperature: 0,
      samples: 1,
      maxTokens: settings["completion.singleLineTokens"],
      seed,
    },
    scoring,
    choices: {
      "local model": settings["local.enabled"],
      threshold: settings.threshold,
      "token healing": settings["healing.enabled"],
      context: model !== null && settings["context.enabled"],
      ...choices,
    },
  });
}
