/**
 * Holes in a solution, where the data has none of its own.
 *
 * A cursor in an editor stands behind the indentation of a line and before its end, so a hole begins
 * with the first and ends with the last visible character of its lines. Lines without a letter or
 * digit are no question: a closing brace is given away by the brace before it.
 */

/** A hole: the text without it is `text.slice(0, start) + text.slice(end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Line of its start, from 0; names it. */
  readonly line: number;
}

/** Blocks of more lines are no completions any more. */
const MAX_BLOCK_LINES = 12;

/** Every line that holds a letter or digit, in order. */
export function singleLineSpans(text: string): readonly Span[] {
  return linesOf(text)
    .filter(({ content }) => /[\p{L}\p{N}]/u.test(content))
    .map(({ line, start, end }) => ({ line, start, end }));
}

/**
 * Blocks: at each line that is indented deeper than the last one before it, or is the first, the run
 * of lines that are indented at least as deep, if it has 2 to 12 lines that are not blank.
 */
export function multiLineSpans(text: string): readonly Span[] {
  const lines = linesOf(text);
  const spans: Span[] = [];
  for (const [index, first] of lines.entries()) {
    const above = lines[index - 1];
    if (above !== undefined && first.indent <= above.indent) continue;
    const below = lines.slice(index).findIndex(({ indent }) => indent < first.indent);
    const block = lines.slice(index, below < 0 ? lines.length : index + below);
    const last = block.at(-1);
    const hasWords = block.some(({ content }) => /[\p{L}\p{N}]/u.test(content));
    if (last === undefined || block.length < 2 || block.length > MAX_BLOCK_LINES || !hasWords) {
      continue;
    }
    spans.push({ line: first.line, start: first.start, end: last.end });
  }
  return spans;
}

interface VisibleLine {
  readonly line: number;
  /** Of the first and behind the last character that is not blank. */
  readonly start: number;
  readonly end: number;
  readonly content: string;
  /** Width of the indentation, a tab to the next multiple of 8. */
  readonly indent: number;
}

/** Lines that are not blank. */
function linesOf(text: string): readonly VisibleLine[] {
  const visible: VisibleLine[] = [];
  let offset = 0;
  for (const [line, whole] of text.split("\n").entries()) {
    const content = whole.trim();
    if (content !== "") {
      const indentation = whole.slice(0, whole.length - whole.trimStart().length);
      const start = offset + indentation.length;
      const end = start + content.length;
      visible.push({ line, start, end, content, indent: widthOf(indentation) });
    }
    offset += whole.length + 1;
  }
  return visible;
}

function widthOf(indentation: string): number {
  let width = 0;
  for (const unit of indentation) width = unit === "\t" ? (width | 7) + 1 : width + 1;
  return width;
}
