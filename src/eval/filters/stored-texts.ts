/** Texts of held-out cursors from the answers that `midspan bench inference` keeps. */
import type { Corpus } from "../corpus.ts";
import type { InferenceAnswer } from "../inference-answers.ts";
import type { FilteredText } from "./filter-effects.ts";

/** The texts of both origins; answers of packages or files that are not there have none. */
export function storedTexts(
  answers: readonly InferenceAnswer[],
  corpora: readonly Corpus[],
): { readonly model: readonly FilteredText[]; readonly local: readonly FilteredText[] } {
  const files = new Map(
    corpora.flatMap(({ package: { name }, files: own }) =>
      own.map((file) => [`${name}:${file.path}`, file] as const),
    ),
  );
  const model: FilteredText[] = [];
  const local: FilteredText[] = [];
  for (const answer of answers) {
    const { offset, target } = answer;
    const file = files.get(`${answer.package}:${answer.path}`);
    if (file === undefined) continue;
    const place = {
      target,
      prefix: file.text.slice(0, offset),
      suffix: file.text.slice(offset + target.length),
      languageId: file.languageId,
    };
    const { plain } = answer;
    if (typeof plain === "string" && plain !== "") {
      model.push({ ...place, raw: plain, origin: "model" });
    }
    for (const { text } of answer.local) local.push({ ...place, raw: text, origin: "local" });
  }
  return { model, local };
}
