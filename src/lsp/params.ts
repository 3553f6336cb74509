/** Checked decoding of what clients send. Unknown fields are ignored; `DecodeError` names the field. */
import { fileURLToPath } from "node:url";
import type { TriggerKind } from "../core/index.ts";
import {
  arrayItems,
  DecodeError,
  type Fields,
  isAbsent,
  objectFields,
  optionalBoolean,
  optionalInteger,
  optionalString,
  requiredString,
} from "../protocol/decode.ts";
import type { WirePosition, WireRange } from "./position.ts";
import type { ContentChange, OpenedText } from "./text-document.ts";

/** Longer texts than editors open. */
const MAX_TEXT_UNITS = 256 * 1024 * 1024;
const MAX_URI_UNITS = 16_384;
const MAX_WORD_UNITS = 1024;
const MAX_ITEMS = 1_000_000;
/** The protocol's `uinteger` and `integer`. */
const unsigned = { min: 0, max: 2 ** 31 - 1 };
const signed = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** What `textDocument/inlineCompletion` and the legacy methods ask. */
export interface InlineQuestion {
  readonly uri: string;
  /** `null` where the client does not say which version it means. */
  readonly version: number | null;
  readonly position: WirePosition;
  readonly trigger: TriggerKind;
  /** Grey text at the cursor, or an entry of a list. */
  readonly shownAs: "inline" | "list";
  /** The entry that the suggestion list has selected; `null` when none is open. */
  readonly selected: { readonly range: WireRange; readonly text: string } | null;
}

/** Whether an object was sent at all; notifications may come without parameters. */
export function fieldsOf(params: unknown): Fields {
  return isAbsent(params) ? {} : objectFields(params, "params");
}

export function uriOf(value: unknown, field: string): string {
  const uri = requiredString(objectFields(value, field).uri, `${field}.uri`, MAX_URI_UNITS);
  if (uri === "") throw new DecodeError(`${field}.uri`, "is empty");
  return uri;
}

/** `{ textDocument: { uri } }`. */
export function decodeUri(params: unknown): string {
  return uriOf(fieldsOf(params).textDocument, "textDocument");
}

export function decodeOpened(value: unknown, field: string): OpenedText {
  const fields = objectFields(value, field);
  return {
    uri: uriOf(value, field),
    languageId: optionalString(fields.languageId, `${field}.languageId`, MAX_WORD_UNITS) ?? "",
    version: optionalInteger(fields.version, `${field}.version`, signed) ?? null,
    text: requiredString(fields.text, `${field}.text`, MAX_TEXT_UNITS),
  };
}

export function decodeChange(params: unknown): {
  readonly uri: string;
  readonly version: number | null;
  readonly changes: readonly ContentChange[];
} {
  const fields = fieldsOf(params);
  const document = objectFields(fields.textDocument, "textDocument");
  return {
    uri: uriOf(document, "textDocument"),
    version: optionalInteger(document.version, "textDocument.version", signed) ?? null,
    changes: decodeChanges(fields.contentChanges, "contentChanges"),
  };
}

export function decodeChanges(value: unknown, field: string): readonly ContentChange[] {
  return arrayItems(value, field, MAX_ITEMS).map((item, i) => {
    const place = `${field}[${i}]`;
    const change = objectFields(item, place);
    return {
      range: isAbsent(change.range) ? null : decodeRange(change.range, `${place}.range`),
      text: requiredString(change.text, `${place}.text`, MAX_TEXT_UNITS),
    };
  });
}

/** A client that leaves `context` out means the automatic trigger. */
export function decodeInline(params: unknown): InlineQuestion {
  const fields = fieldsOf(params);
  const document = objectFields(fields.textDocument, "textDocument");
  const context = isAbsent(fields.context) ? {} : objectFields(fields.context, "context");
  return {
    uri: uriOf(document, "textDocument"),
    version: optionalInteger(document.version, "textDocument.version", signed) ?? null,
    position: decodePosition(fields.position, "position"),
    trigger: context.triggerKind === 1 ? "invoked" : "automatic",
    shownAs: "inline",
    selected: decodeSelected(context.selectedCompletionInfo),
  };
}

export function decodePosition(value: unknown, field: string): WirePosition {
  const fields = objectFields(value, field);
  return {
    line: requiredUnsigned(fields.line, `${field}.line`),
    character: requiredUnsigned(fields.character, `${field}.character`),
  };
}

/** `textDocument/completion`, whose context never says that a person asked for this by a command. */
export function decodeListed(params: unknown): InlineQuestion {
  return { ...decodeInline({ ...fieldsOf(params), context: null }), shownAs: "list" };
}

/** Ids in `arguments` of a command or of an item's command; `[]` when there is none. */
export function decodeIds(value: unknown, field: string): readonly string[] {
  if (isAbsent(value)) return [];
  return arrayItems(value, field, MAX_ITEMS).map((id, i) =>
    requiredString(id, `${field}[${i}]`, MAX_WORD_UNITS),
  );
}

/** `item.command.arguments[0]` of a whole item, or of one that has its command only. */
export function decodeItemId(params: unknown): string {
  const item = objectFields(fieldsOf(params).item, "item");
  const command = objectFields(item.command, "item.command");
  const [id] = decodeIds(command.arguments, "item.command.arguments");
  if (id === undefined) throw new DecodeError("item.command.arguments", "is empty");
  return id;
}

/** A number of UTF-16 units from 1 on; `undefined` when absent. */
export function decodeLength(value: unknown, field: string): number | undefined {
  return optionalInteger(value, field, { min: 1, max: unsigned.max });
}

export function decodeWord(value: unknown, field: string): string | undefined {
  return optionalString(value, field, MAX_WORD_UNITS);
}

export function decodeFlag(value: unknown, field: string): boolean {
  return optionalBoolean(value, field) ?? false;
}

/** The path of a file; `null` for a document that is no file, such as a new one. */
export function pathOfUri(uri: string): string | null {
  // A cell of a notebook is addressed as its notebook, with another scheme and a fragment.
  const file = uri.replace(/^vscode-notebook-cell:/, "file:");
  if (!file.startsWith("file:")) return null;
  try {
    const url = new URL(file);
    url.hash = "";
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

function decodeRange(value: unknown, field: string): WireRange {
  const fields = objectFields(value, field);
  return {
    start: decodePosition(fields.start, `${field}.start`),
    end: decodePosition(fields.end, `${field}.end`),
  };
}

function decodeSelected(value: unknown): InlineQuestion["selected"] {
  if (isAbsent(value)) return null;
  const field = "context.selectedCompletionInfo";
  const fields = objectFields(value, field);
  // Neovim sends an empty text in its visual mode: nothing is selected in a list then.
  const text = requiredString(fields.text, `${field}.text`, MAX_TEXT_UNITS);
  return text === "" ? null : { range: decodeRange(fields.range, `${field}.range`), text };
}

function requiredUnsigned(value: unknown, field: string): number {
  const number = optionalInteger(value, field, unsigned);
  if (number === undefined) throw new DecodeError(field, "is missing");
  return number;
}
