import type { ContextPlace, Snippet } from "../core/index.ts";
import { LocalModel } from "../local/index.ts";

/**
 * The best line of a local model that has read nothing but the document and these snippets: it shows
 * whether what the line is made of stands in them. `""` when it has none.
 */
export function localLine(
  { path, languageId, buffer, offset }: Omit<ContextPlace, "sent">,
  snippets: readonly Snippet[],
): string {
  const model = new LocalModel();
  const texts = new Map<string, string>();
  for (const one of snippets) texts.set(one.path, `${texts.get(one.path) ?? ""}${one.text}\n\n`);
  // The document's own head is in sight anyway.
  for (const [other, text] of texts) if (other !== path) model.updateFile(other, text);
  const about = { path, languageId, maxLines: 1, maxCandidates: 1 };
  return model.complete({ document: buffer, offset, ...about })[0]?.text ?? "";
}
