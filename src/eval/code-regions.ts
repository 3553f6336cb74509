/**
 * Tells code from prose, so that cursors are put into code only. A small scanner of its own: the
 * judge must not share a lexer, and so its faults, with what it judges. One pass, O(length).
 * Known limit: a regular expression is told from a division by the character before the slash.
 */

/** What a character of a source file belongs to. */
export const codeRegion = {
  code: 0,
  /** A string that ends on the line on which it starts. */
  string: 1,
  /** Comments, and strings over several lines: documentation, templates, snapshots. */
  prose: 2,
} as const;

/** One `codeRegion` per UTF-16 unit of the text. Quotes and comment marks belong to their region. */
export function codeRegions(text: string, languageId: string): Uint8Array {
  return languageId === "python" ? pythonRegions(text) : scriptRegions(text);
}

function scriptRegions(text: string): Uint8Array {
  const regions = new Uint8Array(text.length);
  // The last character of code, blanks aside: it decides whether a slash divides.
  let before = "";
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string;
    let end = at + 1;
    let region: number = codeRegion.code;
    if (text.startsWith("//", at)) {
      end = endOfLine(text, at);
      region = codeRegion.prose;
    } else if (text.startsWith("/*", at)) {
      end = endAfter(text, "*/", at + 2);
      region = codeRegion.prose;
    } else if (char === '"' || char === "'") {
      end = endOfQuoted(text, at, char);
      region = codeRegion.string;
    } else if (char === "`") {
      end = endOfTemplate(text, at);
      region = text.slice(at, end).includes("\n") ? codeRegion.prose : codeRegion.string;
    } else if (char === "/" && !/[\w$)\]}]/.test(before)) {
      end = endOfRegularExpression(text, at);
      region = end > at + 1 ? codeRegion.string : codeRegion.code;
    }
    regions.fill(region, at, end);
    if (region !== codeRegion.prose && !/\s/.test(char)) before = text[end - 1] as string;
    at = end;
  }
  return regions;
}

function pythonRegions(text: string): Uint8Array {
  const regions = new Uint8Array(text.length);
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string;
    let end = at + 1;
    let region: number = codeRegion.code;
    if (char === "#") {
      end = endOfLine(text, at);
      region = codeRegion.prose;
    } else if (text.startsWith('"""', at) || text.startsWith("'''", at)) {
      end = endOfQuoted(text, at, char.repeat(3));
      region = codeRegion.prose;
    } else if (char === '"' || char === "'") {
      end = endOfQuoted(text, at, char);
      region = codeRegion.string;
    }
    regions.fill(region, at, end);
    at = end;
  }
  return regions;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
}

function endAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** A quote of one character also ends before the line end; three of them run on. */
function endOfQuoted(text: string, from: number, quote: string): number {
  for (let at = from + quote.length; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (text[at] === "\n" && quote.length === 1) return at;
  }
  return text.length;
}

/** The holes of a template count as its text; templates inside of them are skipped as a whole. */
function endOfTemplate(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    if (text[at] === "\\") at += 2;
    else if (text[at] === "`") return at + 1;
    else if (text.startsWith("${", at)) at = endOfHole(text, at + 2);
    else at++;
  }
  return text.length;
}

function endOfHole(text: string, from: number): number {
  let depth = 1;
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (char === "`") {
      at = endOfTemplate(text, at);
      continue;
    }
    if (char === "{") depth++;
    else if (char === "}") depth--;
    at++;
    if (depth === 0) return at;
  }
  return text.length;
}

/** The offset after the closing slash and flags; `from + 1` when none closes on this line. */
function endOfRegularExpression(text: string, from: number): number {
  let isInClass = false;
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at];
    if (char === "\n") break;
    if (char === "\\") at++;
    else if (char === "[") isInClass = true;
    else if (char === "]") isInClass = false;
    else if (char === "/" && !isInClass) return at + 1;
  }
  return from + 1;
}
