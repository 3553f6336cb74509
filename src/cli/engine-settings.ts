import type { Settings } from "../config/schema.ts";
import type { EngineSettings } from "../engine/index.ts";

/** The engine's part of the settings, converted by hand: the engine does not know the table. */
export function engineSettings(settings: Settings): EngineSettings {
  return Object.freeze({
    threshold: settings.threshold,
    localChance: settings["cascade.localChance"],
    timeoutMs: settings["request.timeoutMs"],
    contextDeadlineMs: settings["context.deadlineMs"],
    maxTokensSingleLine: settings["completion.singleLineTokens"],
    maxTokensMultiLine: settings["completion.multiLineTokens"],
    contextTokens: settings["context.totalTokens"],
    prefixTokens: settings["context.prefixTokens"],
    suffixTokens: settings["context.suffixTokens"],
    isHealed: settings["healing.enabled"],
    isPrefetched: settings["prefetch.enabled"],
    isWarmed: settings["warmUp.enabled"],
    isBalanced: settings["completion.balanced.enabled"],
    disabledLanguages: new Set(settings["languages.disabled"]),
  });
}
