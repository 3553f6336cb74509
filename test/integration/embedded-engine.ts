/** Finds the real library of the embedded engine, and our small model. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tinyModel } from "./llama-server.ts";

/** How a person gets what is missing. */
export const howToGetEngine: string =
  "the embedded engine is tried with the real library: run midspan model engine install and set " +
  "MIDSPAN_TEST_ENGINE to the folder that it names";

/** Where the library and the model are. */
export interface EngineSetup {
  readonly engineFolder: string;
  readonly modelFile: string;
}

/** Named by the environment; `null` when it is missing. */
export function findEngine(): EngineSetup | null {
  const engineFolder = process.env.MIDSPAN_TEST_ENGINE ?? "";
  const modelFile = tinyModel;
  const library = join(engineFolder, "node_modules", "node-llama-cpp", "package.json");
  if (engineFolder === "" || !existsSync(library)) return null;
  return { engineFolder, modelFile };
}
