import type { Scope, ScopeProbe } from "../core/index.ts";

/**
 * A probe that remembers its last answer. Policy, line mode and filters of one request all ask about
 * the same place; the text is scanned once.
 */
export function rememberingProbe(probe: ScopeProbe): ScopeProbe {
  let last: { readonly prefix: string; readonly languageId: string; readonly scope: Scope } | null =
    null;
  return {
    at(prefix, languageId) {
      if (last === null || last.prefix !== prefix || last.languageId !== languageId) {
        last = { prefix, languageId, scope: probe.at(prefix, languageId) };
      }
      return last.scope;
    },
  };
}
