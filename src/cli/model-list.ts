/** `midspan model list`: what can be fetched, what is here, and what is of no use. */
import { relative } from "node:path";
import { byteSize } from "../base/byte-size.ts";
import { CompletionError } from "../core/index.ts";
import {
  type CatalogueModel,
  catalogue,
  fileSize,
  fimVerdict,
  memoryNeed,
} from "../host/models/catalogue.ts";
import { listStored, type StoredFile, storedPath } from "../host/models/model-store.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { loadSettings } from "./load-settings.ts";
import { formatOfHeader, modelsFolder, readModelHeader } from "./model-file.ts";
import { textTable, wrapped } from "./text-table.ts";

/** As `midspan model run` gives to both slots together. */
const CONTEXT_TOKENS = 8_192;

const WRAP = { width: 56, indent: 4 };

export async function modelListCommand(options: {
  readonly json: boolean;
  readonly flags: Flags;
}): Promise<ExitCode> {
  const { resolved, folders } = await loadSettings(findWorkspace(null), options.flags);
  const folder = modelsFolder(resolved.settings, folders);
  const stored = await listStored(folder);
  const models = catalogue.map((model) => entryOf(model, folder, stored));
  const files = await Promise.all(stored.map(fileEntry));
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ folder, models, files }, null, 2)}\n`);
    return 0;
  }
  process.stdout.write(`${pageOf({ folder, models, files })}\n`);
  return 0;
}

interface ListedModel {
  readonly name: string;
  readonly title: string;
  /** `null`: it cannot be used, for this reason. */
  readonly format: string | null;
  readonly reason: string | null;
  readonly licence: string;
  readonly quantisation: string | null;
  readonly bytes: number | null;
  readonly isExact: boolean;
  readonly memoryBytes: number | null;
  readonly context: number;
  readonly exactMatchPercent: number | null;
  readonly state: "here" | "half" | "not here" | "no file";
}

function entryOf(
  model: CatalogueModel,
  folder: string,
  stored: readonly StoredFile[],
): ListedModel {
  const verdict = fimVerdict(model.name);
  const [file] = model.files;
  const size = file === undefined ? null : fileSize(model, file);
  const path = file === undefined ? null : storedPath(folder, file);
  const isThere = (wanted: string): boolean => stored.some((each) => each.path === wanted);
  const { cacheBytesPerToken } = model;
  return {
    name: model.name,
    title: model.title,
    format: verdict.kind === "yes" ? verdict.family : null,
    reason: verdict.kind === "yes" ? null : verdict.reason,
    licence: model.licence,
    quantisation: file?.quantisation ?? null,
    bytes: size === null ? null : Math.round(size.bytes),
    isExact: size?.isExact === true,
    memoryBytes:
      size === null
        ? null
        : Math.round(
            memoryNeed({
              weightBytes: size.bytes,
              cacheBytesPerToken,
              contextTokens: CONTEXT_TOKENS,
            }),
          ),
    context: model.contextTokens,
    exactMatchPercent: model.exactMatch?.percent ?? null,
    state:
      path === null
        ? "no file"
        : isThere(path)
          ? "here"
          : isThere(`${path}.part`)
            ? "half"
            : "not here",
  };
}

interface ListedFile {
  readonly path: string;
  readonly bytes: number;
  readonly quantisation: string | null;
  /** `null`: it cannot be used, for this reason. */
  readonly format: string | null;
  readonly reason: string | null;
}

async function fileEntry({ path, bytes, isHalf }: StoredFile): Promise<ListedFile> {
  const none = { path, bytes, quantisation: null, format: null };
  if (isHalf) return { ...none, reason: "fetched by half" };
  try {
    const header = await readModelHeader(path);
    const { quantisation } = header;
    const { family } = formatOfHeader(path, header, null);
    return { path, bytes, quantisation, format: family, reason: null };
  } catch (error) {
    if (!(error instanceof CompletionError)) throw error;
    return { ...none, reason: error.message };
  }
}

function pageOf(page: {
  readonly folder: string;
  readonly models: readonly ListedModel[];
  readonly files: readonly ListedFile[];
}): string {
  const { folder, models, files } = page;
  const usable = models.filter(({ format, bytes }) => format !== null && bytes !== null);
  const remote = models.filter(({ format, bytes }) => format !== null && bytes === null);
  const useless = models.filter(({ format }) => format === null);
  const head = ["", "NAME", "FILE", "MEMORY", "EXACT", "LICENCE"];
  const marks = { here: "✓", half: "½", "not here": "", "no file": "" } as const;
  const rows = usable.map((model) => [
    marks[model.state],
    model.name,
    `${model.isExact ? "" : "~"}${byteSize(model.bytes ?? 0)}`,
    byteSize(model.memoryBytes ?? 0),
    model.exactMatchPercent === null ? "" : `${model.exactMatchPercent.toFixed(1)} %`,
    model.licence,
  ]);
  const lines = [
    ...textTable([head, ...rows], ["left", "left", "right", "right", "right", "left"]),
    "",
    "✓ is here, ½ is here by half. EXACT is how many missing lines it finds",
    "(SantaCoder-FIM, as published). Base models with 8 bits a weight; MEMORY is for",
    "two requests of 4,096 tokens.",
    "",
    "For servers with vLLM or SGLang:",
    ...textTable(remote.map((model) => ["", model.name, model.title, model.licence])),
    "",
    "Not to be used:",
    ...useless.map(({ name, reason }) => `  ${name}: ${wrapped(reason ?? "", WRAP)}`),
  ];
  const own = files.map((file) => [
    "",
    relative(folder, file.path),
    byteSize(file.bytes),
    file.quantisation ?? "",
    file.format ?? file.reason ?? "",
  ]);
  const here = own.length === 0 ? ["", "  nothing yet"] : ["", ...textTable(own)];
  return [
    ...lines,
    "",
    `In ${folder}:`,
    ...here.slice(1),
    "",
    "midspan model recommend   says which suits this machine",
    "midspan model pull NAME   fetches one",
    "midspan model run NAME    starts it, or any GGUF file, and serves",
    "midspan model info NAME   tells all about one of either list",
  ].join("\n");
}
