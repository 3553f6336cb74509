/** A text that was answered, and the shapes in which clients take it. */
import {
  type Command,
  type CompletionItem,
  type InlineCompletionItem,
  InsertTextMode,
} from "vscode-languageserver/node";
import { commonPrefixLength } from "../base/text.ts";
import type { TextBuffer } from "../base/text-buffer.ts";
import type { CursorEdit } from "../core/index.ts";
import type { ClientProfile } from "./client-profile.ts";
import { positionOfOffset, type WirePosition, type WireRange } from "./position.ts";

/** Run by clients when a text was taken. */
export const acceptCommand = "midspan.didAcceptCompletion";

/** The name that existing plugins write into their own code. */
export const conventionalAcceptCommand = "github.copilot.didAcceptCompletionItem";

/** One text of an answer. */
export interface OfferedItem {
  /** Names it in later messages. */
  readonly id: string;
  /** Id of the engine's result. */
  readonly requestId: string;
  /** 0 for the completion, more for alternatives. */
  readonly index: number;
  readonly edit: CursorEdit;
  readonly uri: string;
  /** The text and the cursor for which it was made. */
  readonly buffer: TextBuffer;
  readonly offset: number;
  readonly version: number | null;
  /** It was made as if the chosen entry of a list had been taken: the engine knows no document of it. */
  readonly hasEntry: boolean;
}

/** What is inserted where. */
interface Insertion {
  readonly text: string;
  readonly range: WireRange;
  /** Units of `text` that stand in the document already, before the cursor. */
  readonly leadLength: number;
}

/** The item of `textDocument/inlineCompletion`. */
export function inlineItem(item: OfferedItem, profile: ClientProfile): InlineCompletionItem {
  const { text, range } = insertionOf(item, profile, inlineStart(profile));
  return { insertText: text, range, command: commandOf(item) };
}

/** The entry of a completion list: it replaces the word before the cursor, by which editors filter. */
export function listEntry(item: OfferedItem, profile: ClientProfile): CompletionItem {
  const { text, range } = insertionOf(item, profile, "word");
  const [first = "", ...more] = text.split(/\r?\n/);
  return {
    label: more.length === 0 ? first : `${first} …`,
    ...(more.length === 0 ? {} : { documentation: text }),
    detail: "Midspan",
    filterText: first,
    // Before what others offer where the editor sorts by this.
    sortText: " ",
    textEdit: { range, newText: text },
    // Lines are indented as they are to stand.
    insertTextMode: InsertTextMode.asIs,
    command: commandOf(item),
  };
}

function commandOf(item: OfferedItem): Command {
  return { title: "Completion Accepted", command: acceptCommand, arguments: [item.id] };
}

/** One completion of the legacy `getCompletions`. */
export interface LegacyCompletion {
  readonly uuid: string;
  /** The line up to the cursor and the completion. */
  readonly text: string;
  /** What comes after the cursor. */
  readonly displayText: string;
  readonly range: WireRange;
  readonly position: WirePosition;
  readonly docVersion: number;
}

export function legacyCompletion(item: OfferedItem, profile: ClientProfile): LegacyCompletion {
  const { text, range, leadLength } = insertionOf(item, profile, "line");
  return {
    uuid: item.id,
    text,
    displayText: text.slice(leadLength),
    range,
    position: positionOfOffset(item.buffer, item.offset, profile.encoding),
    docVersion: item.version ?? 0,
  };
}

/** Whether both leave the same line where the cursor is, whatever was typed between them. */
export function isSameText(one: OfferedItem, other: OfferedItem): boolean {
  const wholeOf = ({ buffer, offset, edit }: OfferedItem): string => {
    const { line } = buffer.positionAt(offset);
    const before = buffer.slice(buffer.lineStart(line), offset - edit.replaceBefore);
    return `${line} ${before}${edit.text}`;
  };
  return one.uri === other.uri && wholeOf(one) === wholeOf(other);
}

/** Units of the text after the cursor that a client means by `acceptedLength` from its start. */
export function acceptedUnits(
  item: OfferedItem,
  profile: ClientProfile,
  acceptedLength: number,
): number {
  return Math.max(0, acceptedLength - insertionOf(item, profile, inlineStart(profile)).leadLength);
}

/** Where an insertion begins: where the text differs, at the word before that, or with the line. */
type Start = "edit" | "word" | "line";

function inlineStart(profile: ClientProfile): Start {
  return profile.isWholeLine ? "line" : "edit";
}

/** A longer word is none. */
const MAX_WORD_UNITS = 200;

function insertionOf(item: OfferedItem, profile: ClientProfile, from: Start): Insertion {
  const { buffer, offset, edit } = item;
  const editStart = offset - edit.replaceBefore;
  const start = startOf(buffer, editStart, from);
  const text = buffer.slice(start, editStart) + withLineEnds(edit.text, buffer, profile);
  return {
    text,
    range: {
      start: positionOfOffset(buffer, start, profile.encoding),
      end: positionOfOffset(buffer, offset + edit.replaceAfter, profile.encoding),
    },
    leadLength: commonPrefixLength(buffer.slice(start, offset), text),
  };
}

function startOf(buffer: TextBuffer, editStart: number, from: Start): number {
  if (from === "edit") return editStart;
  const lineStart = buffer.lineStart(buffer.positionAt(editStart).line);
  if (from === "line") return lineStart;
  const before = buffer.slice(Math.max(lineStart, editStart - MAX_WORD_UNITS), editStart);
  return editStart - (/[\p{L}\p{N}_$]*$/u.exec(before)?.[0].length ?? 0);
}

/** A text of several lines with the line ends that the client's document has. */
function withLineEnds(text: string, buffer: TextBuffer, profile: ClientProfile): string {
  if (!text.includes("\n")) return text;
  const plain = text.replaceAll("\r\n", "\n");
  const isCrlf = profile.lineEnds === "document" && buffer.lineAt(0).endsWith("\r\n");
  return isCrlf ? plain.replaceAll("\n", "\r\n") : plain;
}
