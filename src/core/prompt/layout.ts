/** The templates of a format, ready for filling; made once for each format. */
import { languageOf } from "../language.ts";
import type { Snippet } from "../types.ts";
import type { ClientFimFormat, FileForm, FimFormat, FimOrder } from "./format-row.ts";
import type { Neutralise } from "./sanitize.ts";
import { createNeutralise } from "./sanitize.ts";
import type { TemplatePart } from "./template.ts";
import { parseTemplate } from "./template.ts";
import type { TokenCounter } from "./tokens.ts";

/** A format in parts. */
export interface PromptLayout {
  readonly neutralise: Neutralise;
  /** Prefix, suffix and the sentinels between them. */
  readonly orders: ReadonlyMap<FimOrder, readonly TemplatePart[]>;
  readonly form: {
    readonly when: FileForm["when"];
    readonly place: FileForm["place"];
    readonly start: readonly TemplatePart[];
    readonly repository: readonly TemplatePart[];
    readonly file: readonly TemplatePart[];
    readonly current: readonly TemplatePart[];
    readonly inPrefix: readonly TemplatePart[];
  };
  /** Tokens of whole snippets, which are the same from one key press to the next. */
  readonly snippetTokens: WeakMap<TokenCounter, WeakMap<Snippet, number>>;
}

/** What families without a form of their own get: the file below a comment with its path. */
const commentForm: FileForm = {
  when: "snippets",
  start: "",
  repository: "",
  file: "{comment}{path}{/comment}\n{content}\n",
  current: "",
  inPrefix: "",
  place: "before",
};

const layouts = new WeakMap<FimFormat, PromptLayout>();

/** The layout of a format, from a cache. Formats that the server writes have no orders. */
export function layoutOf(format: FimFormat): PromptLayout {
  const known = layouts.get(format);
  if (known !== undefined) return known;
  const layout = format.fim === "client" ? clientLayout(format) : serverLayout();
  layouts.set(format, layout);
  return layout;
}

function clientLayout(format: ClientFimFormat): PromptLayout {
  const { prefix, suffix, middle } = format.sentinels;
  const sentinels = [prefix, suffix, ...(middle === null ? [] : [middle]), ...format.specials];
  const parse = (template: string): readonly TemplatePart[] => parseTemplate(template, sentinels);
  const form = format.files ?? commentForm;
  return {
    neutralise: createNeutralise(format.specials),
    orders: new Map(
      (["psm", "spm1", "spm2"] as const).flatMap((order) => {
        const template = format.templates[order];
        return template === undefined ? [] : [[order, parse(template)]];
      }),
    ),
    form: {
      when: form.when,
      place: form.place,
      start: parse(form.start),
      repository: parse(form.repository),
      file: parse(form.file === "" ? commentForm.file : form.file),
      current: parse(form.current),
      inPrefix: parse(form.inPrefix),
    },
    snippetTokens: new WeakMap(),
  };
}

function serverLayout(): PromptLayout {
  return {
    neutralise: createNeutralise([]),
    orders: new Map(),
    form: {
      when: "snippets",
      place: "prefix",
      start: [],
      repository: [],
      file: parseTemplate(commentForm.file, []),
      current: [],
      inPrefix: [],
    },
    snippetTokens: new WeakMap(),
  };
}

/** The marks around a comment of one line, blanks included. Languages without comments get `// `. */
export function commentMarks(languageId: string): readonly [open: string, close: string] {
  const { lineComments, blockComments } = languageOf(languageId);
  const line = lineComments[0];
  if (line !== undefined) return [`${line} `, ""];
  const block = blockComments[0];
  return block === undefined ? ["// ", ""] : [`${block[0]} `, ` ${block[1]}`];
}

const displayNames: Readonly<Record<string, string>> = {
  typescript: "TypeScript",
  typescriptreact: "TypeScript with JSX",
  javascript: "JavaScript",
  javascriptreact: "JavaScript with JSX",
  cpp: "C++",
  csharp: "C#",
  php: "PHP",
  shellscript: "Shell",
  css: "CSS",
  scss: "SCSS",
  html: "HTML",
  xml: "XML",
  json: "JSON",
  jsonc: "JSON",
  yaml: "YAML",
  toml: "TOML",
  sql: "SQL",
  graphql: "GraphQL",
  latex: "LaTeX",
  plaintext: "Text",
};

/** A language as people write it: `Python`, `C++`. */
export function languageName(languageId: string): string {
  const { id } = languageOf(languageId);
  return displayNames[id] ?? id.slice(0, 1).toUpperCase() + id.slice(1);
}
