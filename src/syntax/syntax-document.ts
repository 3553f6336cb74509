/**
 * The tree of one document, kept from version to version. An edit costs what it changes: the tree is
 * told of it, and the parser reuses what it can.
 * A parse that takes longer than its limit is given up and goes on at the next call, over the version
 * it began with, since versions are immutable. So a large file gets its tree however fast one types.
 */
import type { Parser, Tree } from "web-tree-sitter";
import type { TextBuffer } from "../base/text-buffer.ts";
import { type BufferChange, bufferChange } from "./buffer-change.ts";
import type { Grammar } from "./parser-library.ts";
import { editTree, parseBuffer } from "./tree-parse.ts";

/** Monotonic milliseconds. */
export type Now = () => number;

/** One document. Whoever makes one closes it: its tree lives outside of the collected memory. */
export class SyntaxDocument {
  readonly grammar: Grammar;
  /** Monotonic milliseconds. */
  readonly now: Now;
  #parser: Parser | null;
  #tree: Tree | null = null;
  /** The version that the tree shows, or to which it was last told to change. */
  #buffer: TextBuffer | null = null;
  /** True while the parse of `#buffer` is unfinished. */
  #isUnfinished = false;

  constructor(grammar: Grammar, now: Now) {
    this.grammar = grammar;
    this.now = now;
    this.#parser = grammar.newParser();
  }

  /**
   * Brings the tree to a version of the document; the tree, or `null` when the limit came first or
   * the document is closed. The tree is the document's: do not keep or delete it.
   */
  update(buffer: TextBuffer, limitMs: number): Tree | null {
    const end = this.now() + limitMs;
    if (this.#isUnfinished && !this.#parse(end)) return null;
    if (this.#buffer !== null && this.#tree !== null) {
      const change = bufferChange(this.#buffer, buffer);
      if (change === null) return this.#tree;
      editTree(this.#tree, change, { before: this.#buffer, after: buffer });
    }
    this.#buffer = buffer;
    return this.#parse(end) ? this.#tree : null;
  }

  /**
   * The tree of a version in which something else stands, such as a proposal; `null` as above. The
   * document's own tree stays. The caller deletes what it gets.
   */
  fork(buffer: TextBuffer, change: BufferChange, limitMs: number): Tree | null {
    const { grammar } = this;
    if (this.#tree === null || this.#buffer === null || this.#isUnfinished) return null;
    const end = this.now() + limitMs;
    const oldTree = this.#tree.copy();
    const parser = grammar.newParser();
    try {
      editTree(oldTree, change, { before: this.#buffer, after: buffer });
      return parseBuffer(parser, buffer, { oldTree, isOver: () => this.now() > end });
    } finally {
      oldTree.delete();
      parser.delete();
    }
  }

  /** Frees the tree. Closing twice is fine; afterwards there is no tree. */
  close(): void {
    this.#tree?.delete();
    this.#parser?.delete();
    this.#tree = null;
    this.#parser = null;
    this.#buffer = null;
    this.#isUnfinished = false;
  }

  #parse(end: number): boolean {
    if (this.#parser === null || this.#buffer === null) return false;
    const isOver = (): boolean => this.now() > end;
    const tree = parseBuffer(this.#parser, this.#buffer, { oldTree: this.#tree, isOver });
    this.#isUnfinished = tree === null;
    if (tree === null) return false;
    this.#tree?.delete();
    this.#tree = tree;
    return true;
  }
}
