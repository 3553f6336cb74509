/**
 * What is open at a cursor, by the tree. A tree is exact where it has no error, and a guess where it
 * has one, and on the line of a cursor there mostly is one. So the tree says what is open before the
 * first error, mostly at the start of that line, and the lexical rules go on from there.
 */
import type { Node, Tree } from "web-tree-sitter";
import type { TextBuffer } from "../base/text-buffer.ts";
import {
  type CursorRegion,
  indentWidthAt,
  languageOf,
  type OpenBracket,
  type Scope,
  structureOf,
} from "../core/index.ts";
import type { NodeRoles } from "./node-roles.ts";
import { Role } from "./node-roles.ts";
import { firstErrorIn } from "./tree-errors.ts";
import { goesBeyond, hasRole, pathAt, type TreePath } from "./tree-path.ts";

/** Children that are looked at for brackets; of a longer list, only the first few can hold one. */
const MAX_CHILDREN = 64;
const FIRST_CHILDREN = 8;

/** The document around the cursor. */
export interface CursorPlace {
  readonly buffer: TextBuffer;
  readonly offset: number;
  readonly languageId: string;
  readonly roles: NodeRoles;
}

/**
 * The scope at a cursor; offsets of brackets count from `windowStart`, and those before it are left
 * out. `null` where the tree says nothing that the lexical rules do not.
 */
export function scopeByTree(tree: Tree, place: CursorPlace, windowStart: number): Scope | null {
  const { buffer, offset, languageId } = place;
  const anchor = surePlace(tree, place, windowStart);
  if (anchor === null) return null;
  const scope = scopeOfPath(anchor.path, { ...place, offset: anchor.offset }, windowStart);
  if (anchor.offset === offset) return scope;
  // Literals whose marks the lexical rules do not know must not be gone on with.
  if (scope.region !== "code" && !isKnownMark(scope.delimiter, languageId)) return null;
  const lineStart = lineStartOf(buffer, anchor.offset);
  return structureOf(buffer.slice(anchor.offset, offset), {
    scope,
    languageId,
    head: buffer.slice(lineStart, anchor.offset),
    before: anchor.offset - windowStart,
  }).end;
}

/** The cursor, or the start of the line of the first error before it, with the nodes around it. */
function surePlace(
  tree: Tree,
  { buffer, offset }: CursorPlace,
  windowStart: number,
): { readonly offset: number; readonly path: TreePath } | null {
  const error = firstErrorIn(tree, windowStart, offset);
  const at = error === null ? offset : lineStartOf(buffer, error);
  const path = at < windowStart ? null : pathAt(tree, at);
  return path === null || path.some(isOpaque) ? null : { offset: at, path };
}

/** True for what the grammar does not look into, or does not understand. */
function isOpaque(node: Node): boolean {
  return node.isError || node.type === "preproc_arg" || node.type === "raw_text";
}

/** What the nodes around an offset leave open there. */
function scopeOfPath(path: TreePath, place: CursorPlace, windowStart: number): Scope {
  const { offset, roles } = place;
  const open: OpenBracket[] = [];
  let literal: Node | null = null;
  for (const node of path) {
    if (hasRole(node, Role.hole, roles)) literal = null;
    if (literal === null && isInside(node, place)) literal = node;
    if (!goesBeyond(node, offset)) continue;
    addBrackets(node, open, { place, path, windowStart });
    // A hole without a node of its own: `${` and what follows are children of the string.
    if (literal === node && open[open.length - 1]?.within != null && holdsCode(path, node)) {
      literal = null;
    }
  }
  const inWindow = open.filter((bracket) => bracket.offset >= 0);
  if (literal === null) return { region: "code", delimiter: null, openBrackets: inWindow };
  const region: CursorRegion = hasRole(literal, Role.comment, roles) ? "comment" : "string";
  return { region, delimiter: markOf(literal, region, place), openBrackets: inWindow };
}

/** True when the cursor is inside of a comment or string. */
function isInside(node: Node, { buffer, offset, languageId, roles }: CursorPlace): boolean {
  if (hasRole(node, Role.string, roles)) return goesBeyond(node, offset);
  if (!hasRole(node, Role.comment, roles) || node.startIndex >= offset) return false;
  if (offset < node.endIndex) return true;
  // A line comment goes on at its end, unless its line end belongs to it.
  const start = buffer.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + 8));
  const isLine = languageOf(languageId).lineComments.some((mark) => start.startsWith(mark));
  return isLine && buffer.slice(offset - 1, offset) !== "\n";
}

/** True when a child of the string, other than its own text, holds the place. */
function holdsCode(path: TreePath, string: Node): boolean {
  const child = path[path.indexOf(string) + 1];
  return child !== undefined && !/content|fragment|text|escape/.test(child.type);
}

function addBrackets(
  node: Node,
  open: OpenBracket[],
  at: { readonly place: CursorPlace; readonly path: TreePath; readonly windowStart: number },
): void {
  const { place, path, windowStart } = at;
  const own = open.length;
  const count = node.childCount;
  const looked = count <= MAX_CHILDREN ? count : FIRST_CHILDREN;
  for (let i = 0; i < looked; i++) {
    const child = node.child(i);
    if (child === null || child.endIndex > place.offset) break;
    const text = child.childCount === 0 ? bracketsOf(child) : "";
    for (const [i, bracket] of [...text].entries()) {
      if (!"([{".includes(bracket)) {
        if (open.length > own && open[open.length - 1]?.close === bracket) open.pop();
        continue;
      }
      const isHole = text.length > 1 && /^[$#\\]/.test(text);
      if (isHole && i < text.length - 1) continue;
      const position = child.startIndex + i;
      open.push(bracketAt(position, { place, windowStart, mark: isHole ? text : bracket, path }));
    }
  }
}

/** The text of a node that is nothing but brackets and their marks, else `""`. */
function bracketsOf(node: Node): string {
  const { type } = node;
  if (!node.isNamed) return /^[$#\\@]?[([{)\]}]{1,2}$/.test(type) ? type : "";
  return type.endsWith("brace") ? node.text : "";
}

function bracketAt(
  position: number,
  at: {
    readonly place: CursorPlace;
    readonly windowStart: number;
    readonly mark: string;
    readonly path: TreePath;
  },
): OpenBracket {
  const { place, windowStart, mark, path } = at;
  const { buffer, roles } = place;
  const bracket = mark.charAt(mark.length - 1);
  const { line } = buffer.positionAt(position);
  const text = buffer.lineAt(line);
  // On the cursor's line only what is left of the cursor counts.
  const known = text.slice(0, place.offset - buffer.lineStart(line));
  const rest = known.slice(position + 1 - buffer.lineStart(line)).trim();
  const string = enclosingString(path, position, roles);
  return {
    open: mark,
    close: bracket === "(" ? ")" : bracket === "[" ? "]" : "}",
    indentWidth: indentWidthAt(text),
    opensBlock: rest === "" || startsComment(rest, place.languageId),
    offset: position - windowStart,
    within: string === null ? null : markOf(string, "string", place),
  };
}

/** The string whose hole a bracket opens: the innermost one around it with nothing but it between. */
function enclosingString(path: TreePath, position: number, roles: NodeRoles): Node | null {
  for (let i = path.length - 1; i >= 0; i--) {
    const node = path[i] as Node;
    if (node.startIndex > position) continue;
    if (hasRole(node, Role.string, roles)) return node;
    const isHole = hasRole(node, Role.hole, roles);
    if (!isHole || position > node.startIndex + 1) return null;
  }
  return null;
}

function startsComment(rest: string, languageId: string): boolean {
  const { lineComments, blockComments } = languageOf(languageId);
  return [...lineComments, ...blockComments.map(([open]) => open)].some((mark) =>
    rest.startsWith(mark),
  );
}

/** The mark that opens a literal, as the lexical rules write it where they know it. */
function markOf(node: Node, region: CursorRegion, place: CursorPlace): string {
  const { buffer, languageId } = place;
  const language = languageOf(languageId);
  const start = buffer.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + 16));
  if (region === "comment") {
    const marks = [...language.blockComments.map(([open]) => open), ...language.lineComments];
    const known = marks
      .filter((mark) => start.startsWith(mark))
      .sort((a, b) => b.length - a.length);
    return known[0] ?? start.slice(0, 2);
  }
  const body = start.replace(/^[A-Za-z$@]*(?=["'`])/, "");
  const marks = language.strings.map((rule) => rule.open);
  const known = marks.filter((mark) => body.startsWith(mark)).sort((a, b) => b.length - a.length);
  // Here-documents begin below their mark.
  return known[0] ?? (start.trimStart() === start ? start.charAt(0) : "<<");
}

/** True for a mark that the lexical rules open a literal with. */
function isKnownMark(mark: string | null, languageId: string): boolean {
  const language = languageOf(languageId);
  return (
    mark === null ||
    language.strings.some((rule) => rule.open === mark) ||
    language.lineComments.includes(mark) ||
    language.blockComments.some(([open]) => open === mark)
  );
}

function lineStartOf(buffer: TextBuffer, offset: number): number {
  return buffer.lineStart(buffer.positionAt(offset).line);
}
