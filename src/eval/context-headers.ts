/**
 * What a line with the path is worth to a language model, and one with language and indentation too,
 * where its family has no place for them: four ways to begin a prompt without snippets.
 */
import { commentMarks, indentUnitOf, languageName, languageOf } from "../core/index.ts";
import { contextAt } from "./context-recall.ts";
import { requestOf, type WorthModel, type WorthWay } from "./context-worth.ts";

/** The format without places for paths: what families without such a form get. */
function withoutPlaces({ format, ...model }: WorthModel): WorthModel {
  return { ...model, format: format.fim === "client" ? { ...format, files: null } : format };
}

function commentWay(name: string, words: (path: string, indent: string) => string): WorthWay {
  return {
    name,
    request: async ({ files, world, place }, model) => {
      const { buffer } = await contextAt(files, place.cursor, world, []);
      const { path, languageId } = place.cursor.file;
      const [open, close] = commentMarks(languageId);
      const whole = buffer.slice(0, buffer.length);
      const { text: unit } = indentUnitOf(whole, "", languageOf(languageId).indentUnit);
      const indent = unit.startsWith("\t") ? "tabs" : `${unit.length} spaces`;
      const text = words(path, `${languageName(languageId)}, ${indent}`);
      const head = text === "" ? "" : `${open}${text}${close}\n`;
      return requestOf(place, { buffer, snippets: [], model: withoutPlaces(model), head });
    },
  };
}

/** The first is what the others are held against. */
export const headerWays: readonly WorthWay[] = [
  commentWay("no path", () => ""),
  {
    name: "path in its place",
    request: async ({ files, world, place }, model) => {
      const { buffer } = await contextAt(files, place.cursor, world, []);
      return requestOf(place, { buffer, snippets: [], model });
    },
  },
  commentWay("path as a comment", (path) => path),
  commentWay("path, language and indentation as a comment", (path, rest) => `${path} (${rest})`),
];
