/** What a client said of itself at the start, and what follows from it for the answers. */
import { type Fields, isAbsent, objectFields } from "../protocol/decode.ts";
import { decodeFlag, decodeWord, fieldsOf, pathOfUri } from "./params.ts";
import type { EditorSettings } from "./ports.ts";
import { chooseEncoding, type PositionEncoding } from "./position.ts";

export interface ClientProfile {
  /** `clientInfo`, else `editorInfo`, else `unknown`. */
  readonly name: string;
  readonly version: string;
  /** It sent `editorInfo`: it knows the conventions of existing completion plugins and their errors. */
  readonly hasEditorInfo: boolean;
  readonly encoding: PositionEncoding;
  /**
   * Texts replace the whole line before the cursor, the form that survives typing along best in
   * editors that move ranges with edits. Otherwise ranges are as small as the change.
   */
  readonly isWholeLine: boolean;
  /** Line ends of texts: those of the document, or `\n` for an editor that keeps none in its lines. */
  readonly lineEnds: "document" | "\n";
  /**
   * It draws inline completions: it says that it knows the request, or knows the conventions. Others
   * are offered the text as an entry of their completion list.
   */
  readonly drawsInline: boolean;
  /** It says itself when something is shown; nothing is inferred. */
  readonly reportsShown: boolean;
  readonly canShowProgress: boolean;
  readonly canBeAskedSettings: boolean;
  readonly canRegisterSettings: boolean;
  readonly hasFolders: boolean;
}

/** All that `initialize` says. */
export interface InitializeFacts {
  readonly profile: ClientProfile;
  /** The client's process; `null` when it names none. */
  readonly processId: number | null;
  /** Absolute paths of the folders, in their order; `[]` when a single document is edited. */
  readonly folders: readonly string[];
  readonly settings: EditorSettings;
}

/** Throws `DecodeError` for what is no `initialize`. */
export function decodeInitialize(params: unknown): InitializeFacts {
  const fields = fieldsOf(params);
  const options = record(fields.initializationOptions);
  const own = record(options.midspan);
  const capabilities = record(fields.capabilities);
  const workspace = record(capabilities.workspace);
  const info = editorOf(options.editorInfo);
  const client = editorOf(fields.clientInfo) ?? info ?? { name: "unknown", version: "" };
  const { processId } = fields;
  const isNeovim = client.name === "Neovim";
  const encodings = record(capabilities.general).positionEncodings;
  return {
    profile: {
      ...client,
      hasEditorInfo: info !== null,
      encoding: chooseEncoding(Array.isArray(encodings) ? encodings : undefined),
      // Neovim draws a text over the rest of the line as soon as its range is not empty.
      isWholeLine: info !== null && !isNeovim,
      lineEnds: isNeovim ? "\n" : "document",
      // Some say so by `null`.
      drawsInline: info !== null || "inlineCompletion" in record(capabilities.textDocument),
      reportsShown: decodeFlag(own.reportsShown, "initializationOptions.midspan.reportsShown"),
      canShowProgress: record(capabilities.window).workDoneProgress === true,
      canBeAskedSettings: workspace.configuration === true,
      canRegisterSettings: record(workspace.didChangeConfiguration).dynamicRegistration === true,
      hasFolders: workspace.workspaceFolders === true,
    },
    processId: typeof processId === "number" && processId > 0 ? Math.trunc(processId) : null,
    folders: foldersOf(fields),
    settings: record(own.settings),
  };
}

/** `{ uri }` of workspace folders as paths; what is no file is left out. */
export function folderPaths(value: unknown, field: string): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((folder: unknown) => {
    const path = pathOfUri(decodeWord(objectFields(folder, field).uri, `${field}.uri`) ?? "");
    return path === null ? [] : [path];
  });
}

/** The fields of an object; none for anything else. */
export function record(value: unknown): Fields {
  const isObject = typeof value === "object" && !isAbsent(value) && !Array.isArray(value);
  return isObject ? objectFields(value, "value") : {};
}

function foldersOf(fields: Fields): readonly string[] {
  if (Array.isArray(fields.workspaceFolders)) {
    return folderPaths(fields.workspaceFolders, "workspaceFolders");
  }
  if (typeof fields.rootUri === "string") {
    const path = pathOfUri(fields.rootUri);
    return path === null ? [] : [path];
  }
  return typeof fields.rootPath === "string" && fields.rootPath !== "" ? [fields.rootPath] : [];
}

function editorOf(value: unknown): { readonly name: string; readonly version: string } | null {
  const { name, version } = record(value);
  if (typeof name !== "string") return null;
  return { name, version: typeof version === "string" ? version : "" };
}
