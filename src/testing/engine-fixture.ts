/** An engine on a fake clock, for tests: small index, scripted language model. */
import type { Adaptation, Backend, Clock, ContextSource, Log, ScopeProbe } from "../core/index.ts";
import { lexicalScopeProbe, resolveFormat } from "../core/index.ts";
import {
  Engine,
  type EngineDocument,
  type EngineRequest,
  type EngineSettings,
  requestFor,
} from "../engine/index.ts";
import { IndexBuilder, LocalModel } from "../local/index.ts";
import type { DocumentTrees } from "../syntax/index.ts";

/** The product's defaults; tests change what they are about. */
export const engineDefaults: EngineSettings = {
  threshold: 0.25,
  localChance: 0.5,
  timeoutMs: 1500,
  contextDeadlineMs: 25,
  maxTokensSingleLine: 48,
  maxTokensMultiLine: 200,
  contextTokens: 4096,
  prefixTokens: 2000,
  suffixTokens: 800,
  isHealed: false,
  isPrefetched: false,
  isWarmed: false,
  isBalanced: false,
  disabledLanguages: new Set<string>(),
};

/** A local model that has read these files; `options` as those of `LocalModel`. */
export function localModelOf(
  files: Readonly<Record<string, string>>,
  options: ConstructorParameters<typeof LocalModel>[0] = {},
): LocalModel {
  const builder = new IndexBuilder();
  for (const [path, text] of Object.entries(files)) {
    builder.add({ path, hash: path, sizeBytes: text.length, modifiedMs: 0 }, text);
  }
  const local = new LocalModel(options);
  local.adopt(builder.build());
  return local;
}

/** An engine of these parts. */
export function engineOf(parts: {
  readonly clock: Clock;
  readonly local?: LocalModel;
  readonly backend?: Backend;
  readonly settings?: Partial<EngineSettings>;
  readonly isExcluded?: (path: string) => boolean;
  readonly scopes?: ScopeProbe;
  readonly trees?: DocumentTrees;
  readonly adaptation?: Adaptation;
  readonly context?: ContextSource;
  readonly log?: Log;
}): Engine {
  let ids = 0;
  const { backend } = parts;
  const id = "qwen2.5-coder-1.5b";
  return new Engine({
    clock: parts.clock,
    settings: { ...engineDefaults, ...parts.settings },
    local: parts.local ?? null,
    model:
      backend === undefined
        ? null
        : {
            backend,
            id,
            format: resolveFormat({ model: id, backendKind: backend.kind, override: null }),
            repositoryName: "example",
          },
    scopes: parts.scopes ?? lexicalScopeProbe,
    trees: parts.trees ?? null,
    nextId: () => `r${ids++}`,
    isExcluded: parts.isExcluded ?? (() => false),
    adaptation: () => parts.adaptation ?? null,
    context: parts.context ?? null,
    ...(parts.log === undefined ? {} : { log: parts.log }),
  });
}

/** A request at `█` in a text. */
export function requestAt(marked: string, options: Partial<EngineRequest> = {}): EngineRequest {
  const [prefix = "", suffix = ""] = marked.split("█");
  const document: EngineDocument = {
    kind: "text",
    prefix,
    suffix,
    path: "src/a.ts",
    languageId: "typescript",
    session: "s",
    version: null,
  };
  return requestFor(options.document ?? document, options);
}
