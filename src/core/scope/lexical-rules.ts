/** The table of languages, compiled for the scanner: one small object per language, made once. */

import { languageOf } from "../language.ts";
import type { Language } from "../language-table.ts";

/** What a scanner is inside of: a string literal or a comment. */
export interface Enclosure {
  readonly kind: "string" | "comment";
  /** The opening mark as it stands in the text. */
  readonly delimiter: string;
  /** The closing mark; `"\n"` for line comments, which do not consume it. */
  readonly close: string;
  readonly escape: "backslash" | "doubled" | "none";
  readonly multiline: boolean;
  readonly holes: readonly string[];
  readonly nests: boolean;
}

/** What a character is by itself. The order matters: up to `blank` it needs no further look. */
export const CharClass = { other: 0, blank: 1, lineEnd: 2, open: 3, close: 4, mark: 5 } as const;

/** One language, ready for scanning. */
export interface LexicalRules {
  readonly language: Language;
  /** `CharClass` of each ASCII code. */
  readonly classes: Uint8Array;
  /** Class of a character that could start a mark but does not. */
  readonly plainClasses: Uint8Array;
  /** Enclosures by the code of their first character, longest mark first. */
  readonly marks: ReadonlyMap<number, readonly Enclosure[]>;
  readonly hasRegex: boolean;
  readonly hasQuotedCharacters: boolean;
  readonly rawStyle: "rust" | "swift" | "cpp" | "verbatim" | null;
}

const cache = new Map<string, LexicalRules>();

/** Compiled rules of a language id; those of `plaintext` when it is unknown. */
export function lexicalRulesOf(languageId: string): LexicalRules {
  const language = languageOf(languageId);
  let rules = cache.get(language.id);
  if (rules === undefined) {
    rules = compile(language);
    cache.set(language.id, rules);
  }
  return rules;
}

/** The enclosure that an opening mark starts, marks of irregular literals included. */
export function enclosureOf(rules: LexicalRules, delimiter: string): Enclosure | null {
  const regular = rules.marks
    .get(delimiter.charCodeAt(0))
    ?.find((enclosure) => enclosure.delimiter === delimiter);
  if (regular !== undefined) return regular;
  if (delimiter === "/") return regexEnclosure;
  if (delimiter.startsWith('R"')) return rawEnclosure(delimiter, `)${delimiter.slice(2, -1)}"`);
  if (delimiter === '@"') return verbatimEnclosure;
  if (delimiter.endsWith('"')) {
    return rawEnclosure(delimiter, `"${delimiter.replace(/[^#]/g, "")}`);
  }
  return null;
}

/** A regular-expression literal; it ends with its line. */
export const regexEnclosure: Enclosure = {
  kind: "string",
  delimiter: "/",
  close: "/",
  escape: "backslash",
  multiline: false,
  holes: [],
  nests: false,
};

/** C#'s `@"…"`. */
export const verbatimEnclosure: Enclosure = {
  ...regexEnclosure,
  delimiter: '@"',
  close: '"',
  escape: "doubled",
  multiline: true,
};

/** A literal without escapes, such as `r#"…"#`. */
export function rawEnclosure(delimiter: string, close: string): Enclosure {
  return { ...regexEnclosure, delimiter, close, escape: "none", multiline: true };
}

function compile(language: Language): LexicalRules {
  const plainClasses = new Uint8Array(128);
  plainClasses[32] = plainClasses[9] = plainClasses[13] = plainClasses[12] = CharClass.blank;
  plainClasses[10] = CharClass.lineEnd;
  for (const open of "([{") plainClasses[open.charCodeAt(0)] = CharClass.open;
  for (const close of ")]}") plainClasses[close.charCodeAt(0)] = CharClass.close;

  const enclosures: Enclosure[] = [];
  for (const rule of language.strings) {
    enclosures.push({ kind: "string", delimiter: rule.open, nests: false, ...withoutOpen(rule) });
  }
  for (const [open, close] of language.blockComments) {
    enclosures.push(comment(open, close, language.nestedComments));
  }
  for (const mark of language.lineComments) enclosures.push(comment(mark, "\n", false));
  enclosures.sort((a, b) => b.delimiter.length - a.delimiter.length);

  const marks = new Map<number, Enclosure[]>();
  const classes = plainClasses.slice();
  for (const enclosure of enclosures) {
    const code = enclosure.delimiter.charCodeAt(0);
    marks.set(code, [...(marks.get(code) ?? []), enclosure]);
    classes[code] = CharClass.mark;
  }
  const irregular = new Set(language.irregular);
  if (irregular.has("regex")) classes[47] = CharClass.mark;
  if (irregular.has("quoted-character")) classes[39] = CharClass.mark;
  const rawStyle = irregular.has("rust-raw")
    ? "rust"
    : irregular.has("swift-raw")
      ? "swift"
      : irregular.has("cpp-raw")
        ? "cpp"
        : irregular.has("verbatim")
          ? "verbatim"
          : null;
  return {
    language,
    classes,
    plainClasses,
    marks,
    hasRegex: irregular.has("regex"),
    hasQuotedCharacters: irregular.has("quoted-character"),
    rawStyle,
  };
}

function withoutOpen(
  rule: Language["strings"][number],
): Omit<Enclosure, "kind" | "delimiter" | "nests"> {
  return {
    close: rule.close,
    escape: rule.escape,
    multiline: rule.multiline,
    holes: rule.holes,
  };
}

function comment(open: string, close: string, nests: boolean): Enclosure {
  return {
    kind: "comment",
    delimiter: open,
    close,
    escape: "none",
    multiline: close !== "\n",
    holes: [],
    nests,
  };
}
