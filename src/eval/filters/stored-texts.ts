/** Texts of held-out cursors from the answers that `midspan bench inference` keeps. */
import type { BlockAnswer } from "../block-answers.ts";
import type { Corpus } from "../corpus.ts";
import type { InferenceAnswer } from "../inference-answers.ts";
import type { SourceFile } from "../source-file.ts";
import type { FilteredText } from "./filter-effects.ts";

/** The texts of both origins; answers of packages or files that are not there have none. */
export function storedTexts(
  answers: readonly InferenceAnswer[],
  corpora: readonly Corpus[],
): { readonly model: readonly FilteredText[]; readonly local: readonly FilteredText[] } {
  const files = filesOf(corpora);
  const model: FilteredText[] = [];
  const local: FilteredText[] = [];
  for (const answer of answers) {
    const place = placeOf(answer, files);
    if (place === null) continue;
    const { plain } = answer;
    if (typeof plain === "string" && plain !== "") {
      model.push({ ...place, raw: plain, origin: "model", multiline: false });
    }
    for (const { text } of answer.local) {
      local.push({ ...place, raw: text, origin: "local", multiline: false });
    }
  }
  return { model, local };
}

/** A text of several lines, in the pieces in which it came. */
export interface BlockText extends FilteredText {
  readonly below: boolean;
  readonly pieces: readonly string[];
}

/** The texts for holes of several lines; empty ones are left out. */
export function blockTexts(
  answers: readonly BlockAnswer[],
  corpora: readonly Corpus[],
): readonly BlockText[] {
  const files = filesOf(corpora);
  return answers.flatMap((answer): BlockText[] => {
    const place = placeOf(answer, files);
    const { pieces, below } = answer;
    const raw = pieces.join("");
    if (place === null || raw === "") return [];
    const suffix = below ? place.suffix : "";
    return [{ ...place, suffix, below, raw, pieces, origin: "model", multiline: true }];
  });
}

function filesOf(corpora: readonly Corpus[]): ReadonlyMap<string, SourceFile> {
  return new Map(
    corpora.flatMap(({ package: { name }, files }) =>
      files.map((file) => [`${name}:${file.path}`, file] as const),
    ),
  );
}

function placeOf(
  answer: Pick<InferenceAnswer, "package" | "path" | "offset" | "target">,
  files: ReadonlyMap<string, SourceFile>,
): Pick<FilteredText, "target" | "prefix" | "suffix" | "languageId"> | null {
  const { offset, target } = answer;
  const file = files.get(`${answer.package}:${answer.path}`);
  if (file === undefined) return null;
  return {
    target,
    prefix: file.text.slice(0, offset),
    suffix: file.text.slice(offset + target.length),
    languageId: file.languageId,
  };
}
