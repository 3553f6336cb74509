/**
 * One row per language id: what differs from the defaults in `language.ts`.
 * Ids are those of editors (VS Code's language ids, which LSP uses too).
 * Known limits, on purpose: no here-documents, no `%q{}` literals, no nested f-string quotes.
 */
/** A kind of string literal. */
export interface StringRule {
  readonly open: string;
  readonly close: string;
  /** How the closing mark is written inside: `\"`, `""`, or not at all. */
  readonly escape: "backslash" | "doubled" | "none";
  /** False: a missing closing mark ends the literal at the line end. */
  readonly multiline: boolean;
  /** Marks that open code inside the literal, such as `${`; the last character is the bracket. */
  readonly holes: readonly string[];
}

/** Literals whose marks cannot be written as fixed strings. */
export type IrregularLiteral =
  | "regex" // `/…/` where an operand is expected
  | "quoted-character" // 'x', but 'a alone is a lifetime
  | "rust-raw" // r#"…"#
  | "swift-raw" // #"…"#
  | "cpp-raw" // R"x(…)x"
  | "verbatim"; // @"…" with doubled quotes

/** How a block ends. */
export type BlockStyle = "brackets" | "indentation" | "keywords" | "none";

/** One language. */
export interface Language {
  readonly id: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Whole file names, lower case. */
  readonly fileNames: readonly string[];
  readonly lineComments: readonly string[];
  /** True: a line comment's mark counts only at the line start or after a blank. */
  readonly commentNeedsBlank: boolean;
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  readonly nestedComments: boolean;
  readonly strings: readonly StringRule[];
  readonly irregular: readonly IrregularLiteral[];
  /** Words that may stand right before an opening quote, such as `rb` in Python; lower case. */
  readonly stringPrefixes: readonly string[];
  readonly blocks: BlockStyle;
  /** Words that begin the line which closes a block (`end`, `fi`); empty with brackets. */
  readonly blockEnds: readonly string[];
  /** Words that begin a line which goes on with the statement of the block above (`else`). */
  readonly continuations: readonly string[];
  /** `//` after a colon is the middle of a URL, not a comment. */
  readonly hasBareUrls: boolean;
  /** Closing brackets that need no partner, such as `)` in a shell's `case`. */
  readonly loneClosers: string;
  /** `prose`: brackets and quotes are punctuation. Unknown languages count as it. */
  readonly nature: "code" | "markup" | "data" | "prose";
  /** A line of back-ticks is part of the text, not a wrapper of a chat model. */
  readonly fencesAreContent: boolean;
  /** Indentation unit where a file shows none. */
  readonly indentUnit: string;
}

/** A row; the defaults fill in the rest. */
export type LanguageRow = Partial<Omit<Language, "id">>;

const quoted = (mark: string, holes: readonly string[] = []): StringRule => ({
  open: mark,
  close: mark,
  escape: "backslash",
  multiline: mark.length > 1,
  holes,
});
const doubled = (mark: string, multiline = false): StringRule => ({
  open: mark,
  close: mark,
  escape: "doubled",
  multiline,
  holes: [],
});
const raw = (open: string, close: string): StringRule => ({
  open,
  close,
  escape: "none",
  multiline: true,
  holes: [],
});
const several = (rule: StringRule): StringRule => ({ ...rule, multiline: true });

const double = quoted('"');
const single = quoted("'");
const template = several(quoted("`", ["${"]));

const cComments: LanguageRow = { lineComments: ["//"], blockComments: [["/*", "*/"]] };
const hash: LanguageRow = { lineComments: ["#"] };
const braces: LanguageRow = { blocks: "brackets", continuations: ["else", "catch", "finally"] };
const markup: LanguageRow = {
  blockComments: [["<!--", "-->"]],
  strings: [double],
  nature: "markup",
  indentUnit: "  ",
};

const script: LanguageRow = {
  ...cComments,
  ...braces,
  strings: [double, single, template],
  irregular: ["regex"],
  indentUnit: "  ",
};
const cLike: LanguageRow = {
  ...cComments,
  ...braces,
  strings: [double, single],
  stringPrefixes: ["l", "u", "u8"],
};
const style: LanguageRow = {
  ...braces,
  blockComments: [["/*", "*/"]],
  strings: [double, single],
  indentUnit: "  ",
};
const component: LanguageRow = {
  ...markup,
  lineComments: ["//"],
  blockComments: [
    ["<!--", "-->"],
    ["/*", "*/"],
  ],
  strings: [double, single, template],
  hasBareUrls: true,
};

/** Every row, by language id. */
export const languageRows: Readonly<Record<string, LanguageRow>> = {
  plaintext: { extensions: ["txt", "text", "log"], nature: "prose" },
  typescript: { ...script, extensions: ["ts", "mts", "cts"] },
  typescriptreact: { ...script, extensions: ["tsx"] },
  javascript: { ...script, extensions: ["js", "mjs", "cjs"] },
  javascriptreact: { ...script, extensions: ["jsx"] },
  python: {
    ...hash,
    extensions: ["py", "pyi", "pyw"],
    strings: [several(quoted('"""')), several(quoted("'''")), double, single],
    stringPrefixes: ["r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr", "rt"],
    blocks: "indentation",
    continuations: ["elif", "else", "except", "finally", "case"],
  },
  go: {
    ...cComments,
    ...braces,
    extensions: ["go"],
    strings: [double, single, raw("`", "`")],
    indentUnit: "\t",
  },
  rust: {
    ...cComments,
    ...braces,
    extensions: ["rs"],
    nestedComments: true,
    strings: [several(double)],
    irregular: ["quoted-character", "rust-raw"],
  },
  java: {
    ...cComments,
    ...braces,
    extensions: ["java"],
    strings: [several(quoted('"""')), double, single],
  },
  kotlin: {
    ...cComments,
    ...braces,
    extensions: ["kt", "kts"],
    nestedComments: true,
    strings: [{ ...raw('"""', '"""'), holes: ["${"] }, quoted('"', ["${"]), single],
  },
  scala: {
    ...cComments,
    ...braces,
    extensions: ["scala", "sc"],
    nestedComments: true,
    strings: [raw('"""', '"""'), double],
    irregular: ["quoted-character"],
    indentUnit: "  ",
  },
  swift: {
    ...cComments,
    ...braces,
    extensions: ["swift"],
    nestedComments: true,
    strings: [several(quoted('"""', ["\\("])), quoted('"', ["\\("])],
    irregular: ["swift-raw"],
  },
  dart: {
    ...cComments,
    ...braces,
    extensions: ["dart"],
    strings: [
      several(quoted('"""', ["${"])),
      several(quoted("'''", ["${"])),
      quoted('"', ["${"]),
      quoted("'", ["${"]),
    ],
    stringPrefixes: ["r"],
    indentUnit: "  ",
  },
  c: { ...cLike, extensions: ["c", "h"] },
  cpp: {
    ...cLike,
    extensions: ["cpp", "cc", "cxx", "hpp", "hh", "hxx", "ipp", "cu"],
    irregular: ["cpp-raw"],
  },
  csharp: {
    ...cLike,
    extensions: ["cs", "csx"],
    strings: [raw('"""', '"""'), double, single],
    irregular: ["verbatim"],
  },
  php: {
    ...braces,
    extensions: ["php", "phtml"],
    lineComments: ["//", "#"],
    blockComments: [["/*", "*/"]],
    strings: [several(double), several(single)],
  },
  ruby: {
    ...hash,
    extensions: ["rb", "rake", "gemspec"],
    fileNames: ["gemfile", "rakefile"],
    blockComments: [["=begin", "=end"]],
    strings: [several(quoted('"', ["#{"])), several(single), several(quoted("`", ["#{"]))],
    irregular: ["regex"],
    blocks: "keywords",
    blockEnds: ["end"],
    continuations: ["else", "elsif", "when", "in", "rescue", "ensure"],
    indentUnit: "  ",
  },
  lua: {
    extensions: ["lua"],
    lineComments: ["--"],
    blockComments: [
      ["--[[", "]]"],
      ["--[=[", "]=]"],
    ],
    strings: [double, single, raw("[[", "]]"), raw("[=[", "]=]")],
    blocks: "keywords",
    blockEnds: ["end", "until"],
    continuations: ["else", "elseif"],
  },
  shellscript: {
    ...hash,
    extensions: ["sh", "bash", "zsh", "ksh"],
    fileNames: [".bashrc", ".zshrc", ".profile", ".bash_profile"],
    commentNeedsBlank: true,
    strings: [several(quoted('"', ["$(", "${"])), raw("'", "'")],
    blocks: "keywords",
    blockEnds: ["fi", "done", "esac", "}"],
    continuations: ["else", "elif"],
    loneClosers: ")",
    indentUnit: "  ",
  },
  powershell: {
    ...hash,
    ...braces,
    extensions: ["ps1", "psm1"],
    blockComments: [["<#", "#>"]],
    strings: [doubled('"', true), doubled("'", true)],
  },
  elixir: {
    ...hash,
    extensions: ["ex", "exs"],
    strings: [several(quoted('"""', ["#{"])), several(quoted('"', ["#{"])), single],
    blocks: "keywords",
    blockEnds: ["end"],
    continuations: ["else", "rescue", "catch", "after"],
    indentUnit: "  ",
  },
  css: { ...style, extensions: ["css"] },
  scss: { ...style, extensions: ["scss"], lineComments: ["//"], hasBareUrls: true },
  less: { ...style, extensions: ["less"], lineComments: ["//"], hasBareUrls: true },
  html: { ...markup, extensions: ["html", "htm", "xhtml"] },
  xml: { ...markup, extensions: ["xml", "svg", "xsd", "xsl", "plist"] },
  vue: { ...component, extensions: ["vue"] },
  svelte: { ...component, extensions: ["svelte"] },
  astro: { ...component, extensions: ["astro"] },
  json: {
    extensions: ["json", "webmanifest"],
    fileNames: [".prettierrc", ".eslintrc"],
    strings: [double],
    blocks: "brackets",
    nature: "data",
    indentUnit: "  ",
  },
  jsonc: {
    ...cComments,
    extensions: ["jsonc", "json5", "code-workspace"],
    fileNames: ["tsconfig.json", "jsconfig.json"],
    strings: [double],
    blocks: "brackets",
    nature: "data",
    indentUnit: "  ",
  },
  yaml: {
    ...hash,
    extensions: ["yaml", "yml"],
    commentNeedsBlank: true,
    strings: [double, doubled("'")],
    blocks: "indentation",
    nature: "data",
    indentUnit: "  ",
  },
  toml: {
    ...hash,
    extensions: ["toml"],
    strings: [several(quoted('"""')), raw("'''", "'''"), double, { ...single, escape: "none" }],
    nature: "data",
  },
  ini: { extensions: ["ini", "cfg", "properties"], lineComments: ["#", ";"], nature: "data" },
  graphql: {
    ...hash,
    extensions: ["graphql", "gql"],
    strings: [several(quoted('"""')), double],
    blocks: "brackets",
    indentUnit: "  ",
  },
  proto: { ...cComments, ...braces, extensions: ["proto"], strings: [double, single] },
  markdown: {
    extensions: ["md", "markdown", "mdx"],
    blockComments: [["<!--", "-->"]],
    nature: "prose",
    fencesAreContent: true,
    indentUnit: "  ",
  },
  restructuredtext: { extensions: ["rst"], nature: "prose", fencesAreContent: true },
  latex: { extensions: ["tex"], lineComments: ["%"], nature: "prose" },
  sql: {
    extensions: ["sql"],
    lineComments: ["--"],
    blockComments: [["/*", "*/"]],
    strings: [doubled("'", true), doubled('"'), doubled("`")],
  },
  r: {
    ...hash,
    ...braces,
    extensions: ["r"],
    strings: [several(double), several(single)],
    indentUnit: "  ",
  },
  dockerfile: {
    ...hash,
    extensions: ["dockerfile"],
    fileNames: ["dockerfile", "containerfile"],
    commentNeedsBlank: true,
    strings: [double, single],
  },
  makefile: {
    ...hash,
    extensions: ["mk", "mak"],
    fileNames: ["makefile", "gnumakefile"],
    commentNeedsBlank: true,
    indentUnit: "\t",
  },
};
