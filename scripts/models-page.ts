/** `docs/models.md`: how to get a model, with the tables of the catalogue. */
import { byteSize } from "../src/base/byte-size.ts";
import { markdownTable } from "../src/config/markdown-table.ts";
import {
  type CatalogueModel,
  catalogue,
  catalogueSources,
  fileSize,
  fimVerdict,
} from "../src/host/models/catalogue.ts";

/** The whole page. */
export function modelsPage(): string {
  const usable = catalogue.filter(({ name }) => fimVerdict(name).kind === "yes");
  const useless = catalogue.filter(({ name }) => fimVerdict(name).kind === "no");
  return [
    "<!-- Made from src/host/models/catalogue.data.json by `npm run gen`; a check fails when it is stale. -->",
    ...introduction,
    "",
    "## The catalogue",
    "",
    "Exact match is the share of missing lines that the model finds, on SantaCoder-FIM (Python, Java, JavaScript; first line, weighted by rows), as its source publishes it.",
    "Figures of other protocols cannot be compared and are left out.",
    "A size with ~ is reckoned from the number of parameters; a checksum that is not recorded here is taken from the mirror when the file is fetched, and you are told.",
    "",
    ...markdownTable([
      ["name", "parameters", "file", "context", "exact match", "format", "licence", "SHA-256"],
      ...usable.map(usableRow),
    ]),
    "",
    "These are known and refused:",
    "",
    ...markdownTable([["name", "why"], ...useless.map(({ name }) => [`\`${name}\``, why(name)])]),
    "",
    "Models tuned for chat are not listed: on several lines they fill in the middle much worse than the base model that they come from.",
    "",
    "### Where the facts come from",
    "",
    ...Object.entries(catalogueSources).map(([key, text]) => `- ${key}: ${text}.`),
    "",
    ...markdownTable([["name", "file from", "exact match from"], ...usable.map(sourceRow)]),
    "",
  ].join("\n");
}

const introduction: readonly string[] = [
  "# Models",
  "",
  "Midspan answers without any model.",
  "A small model that was trained to fill in the middle adds what cannot be found in your own code.",
  "",
  "```",
  "midspan model recommend                    which model suits this machine",
  "midspan model pull qwen2.5-coder-1.5b      fetch it",
  "midspan model run qwen2.5-coder-1.5b       start it and serve, until Ctrl+C",
  "```",
  "",
  "`midspan model run` takes any GGUF file too; `midspan model list` shows what can be fetched and what is here, `midspan model info NAME` all that is known of one.",
  "",
  "## Running",
  "",
  "`run` starts `llama-server` of llama.cpp: the one on PATH, or the command in the setting `llamaServer` (`MIDSPAN_LLAMA_SERVER`), such as `chroot /srv llama-server`.",
  "It gets two slots that keep their cache (one for what you wait for, one for what is asked ahead), small batches so that a request that was given up stops soon, one thread less than there are cores, and the graphics processor where there is one and the model fits.",
  "It listens on a free port of 127.0.0.1 with a key of its own, so that no web page can use it.",
  "When it dies, it is started again, at most five times in a row, waiting longer each time; until then the local model answers alone.",
  "It ends with Midspan, also when Midspan is killed.",
  "Where there is no llama-server, `midspan model engine install` fetches an engine that runs inside Midspan.",
  "",
  "Without `run`, Midspan looks for servers that are there already: `--backend auto`, the default, asks the usual ports of llama-server, Ollama, LM Studio, vLLM and SGLang on this machine, once, without a key, and says what it took and why.",
  "`midspan doctor` says how well a server is set up and how we would start it.",
  "",
  "The prompt format follows from the metadata of the GGUF file and the tokens of its vocabulary; the name of a file decides only where these say nothing.",
  "A model whose vocabulary has no sentinels, or whose family was not trained to fill in the middle, is refused with the reason.",
  "",
  "## Fetching",
  "",
  "Files come from the setting `models.mirror` (default `https://huggingface.co`, `MIDSPAN_MODELS_MIRROR`) and go to `models.folder`.",
  "A mirror answers `/OWNER/NAME/resolve/REVISION/FILE`, and `/api/models/OWNER/NAME/tree/REVISION` where a checksum is not recorded here.",
  "`midspan model pull OWNER/NAME/FILE.gguf` fetches a file that is not in the catalogue.",
  "",
  "- Room on the disk is looked for first.",
  "- What a failure or Ctrl+C left (`FILE.part`) is gone on with by the same command.",
  "- The checksum is compared; what does not have it is removed.",
  "- A redirect is followed to another host only if a checksum is known, never from https to http, never from a public address into a private network, and never to a link-local one.",
  "- No account and no key is sent; a file that wants an account is fetched by hand and named to `midspan model run`.",
  "- With `--offline` nothing is fetched but from this machine.",
];

function usableRow(model: CatalogueModel): readonly string[] {
  const { name, billions, contextTokens, exactMatch, licence, files } = model;
  const verdict = fimVerdict(name);
  const [file] = files;
  const size = file === undefined ? null : fileSize(model, file);
  return [
    `\`${name}\``,
    `${billions} B`,
    file === undefined || size === null
      ? "vLLM, SGLang"
      : `${file.quantisation}, ${size.isExact ? "" : "~"}${byteSize(size.bytes)}`,
    String(contextTokens),
    exactMatch === null ? "" : `${exactMatch.percent.toFixed(1)} %`,
    verdict.kind === "yes" ? verdict.family : "",
    licence,
    file === undefined
      ? ""
      : file.sha256 === null
        ? "not recorded"
        : `\`${file.sha256.slice(0, 12)}…\``,
  ];
}

function sourceRow({ name, files, exactMatch }: CatalogueModel): readonly string[] {
  return [`\`${name}\``, files.map(({ source }) => source).join(), exactMatch?.source ?? ""];
}

function why(name: string): string {
  const verdict = fimVerdict(name);
  return verdict.kind === "no" ? verdict.reason : "";
}
