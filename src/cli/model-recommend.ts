/** `midspan model recommend`: which model for this machine, for a team, for the smallest machine. */
import { byteSize } from "../base/byte-size.ts";
import { findHardware, type Hardware } from "../host/hardware.ts";
import { type Recommendation, recommend } from "../host/models/recommend.ts";
import type { ExitCode } from "./exit.ts";
import { wrapped } from "./text-table.ts";

/** Of a terminal, less the bullet. */
const WIDTH = 75;

export async function modelRecommendCommand(options: {
  readonly json: boolean;
}): Promise<ExitCode> {
  const hardware = await findHardware({ measures: true });
  const recommendations = recommend(hardware);
  if (options.json) {
    const list = recommendations.map(({ purpose, model, commands, reasons }) => ({
      purpose,
      model: model?.name ?? null,
      commands,
      reasons,
    }));
    const value = { hardware, recommendations: list };
    process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    return 0;
  }
  const parts = [hardwareLine(hardware), ...recommendations.map(paragraph)];
  process.stdout.write(`${parts.join("\n\n")}\n`);
  return 0;
}

function hardwareLine({ memoryBytes, cores, copyBytesPerSecond, gpus }: Hardware): string {
  const cards = gpus.map(({ name, memoryBytes: bytes }) => `${name} with ${byteSize(bytes)}`);
  const speed =
    copyBytesPerSecond === null ? "" : `, copied at ${byteSize(copyBytesPerSecond)} a second`;
  const processors = `${cores} ${cores === 1 ? "core" : "cores"}`;
  const graphics = cards.length === 0 ? "no graphics processor that we know" : cards.join(", ");
  return wrapped(`Found ${byteSize(memoryBytes)} of memory${speed}, ${processors}, ${graphics}.`, {
    width: WIDTH,
    indent: 0,
  });
}

function paragraph({ purpose, model, commands, reasons }: Recommendation): string {
  const head = `${purpose[0]?.toUpperCase()}${purpose.slice(1)}: ${model?.name ?? "no model"}`;
  const indent = 4;
  return [
    head,
    ...reasons.map((reason) => `  · ${wrapped(reason, { width: WIDTH, indent })}`),
    ...commands.map((command) => `  $ ${command}`),
  ].join("\n");
}
