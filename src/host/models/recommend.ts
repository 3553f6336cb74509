/**
 * Which model suits which machine. Quality is what was published; time is reckoned from this
 * machine's cores and memory, since a model reads all its weights once for each token that it writes
 * and computes twice its parameters for each token that it reads.
 */

import { present } from "../../base/assert.ts";
import { byteSize } from "../../base/byte-size.ts";
import type { Gpu } from "../gpus.ts";
import type { Hardware } from "../hardware.ts";
import { type CatalogueModel, catalogue, fileSize, fimVerdict, memoryNeed } from "./catalogue.ts";

export interface Recommendation {
  readonly purpose: "this machine" | "a team server" | "the smallest machine";
  /** `null`: no model, the local model alone. */
  readonly model: CatalogueModel | null;
  /** What to type. */
  readonly commands: readonly string[];
  /** Sentences without a dot. */
  readonly reasons: readonly string[];
}

/** Two slots of 4,096 tokens: one for what a person waits for, one for what is asked ahead. */
const CONTEXT_TOKENS = 8_192;

/** A short line on a key press: what was typed since is read, what completes it is written. */
const NEW_TOKENS = 8;
const WRITTEN_TOKENS = 12;
/** Later than this a person has typed on. */
const PATIENCE_SECONDS = 1.2;

/**
 * Operations a second of one core on 8-bit weights: smol-fim (135 million parameters) reads 300
 * tokens a second on two cores.
 */
const CORE_OPERATIONS = 4e10;

/** A model may take this share of what a machine has. */
const MEMORY_SHARE = 0.5;
const GPU_SHARE = 0.9;
/** On a server the rest is for the KV cache of many requests at once. */
const SERVER_WEIGHT_SHARE = 0.65;

/** The usual card of a small server, an A10G or an L4, where this machine has none. */
const USUAL_SERVER_BYTES = 24e9;

/** One answer each for this machine, a server for a team, and the smallest machine there is. */
export function recommend(hardware: Hardware): readonly Recommendation[] {
  return [forThisMachine(hardware), forTeam(hardware), forSmallest()];
}

/** Free to use at work, able to fill in the middle, and measured by others; the best first. */
const usable: readonly CatalogueModel[] = catalogue
  .filter(
    ({ name, licence, exactMatch }) =>
      exactMatch !== null &&
      fimVerdict(name).kind === "yes" &&
      !/non-commercial|non-production/.test(licence),
  )
  .sort((a, b) => (b.exactMatch?.percent ?? 0) - (a.exactMatch?.percent ?? 0));

const withFile: readonly CatalogueModel[] = usable.filter(({ files }) => files.length > 0);

function forThisMachine(hardware: Hardware): Recommendation {
  const purpose = "this machine";
  const [gpu] = hardware.gpus;
  const onGpu = gpu === undefined ? undefined : bestThatFits(roomOf(gpu));
  if (gpu !== undefined && onGpu !== undefined) {
    const reasons = [
      `its ${byteSize(needOf(onGpu))} fit into the ${byteSize(roomOf(gpu))} of ${gpu.name}`,
      quality(onGpu),
    ];
    return { purpose, model: onGpu, commands: localCommands(onGpu), reasons };
  }
  const room = hardware.memoryBytes * MEMORY_SHARE;
  const fitting = withFile.filter((model) => needOf(model) <= room);
  const quick = fitting.find((model) => secondsOf(model, hardware) <= PATIENCE_SECONDS);
  const found = quick ?? smallest(fitting);
  const has = `${byteSize(hardware.memoryBytes)} of memory, ${hardware.cores} cores and no graphics processor that we know`;
  if (found === undefined) {
    const reasons = [`there are ${has}: no model fits beside your work`, localModelIsThere];
    return { purpose, model: null, commands: [], reasons };
  }
  const seconds = secondsOf(found, hardware);
  const isSlow = seconds > PATIENCE_SECONDS;
  const time = `a short line takes about ${seconds.toFixed(1)} s there, reckoned from cores and memory`;
  const slow = `${time}: too long to wait for at each key, so it helps where you stop and think; ${localModelIsThere}`;
  const reasons = [
    `there are ${has}; it needs ${byteSize(needOf(found))}`,
    isSlow ? slow : time,
    quality(found),
  ];
  return { purpose, model: found, commands: localCommands(found), reasons };
}

function forTeam({ gpus }: Hardware): Recommendation {
  const [gpu] = gpus;
  const room = gpu?.memoryBytes ?? USUAL_SERVER_BYTES;
  const fitting = usable.filter((model) => halfPrecision(model) <= room * SERVER_WEIGHT_SHARE);
  const model = present(fitting[0] ?? usable.at(-1), "a model for a server");
  const isOwn = gpu !== undefined && fitting.length > 0;
  const card = isOwn
    ? `${gpu.name} (${byteSize(gpu.memoryBytes)})`
    : `a card with ${byteSize(USUAL_SERVER_BYTES)}, such as an A10G or an L4,`;
  return {
    purpose: "a team server",
    model,
    commands: [
      `vllm serve ${model.weights} --port 8000 --max-model-len 8192 --enable-prompt-tokens-details --scheduling-policy priority`,
      "midspan serve --backend vllm:http://SERVER:8000",
    ],
    reasons: [
      `its weights take ${byteSize(halfPrecision(model))} at 16 bits; on ${card} the rest holds the caches of many editors`,
      quality(model),
    ],
  };
}

function forSmallest(): Recommendation {
  const model = present(smallest(withFile), "a smallest model");
  return {
    purpose: "the smallest machine",
    model,
    commands: localCommands(model),
    reasons: [
      `it is the smallest one worth the trouble: ${byteSize(needOf(model))} of memory`,
      quality(model),
      `with less, no model: ${localModelIsThere}`,
    ],
  };
}

const localModelIsThere =
  "the local model answers from your own code, in milliseconds and without any of this";

function bestThatFits(room: number): CatalogueModel | undefined {
  return withFile.find((model) => needOf(model) <= room);
}

function smallest(models: readonly CatalogueModel[]): CatalogueModel | undefined {
  return [...models].sort((a, b) => needOf(a) - needOf(b))[0];
}

function roomOf(gpu: Gpu): number {
  return gpu.freeBytes ?? gpu.memoryBytes * GPU_SHARE;
}

function weightsOf(model: CatalogueModel): number {
  const file = present(model.files[0], "a file of the model");
  return fileSize(model, file).bytes;
}

function needOf(model: CatalogueModel): number {
  const { cacheBytesPerToken } = model;
  const weightBytes = weightsOf(model);
  return memoryNeed({ weightBytes, cacheBytesPerToken, contextTokens: CONTEXT_TOKENS });
}

function halfPrecision({ billions }: CatalogueModel): number {
  return billions * 2e9;
}

function secondsOf(model: CatalogueModel, { cores, copyBytesPerSecond }: Hardware): number {
  const reading = (NEW_TOKENS * 2 * model.billions * 1e9) / (cores * CORE_OPERATIONS);
  // A copy reads and writes; the weights are only read.
  const writing =
    copyBytesPerSecond === null
      ? 0
      : (WRITTEN_TOKENS * weightsOf(model)) / (2 * copyBytesPerSecond);
  return reading + writing;
}

function quality({ title, exactMatch, licence }: CatalogueModel): string {
  const percent = exactMatch?.percent.toFixed(1);
  return `${title} finds ${percent} % of missing lines (SantaCoder-FIM, as published); licence ${licence}`;
}

function localCommands({ name }: CatalogueModel): readonly string[] {
  return [`midspan model pull ${name}`, `midspan model run ${name}`];
}
