import { languageOfPath, languages } from "../../core/index.ts";

const code = new Set(languages.filter(({ nature }) => nature === "code").map(({ id }) => id));

/** True for a file in which lines are asked for: code; data and prose are known, but not asked for. */
export function isAskedLanguage(path: string): boolean {
  return code.has(languageOfPath(path));
}
