/** One document as its client knows it: text, version, and whether both sides still agree on it. */
import { minimalEdit } from "../base/diff-edit.ts";
import { TextBuffer } from "../base/text-buffer.ts";
import type { DocumentEdit } from "../engine/index.ts";
import { offsetOfPosition, type PositionEncoding, type WireRange } from "./position.ts";

/** One change of `textDocument/didChange`; without a range the text replaces the whole. */
export interface ContentChange {
  readonly range: WireRange | null;
  readonly text: string;
}

/** What `textDocument/didOpen` says. */
export interface OpenedText {
  readonly uri: string;
  readonly languageId: string;
  /** `null` where the client does not count versions. */
  readonly version: number | null;
  readonly text: string;
}

export class TextDocument {
  readonly uri: string;
  readonly languageId: string;
  #version: number | null;
  #buffer: TextBuffer;
  #revision = 0;
  #isOutOfStep = false;

  constructor(opened: OpenedText) {
    this.uri = opened.uri;
    this.languageId = opened.languageId;
    this.#version = opened.version;
    this.#buffer = TextBuffer.from(opened.text);
  }

  get buffer(): TextBuffer {
    return this.#buffer;
  }

  /** The client's counter; `null` where it has none. */
  get version(): number | null {
    return this.#version;
  }

  /** Our own counter: one more with every change that was applied. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * True after a change that could not be applied: the client's text is then unknown. Nothing is
   * suggested until it sends the whole text again.
   */
  get isOutOfStep(): boolean {
    return this.#isOutOfStep;
  }

  /**
   * Applies changes in their order and returns them in offsets, each of the text before it; `null`
   * when the version is not newer or a range ends before it starts: the document is then out of step.
   * A change of the whole text becomes the one edit that makes it, and brings the document in step.
   */
  change(
    version: number | null,
    changes: readonly ContentChange[],
    encoding: PositionEncoding,
  ): readonly DocumentEdit[] | null {
    const isOlder = version !== null && this.#version !== null && version <= this.#version;
    // The last whole text makes all before it meaningless.
    const lastWhole = changes.findLastIndex(({ range }) => range === null);
    const applied = changes.slice(Math.max(0, lastWhole));
    const isImpossible = applied.some(({ range }) => range !== null && isBackwards(range));
    if (isOlder || isImpossible || (this.#isOutOfStep && lastWhole < 0)) return this.#lose();
    const edits: DocumentEdit[] = [];
    this.#buffer = this.#buffer.editEach(applied, (text, change) => {
      const edit = editOf(text, change, encoding);
      if (edit !== null) edits.push(edit);
      return edit;
    });
    this.#version = version ?? this.#version;
    this.#revision++;
    this.#isOutOfStep = false;
    return edits;
  }

  #lose(): null {
    this.#isOutOfStep = true;
    return null;
  }
}

function editOf(
  buffer: TextBuffer,
  change: ContentChange,
  encoding: PositionEncoding,
): DocumentEdit | null {
  const { range, text } = change;
  if (range === null) return minimalEdit(buffer, text, "");
  const start = offsetOfPosition(buffer, range.start, encoding);
  const end = offsetOfPosition(buffer, range.end, encoding);
  return { start, end, text };
}

function isBackwards({ start, end }: WireRange): boolean {
  return end.line < start.line || (end.line === start.line && end.character < start.character);
}
