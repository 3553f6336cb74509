/** What a person names a model by, found on this machine. */
import { stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import type { Settings } from "../config/schema.ts";
import {
  CompletionError,
  type FimFormat,
  formatByEvidence,
  spellingsOf,
  telltaleTokens,
} from "../core/index.ts";
import { type GgufHeader, modelNameOfFile, readGgufHeader } from "../host/gguf-header.ts";
import { listStored, type StoredFile, storedPath } from "../host/models/model-store.ts";
import { namedFile } from "../host/models/pull-model.ts";
import type { StateFolders } from "../host/state-folders.ts";

/** Where fetched models lie. */
export function modelsFolder(settings: Settings, folders: StateFolders): string {
  const folder = settings["models.folder"];
  return folder === "" ? join(folders.data, "models") : resolve(folder);
}

/** True for what is meant as a file: it has a folder, or ends as a model file does. */
export function looksLikeFile(name: string): boolean {
  return /[/\\]/.test(name) || /\.gguf$/i.test(name);
}

/**
 * The whole file in the folder of models that `midspan model list` prints under this name; also by its
 * last part, with or without `.gguf`. `null` when there is none.
 */
export async function storedModelFile(name: string, folder: string): Promise<StoredFile | null> {
  const whole = (await listStored(folder)).filter(({ isHalf }) => !isHalf);
  const names = [
    (path: string) => relative(folder, path),
    (path: string) => basename(path),
    modelNameOfFile,
  ];
  for (const nameOf of names) {
    const found = whole.find(({ path }) => nameOf(path) === name);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * The file of a model: a path as it is, a name of the catalogue where it was fetched, or the name of
 * a file in the folder of models. Throws `MODEL_NOT_FOUND` with how to get it.
 */
export async function findModelFile(name: string, folder: string): Promise<string> {
  const path = resolve(name);
  if (await isFile(path)) return path;
  const byFile = await storedModelFile(name, folder);
  if (byFile !== null) return byFile.path;
  if (looksLikeFile(name) && (await isFolder(path))) {
    const message = `${path} is a folder; name one of the files in it, such as model.gguf`;
    throw new CompletionError("MODEL_NOT_FOUND", message);
  }
  if (looksLikeFile(name) && name.split("/").length !== 3) {
    const message = `there is no file ${path}; midspan model list shows what is here and what can be fetched`;
    throw new CompletionError("MODEL_NOT_FOUND", message);
  }
  const { file } = namedFile(name);
  const fetched = storedPath(folder, file);
  if (await isFile(fetched)) return fetched;
  const isHalf = await isFile(`${fetched}.part`);
  const message = isHalf
    ? `${name} was fetched by half; midspan model pull ${name} goes on`
    : `${name} is not here yet; fetch it with midspan model pull ${name}`;
  throw new CompletionError("MODEL_NOT_FOUND", message);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** The header of a model file, with the tokens that tell its format. */
export function readModelHeader(path: string): Promise<GgufHeader> {
  return readGgufHeader(path, { tokens: new Set(telltaleTokens.flatMap(spellingsOf)) });
}

/** The prompt format of a model file, by its metadata and tokens. Throws as `formatByEvidence`. */
export function formatOfHeader(
  path: string,
  header: GgufHeader,
  override: string | null,
): FimFormat {
  return formatByEvidence({
    model: modelNameOfFile(path),
    backendKind: "llama.cpp",
    override,
    evidence: {
      names: header.names,
      vocabularySize: header.vocabularySize,
      tokenId: (text) =>
        spellingsOf(text)
          .map((spelling) => header.tokenIds.get(spelling))
          .find((id) => id !== undefined) ?? null,
    },
  });
}
