import type { CursorView } from "../../../core/index.ts";
import { type editor, type Position, Range } from "./monaco.ts";

/** What is sent, in UTF-16 units: the server takes 2 MB in all. */
const MAX_PREFIX = 400_000;
const MAX_SUFFIX = 200_000;
/** What is compared to tell what was typed since an answer. */
const VIEW_BEFORE = 4_096;
const VIEW_AFTER = 1_024;
/** Lines end with `\n` in what is sent and compared; the editor puts the file's own ends back in. */
const LF = 1;

/** The document around a cursor. */
export interface CursorText {
  readonly prefix: string;
  readonly suffix: string;
  readonly view: CursorView;
}

export function textAround(model: editor.ITextModel, position: Position): CursorText {
  const end = model.getFullModelRange().getEndPosition();
  const prefix = model.getValueInRange(new Range(1, 1, position.lineNumber, position.column), LF);
  const suffix = model.getValueInRange(Range.fromPositions(position, end), LF);
  return {
    prefix: lastLines(prefix, MAX_PREFIX),
    suffix: suffix.slice(0, MAX_SUFFIX),
    view: {
      before: prefix.slice(-VIEW_BEFORE),
      after: suffix.slice(0, VIEW_AFTER),
      beforeLength: prefix.length,
      afterLength: suffix.length,
    },
  };
}

function lastLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.length - limit;
  const lineEnd = text.indexOf("\n", cut);
  return text.slice(lineEnd < 0 ? cut : lineEnd + 1);
}
