/** What stands around prefix and suffix: repository, other files, the document's own path. */
import { languageOfPath } from "../language.ts";
import type { Snippet } from "../types.ts";
import type { PromptLayout } from "./layout.ts";
import { commentMarks, languageName } from "./layout.ts";
import type { PromptPiece } from "./prompt.ts";
import type { TemplatePart } from "./template.ts";
import { fillTemplate } from "./template.ts";

/** Stands where a family wants a path and the document has none. */
const UNNAMED = "untitled";
const MAX_PATH_UNITS = 200;

/** The parts of the header, to be put around the snippets; and all of them, for counting. */
export interface HeaderPieces {
  readonly start: readonly PromptPiece[];
  readonly repository: readonly PromptPiece[];
  readonly current: readonly PromptPiece[];
  readonly inPrefix: readonly PromptPiece[];
  readonly all: readonly PromptPiece[];
}

/** The header of a document. */
export function headerOf(
  document: {
    readonly path: string | null;
    readonly repository: string | null;
    readonly languageId: string;
    readonly multiline: boolean;
  },
  { form, neutralise }: PromptLayout,
): HeaderPieces {
  const [comment, commentEnd] = commentMarks(document.languageId);
  const values = {
    path: cleanName(document.path ?? UNNAMED, neutralise),
    repository: cleanName(document.repository ?? "", neutralise),
    language: languageName(document.languageId),
    mode: document.multiline ? "BLOCK" : "LINE",
    comment,
    "/comment": commentEnd,
  };
  const start = fillTemplate(form.start, values);
  const repository = document.repository === null ? [] : fillTemplate(form.repository, values);
  const current = fillTemplate(form.current, values);
  const inPrefix = fillTemplate(form.inPrefix, values);
  return {
    start,
    repository,
    current,
    inPrefix,
    all: [...start, ...repository, ...current, ...inPrefix],
  };
}

/** A snippet with its path; with the text `""` only what stands around it. */
export function snippetPieces(
  snippet: Snippet,
  text: string,
  { form, neutralise }: PromptLayout,
): readonly PromptPiece[] {
  const [comment, commentEnd] = commentMarks(languageOfPath(snippet.path));
  const content = neutralise(text);
  return fillTemplate(form.file, {
    path: cleanName(snippet.path, neutralise),
    content: endsLine(form.file) ? content.replace(/\r?\n$/, "") : content,
    comment,
    "/comment": commentEnd,
  });
}

/** True when the template ends the content's last line itself. */
function endsLine(file: readonly TemplatePart[]): boolean {
  const index = file.findIndex((part) => part.kind === "slot" && part.name === "content");
  const next = file[index + 1];
  return next !== undefined && next.kind === "text" && next.text.startsWith("\n");
}

/** On one line, without sentinels, and not longer than a name needs to be: the end of it says most. */
function cleanName(name: string, neutralise: (text: string) => string): string {
  return neutralise(name.replace(/[\r\n]+/g, " ").slice(-MAX_PATH_UNITS));
}
