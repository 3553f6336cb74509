/** `midspan model info`: all that is known of one model, by its name or its file. */
import { stat } from "node:fs/promises";
import { byteSize } from "../base/byte-size.ts";
import { CompletionError } from "../core/index.ts";
import {
  type CatalogueModel,
  catalogueSources,
  fileSize,
  fimVerdict,
  findInCatalogue,
  memoryNeed,
} from "../host/models/catalogue.ts";
import { fileAddress } from "../host/models/mirror.ts";
import { storedPath } from "../host/models/model-store.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { loadSettings } from "./load-settings.ts";
import {
  findModelFile,
  formatOfHeader,
  looksLikeFile,
  modelsFolder,
  readModelHeader,
  storedModelFile,
} from "./model-file.ts";
import { textTable, wrapped } from "./text-table.ts";

/** As `midspan model run` gives to both slots together. */
const CONTEXT_TOKENS = 8_192;
/** Of a terminal. */
const WIDTH = 80;

type Fact = readonly [name: string, value: string];

export async function modelInfoCommand(options: {
  readonly name: string;
  readonly json: boolean;
  readonly flags: Flags;
}): Promise<ExitCode> {
  const { name, json } = options;
  const { resolved, folders } = await loadSettings(findWorkspace(null), options.flags);
  const { settings } = resolved;
  const folder = modelsFolder(settings, folders);
  const isFile =
    looksLikeFile(name) ||
    (await storedModelFile(name, folder)) !== null ||
    (await stat(name).then(
      (s) => s.isFile(),
      () => false,
    ));
  const facts = isFile
    ? await fileFacts(await findModelFile(name, folder), settings.format)
    : await catalogueFacts(findInCatalogue(name.split(":")[0] ?? name), {
        folder,
        mirror: settings["models.mirror"],
      });
  if (json) {
    process.stdout.write(`${JSON.stringify(Object.fromEntries(facts), null, 2)}\n`);
    return 0;
  }
  const indent = Math.max(...facts.map(([key]) => key.length)) + 2;
  const rows = facts.map(([key, value]) => [
    key,
    wrapped(value, { width: WIDTH - indent, indent }),
  ]);
  process.stdout.write(`${textTable(rows).join("\n")}\n`);
  return 0;
}

async function fileFacts(path: string, format: string): Promise<readonly Fact[]> {
  const header = await readModelHeader(path);
  const { names, architecture, licence, quantisation, parameterCount, contextTokens } = header;
  const memory = memoryNeed({
    weightBytes: header.fileBytes,
    cacheBytesPerToken: header.cacheBytesPerToken,
    contextTokens: CONTEXT_TOKENS,
  });
  const ids = [...header.fimTokenIds].map(([part, id]) => `${part} ${id}`).join(", ");
  return [
    ["file", path],
    ["name", names.join(", ") || "not told"],
    ["architecture", architecture ?? "not told"],
    ["parameters", `${(parameterCount / 1e6).toFixed(parameterCount < 1e8 ? 1 : 0)} million`],
    ["quantisation", quantisation ?? "not told"],
    ["size", byteSize(header.fileBytes)],
    ["memory", `about ${byteSize(memory)} for two requests of ${CONTEXT_TOKENS / 2} tokens`],
    ["context", contextTokens === null ? "not told" : `${contextTokens} tokens`],
    ["vocabulary", header.vocabularySize === null ? "not told" : `${header.vocabularySize} tokens`],
    ["FIM tokens", ids === "" ? "none in its metadata" : ids],
    ["fills in the middle", verdictOf(path, header, format)],
    ["licence", licence ?? "not told"],
    ["start it", `midspan model run ${path}`],
  ];
}

function verdictOf(
  path: string,
  header: Parameters<typeof formatOfHeader>[1],
  format: string,
): string {
  try {
    const row = formatOfHeader(path, header, format === "auto" ? null : format);
    return `yes, as ${row.family}`;
  } catch (error) {
    if (!(error instanceof CompletionError)) throw error;
    return `no: ${error.message}`;
  }
}

async function catalogueFacts(
  model: CatalogueModel,
  { folder, mirror }: { readonly folder: string; readonly mirror: string },
): Promise<readonly Fact[]> {
  const verdict = fimVerdict(model.name);
  const { exactMatch, weights, note, cacheBytesPerToken } = model;
  const facts: Fact[] = [
    ["name", model.name],
    ["model", model.title],
    ["parameters", `${model.billions} billion`],
    ["licence", model.licence],
    ["context", `${model.contextTokens} tokens`],
    [
      "fills in the middle",
      verdict.kind === "yes" ? `yes, as ${verdict.family}` : `no: ${verdict.reason}`,
    ],
  ];
  if (exactMatch !== null) {
    const source = catalogueSources[exactMatch.source] ?? exactMatch.source;
    facts.push(["exact match", `${exactMatch.percent.toFixed(1)} % on SantaCoder-FIM (${source})`]);
  }
  if (note !== "") facts.push(["note", note]);
  if (weights !== null) facts.push(["for vLLM, SGLang", weights]);
  for (const file of model.files) {
    const { bytes, isExact } = fileSize(model, file);
    const memory = memoryNeed({
      weightBytes: bytes,
      cacheBytesPerToken,
      contextTokens: CONTEXT_TOKENS,
    });
    const path = storedPath(folder, file);
    const isHere = await stat(path).then(
      () => true,
      () => false,
    );
    facts.push(
      ["quantisation", file.quantisation],
      ["size", isExact ? byteSize(bytes) : `about ${byteSize(bytes)}, reckoned; not recorded here`],
      ["memory", `about ${byteSize(memory)} for two requests of ${CONTEXT_TOKENS / 2} tokens`],
      ["address", fileAddress(mirror, file)],
      ["SHA-256", file.sha256 ?? "not recorded here: the mirror's is compared"],
      ["facts from", catalogueSources[file.source] ?? file.source],
      ["here", isHere ? path : `no; midspan model pull ${model.name} fetches it`],
    );
  }
  return facts;
}
