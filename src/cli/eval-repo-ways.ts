/** The ways in which `midspan eval repo` asks, put together from the product's parts. */
import type { Settings } from "../config/schema.ts";
import type { ContextSource } from "../core/index.ts";
import type { Engine, LanguageModel } from "../engine/index.ts";
import { meterBackend } from "../eval/replay/metered-backend.ts";
import { askedOnce } from "../eval/repo/asked-once.ts";
import type { KnownWorkspace } from "../eval/repo/known-workspace.ts";
import { asSet } from "../eval/repo/line-answer.ts";
import { engineWay, type LineWay, readerWay } from "../eval/repo/line-way.ts";
import type { SourceWorth } from "../eval/repo/repo-report.ts";
import { sourceChoices } from "../eval/repo/source-choices.ts";
import { systemClock } from "../host/clock.ts";
import { LocalModel } from "../local/index.ts";
import { UsageError } from "./exit.ts";
import { createKnownContext } from "./replay-context.ts";
import { evaluationEngine, withBackend } from "./replay-engine.ts";

/** How each question is asked, to be closed. */
export interface AskingWays {
  readonly ways: readonly LineWay[];
  readonly known: KnownWorkspace;
  /** What the ways of `--each-source` are; `null` without it. */
  readonly worth: SourceWorth | null;
  close(): void;
}

/**
 * The way of the settings, and with `eachSource` one for each choice of sources: of the same engine
 * where there is a language model, else of a local model that has read nothing but the document and
 * what the sources found. Throws `UsageError` where the settings switch context off.
 */
export function askingWays(options: {
  readonly settings: Settings;
  readonly model: LanguageModel | null;
  readonly eachSource: boolean;
}): AskingWays {
  const { settings, model, eachSource } = options;
  const metered = model === null ? null : meterBackend(model.backend, { clock: systemClock });
  const once = metered === null ? null : askedOnce(metered.backend);
  const local = settings["local.enabled"] ? new LocalModel() : null;
  const context = model === null && !eachSource ? null : createKnownContext(settings);
  const engines: Engine[] = [];
  const throughEngine = (name: string, source: ContextSource | null): LineWay => {
    const engine = evaluationEngine({
      ...{ settings, clock: systemClock, local, context: source },
      model: model === null || once === null ? null : withBackend(model, once),
    });
    engines.push(engine);
    return engineWay(name, { engine, calls: metered?.calls ?? [], source });
  };
  const main = throughEngine(asSet, model === null ? null : (context?.createSource() ?? null));
  const known = { local, onFiles: context === null ? null : context.know };
  const close = (): void => {
    for (const engine of engines) engine.dispose();
  };
  if (!eachSource) return { ways: [main], known, worth: null, close };
  if (context === null) throw new UsageError("--each-source needs context.enabled");
  const choices = sourceChoices(context.kinds);
  const names = choices.map(({ name }) => name);
  const [none = "", ...others] = names;
  if (model !== null) {
    const ways = choices.map(({ name, kinds }) => throughEngine(name, context.createSource(kinds)));
    const worth = { ways: [none, asSet, ...others], writer: `the engine with ${model.id}` };
    return { ways: [main, ...ways], known, worth, close };
  }
  const all = { name: "those that are set", kinds: context.kinds };
  const ways = [...choices, all].map(({ name, kinds }) =>
    readerWay(name, context.createSource(kinds)),
  );
  const writer = "a local model that has read nothing but the document and what the sources found";
  return {
    ways: [main, ...ways],
    known,
    worth: { ways: [none, all.name, ...others], writer },
    close,
  };
}
