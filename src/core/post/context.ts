/** What the filters know of the place, computed once per text and only when somebody asks. */
import { withoutLineEnd } from "../../base/text.ts";
import { isSubsequence } from "../cursor-edit.ts";
import { languageOf } from "../language.ts";
import type { Language } from "../language-table.ts";
import type { Scope, ScopeProbe, SyntaxJudge } from "../ports.ts";
import { indentWidthAt } from "../scope/indentation.ts";
import type { TextStructure } from "../scope/text-structure.ts";
import { structureOf } from "../scope/text-structure.ts";
import type { IndentUnit } from "./indent-unit.ts";
import { indentUnitOf } from "./indent-unit.ts";
import { blankLinesAtStart } from "./lines.ts";

/** As far below the cursor as a text is compared with the document. */
const MAX_LINES_BELOW = 60;

/** Input of the context; see `PostInput`. */
export interface PlaceAndText {
  readonly prefix: string;
  readonly suffix: string;
  readonly languageId: string;
  readonly multiline: boolean;
  readonly stops: readonly string[];
  readonly scopes: ScopeProbe;
  readonly syntax?: SyntaxJudge;
}

export class PostContext {
  readonly prefix: string;
  readonly suffix: string;
  readonly languageId: string;
  readonly language: Language;
  readonly multiline: boolean;
  readonly stops: readonly string[];
  /** The cursor's line left of the cursor. */
  readonly head: string;
  /** The cursor's line right of the cursor, without its line end. */
  readonly tail: string;
  /** Line end of the document near the cursor. */
  readonly lineEnd: "\n" | "\r\n";
  /** A parser's judgement; `undefined` where there is none. */
  readonly syntax: SyntaxJudge | undefined;
  readonly #scopes: ScopeProbe;
  #scope: Scope | undefined;
  #structure: { readonly text: string; readonly value: TextStructure } | undefined;
  #linesBelow: readonly string[] | undefined;
  #indentUnit: IndentUnit | undefined;

  constructor(input: PlaceAndText) {
    this.prefix = input.prefix;
    this.suffix = input.suffix;
    this.languageId = input.languageId;
    this.language = languageOf(input.languageId);
    this.multiline = input.multiline;
    this.stops = input.stops;
    this.syntax = input.syntax;
    this.#scopes = input.scopes;
    this.head = input.prefix.slice(input.prefix.lastIndexOf("\n") + 1);
    const tailEnd = input.suffix.indexOf("\n");
    this.tail = withoutLineEnd(tailEnd < 0 ? input.suffix : input.suffix.slice(0, tailEnd + 1));
    this.lineEnd = lineEndNear(input.prefix, input.suffix);
  }

  /** Structure at the cursor. */
  get scope(): Scope {
    this.#scope ??= this.#scopes.at(this.prefix, this.languageId);
    return this.#scope;
  }

  /** True when nothing but blanks stands left of the cursor on its line. */
  get headIsBlank(): boolean {
    return this.head.trim() === "";
  }

  /** Offset in the prefix at which the cursor's line starts. */
  get lineStart(): number {
    return this.prefix.length - this.head.length;
  }

  /** True when the first line of the window is indented: what opened it is not in the window. */
  get startsInsideBlock(): boolean {
    return indentWidthAt(this.prefix, blankLinesAtStart(this.prefix)) > 0;
  }

  /** Indentation of the cursor's line; where it is blank so far, the cursor's column. */
  get headIndentWidth(): number {
    return indentWidthAt(this.head);
  }

  /** The nearest line above that is not blank, as it stands; `""` without one. */
  get lineAbove(): string {
    for (let end = this.lineStart - 1; end >= 0; ) {
      const start = end === 0 ? 0 : this.prefix.lastIndexOf("\n", end - 1) + 1;
      const line = this.prefix.slice(start, end);
      if (line.trim() !== "") return line;
      end = start - 1;
    }
    return "";
  }

  /** Lines below the cursor's line that are not blank, nearest first, with their indentation. */
  get linesBelow(): readonly string[] {
    this.#linesBelow ??= nonBlankLines(this.suffix, MAX_LINES_BELOW);
    return this.#linesBelow;
  }

  /** How the file indents. */
  get indentUnit(): IndentUnit {
    this.#indentUnit ??= indentUnitOf(this.prefix, this.suffix, this.language.indentUnit);
    return this.#indentUnit;
  }

  /** Structure of a text at the cursor; the last one is kept. */
  structureOf(text: string): TextStructure {
    if (this.#structure?.text !== text) {
      const value = structureOf(text, {
        scope: this.#scopeBefore(text),
        languageId: this.languageId,
        head: this.head,
        before: this.prefix.length,
      });
      this.#structure = { text, value };
    }
    return this.#structure.value;
  }

  /** The scope, but inside a comment whose mark the head begins and the text ends. */
  #scopeBefore(text: string): Scope {
    const { head, scope } = this;
    const mark = this.language.lineComments.find(
      (own) => own.length === 2 && head.endsWith(own.charAt(0)) && text.startsWith(own.charAt(1)),
    );
    return mark === undefined || scope.region !== "code"
      ? scope
      : { ...scope, region: "comment", delimiter: mark };
  }

  /** True when a text holds again, in order, the `length` units right of the cursor. */
  isHeldBy(text: string, length: number): boolean {
    return isSubsequence(this.suffix.slice(0, length), text);
  }

  /** True when the text around the cursor holds `part`. */
  documentHolds(part: string): boolean {
    return this.prefix.includes(part) || this.suffix.includes(part);
  }
}

function lineEndNear(prefix: string, suffix: string): "\n" | "\r\n" {
  const above = prefix.lastIndexOf("\n");
  if (above >= 0) return prefix[above - 1] === "\r" ? "\r\n" : "\n";
  const below = suffix.indexOf("\n");
  return below > 0 && suffix[below - 1] === "\r" ? "\r\n" : "\n";
}

function nonBlankLines(suffix: string, limit: number): string[] {
  const lines: string[] = [];
  let at = suffix.indexOf("\n");
  while (at >= 0 && lines.length < limit) {
    const next = suffix.indexOf("\n", at + 1);
    const line = suffix.slice(at + 1, next < 0 ? suffix.length : next);
    if (line.trim() !== "") lines.push(line);
    at = next;
  }
  return lines;
}
