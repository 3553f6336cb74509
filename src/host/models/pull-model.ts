/** Fetches a model file into the folder of models, checks it, and says against what. */
import { rm, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CompletionError } from "../../core/index.ts";
import { type DownloadOptions, download } from "../download.ts";
import type { SourceAdvice } from "../download-source.ts";
import { readGgufHeader } from "../gguf-header.ts";
import { type CatalogueModel, fimVerdict, findInCatalogue, type ModelFile } from "./catalogue.ts";
import { fileAddress, mirrorFacts } from "./mirror.ts";
import { storedPath } from "./model-store.ts";

/** What a person may name, and the file that it stands for. */
export interface NamedFile {
  readonly file: ModelFile;
  /** `null` for a file that is not in the catalogue. */
  readonly model: CatalogueModel | null;
}

export interface PullOptions extends Omit<DownloadOptions, "advice"> {
  /** Root of a server laid out as huggingface.co. */
  readonly mirror: string;
  /** The folder of models. */
  readonly folder: string;
}

export interface Pulled {
  readonly path: string;
  readonly bytes: number;
  /** `null` when the file was there already: its checksum was compared when it came. */
  readonly sha256: string | null;
  /** Whose checksum the file has; `none` when nobody knew one. */
  readonly checkedAgainst: "catalogue" | "mirror" | "none" | "already there";
  readonly resumedAt: number;
}

/**
 * The file behind `NAME`, `NAME:QUANTISATION` or `OWNER/REPOSITORY/FILE.gguf`. Throws
 * `MODEL_NOT_FOUND`, or `MODEL_WITHOUT_FIM` with the reason for a model that is known to be of no use.
 */
export function namedFile(name: string): NamedFile {
  const parts = name.split("/");
  if (parts.length > 1) return { file: foreignFile(name, parts), model: null };
  const [modelName = "", quantisation] = name.split(":");
  const model = findInCatalogue(modelName);
  const verdict = fimVerdict(model.name);
  if (verdict.kind === "no") {
    const message = `${model.title} cannot be used: ${verdict.reason}; midspan model recommend names one that can`;
    throw new CompletionError("MODEL_WITHOUT_FIM", message);
  }
  const [first] = model.files;
  const wanted = quantisation?.toUpperCase();
  const file = wanted === undefined ? first : model.files.find((f) => f.quantisation === wanted);
  if (file !== undefined) return { file, model };
  const known = model.files.map((each) => `${model.name}:${each.quantisation.toLowerCase()}`);
  const next =
    known.length > 0
      ? `known: ${known.join(", ")}`
      : "name one as OWNER/REPOSITORY/FILE.gguf, or fetch it by hand and name it to midspan model run";
  const what = wanted === undefined ? "no GGUF file is" : `no ${wanted} file is`;
  throw new CompletionError("MODEL_NOT_FOUND", `${what} recorded for ${model.title}; ${next}`);
}

function foreignFile(name: string, parts: readonly string[]): ModelFile {
  const [owner = "", repository = "", file = ""] = parts;
  const isSafe = [owner, repository, file].every((part) => /^\w[\w.-]*$/.test(part));
  if (parts.length !== 3 || !isSafe || !/\.gguf$/i.test(file)) {
    const message = `${name} is no model to fetch; write a name of midspan model list, or OWNER/REPOSITORY/FILE.gguf`;
    throw new CompletionError("MODEL_NOT_FOUND", message);
  }
  return {
    quantisation: "",
    repository: `${owner}/${repository}`,
    revision: "main",
    file,
    bytes: null,
    sha256: null,
    source: "",
  };
}

const advice: SourceAdvice = {
  source: "name another mirror with the setting models.mirror",
  byHand: "fetch the file by hand and name it to midspan model run",
  room: "set models.folder to a folder on another disk",
};

/**
 * Fetches the file unless it is there. Throws what `download` throws, `CHECKSUM_MISMATCH` also when
 * the mirror says beforehand that it has another file, and `MODEL_FILE_INVALID` when what came is no
 * model (it is removed then).
 */
export async function pullModel(file: ModelFile, options: PullOptions): Promise<Pulled> {
  const { mirror, folder } = options;
  const path = storedPath(folder, file);
  const there = await stat(path).catch(() => null);
  if (there?.isFile() && (file.bytes === null || there.size === file.bytes)) {
    const known = { checkedAgainst: "already there", sha256: null, resumedAt: 0 } as const;
    return { path, bytes: there.size, ...known };
  }
  const isComplete = file.sha256 !== null && file.bytes !== null;
  const told = isComplete
    ? { bytes: null, sha256: null }
    : await mirrorFacts(mirror, file, options);
  if (file.sha256 !== null && told.sha256 !== null && told.sha256 !== file.sha256) {
    const message = `${new URL(mirror).host} has another ${file.file} than the catalogue knows (checksum ${told.sha256} instead of ${file.sha256}); nothing was fetched, name another mirror`;
    throw new CompletionError("CHECKSUM_MISMATCH", message);
  }
  const sha256 = file.sha256 ?? told.sha256;
  const wanted = { target: path, sha256, bytes: file.bytes ?? told.bytes };
  try {
    const done = await download(
      { url: fileAddress(mirror, file), ...wanted },
      { ...options, advice },
    );
    await readGgufHeader(path, { tokens: new Set() });
    const checkedAgainst =
      file.sha256 !== null ? "catalogue" : told.sha256 !== null ? "mirror" : "none";
    return { path, checkedAgainst, ...done };
  } catch (error) {
    // What came is whole, has the right checksum, and is no model.
    const isNoModel = error instanceof CompletionError && error.code === "MODEL_FILE_INVALID";
    if (isNoModel) await rm(path, { force: true });
    await removeEmptyFolders(dirname(path), folder);
    throw error;
  }
}

/** From `path` upwards to below `top`, as far as they are empty. */
async function removeEmptyFolders(path: string, top: string): Promise<void> {
  for (let folder = path; folder !== top && folder !== dirname(folder); folder = dirname(folder)) {
    const isGone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}
