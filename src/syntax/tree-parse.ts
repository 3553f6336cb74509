/** One parse of a document's text, within a time limit. */
import type { Parser, Tree } from "web-tree-sitter";
import type { TextBlock, TextBuffer } from "../base/text-buffer.ts";
import type { BufferChange } from "./buffer-change.ts";

/** What a parse may use. */
export interface ParseOptions {
  /** The tree of an older version, told of all changes; `null` to start from nothing. */
  readonly oldTree: Tree | null;
  /** True when the parse must be given up. */
  readonly isOver: () => boolean;
}

/**
 * Parses a text without joining its blocks. `null` when it was given up: the parser then remembers
 * where it was, and the same call goes on from there, unless it is reset.
 */
export function parseBuffer(
  parser: Parser,
  buffer: TextBuffer,
  options: ParseOptions,
): Tree | null {
  let index = 0;
  const read = (offset: number): string | undefined => {
    if (offset >= buffer.length) return undefined;
    const start = buffer.blockOffset(index);
    if (offset < start || offset >= buffer.blockOffset(index + 1)) {
      index = buffer.blockIndexAt(offset);
    }
    return (buffer.blocks[index] as TextBlock).text.slice(offset - buffer.blockOffset(index));
  };
  return parser.parse(read, options.oldTree, { progressCallback: options.isOver });
}

/** Tells a tree of a change between two versions of its document. */
export function editTree(
  tree: Tree,
  change: BufferChange,
  versions: { readonly before: TextBuffer; readonly after: TextBuffer },
): void {
  const editable: { edit(change: TreeChange): void } = tree;
  editable.edit({
    startIndex: change.start,
    oldEndIndex: change.oldEnd,
    newEndIndex: change.newEnd,
    startPosition: pointAt(versions.before, change.start),
    oldEndPosition: pointAt(versions.before, change.oldEnd),
    newEndPosition: pointAt(versions.after, change.newEnd),
  });
}

interface Point {
  readonly row: number;
  readonly column: number;
}

/** The fields of an edit that both releases of the library read. */
interface TreeChange {
  readonly startIndex: number;
  readonly oldEndIndex: number;
  readonly newEndIndex: number;
  readonly startPosition: Point;
  readonly oldEndPosition: Point;
  readonly newEndPosition: Point;
}

function pointAt(buffer: TextBuffer, offset: number): Point {
  const { line, column } = buffer.positionAt(offset);
  return { row: line, column };
}
