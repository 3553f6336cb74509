/** Finds the real library of the embedded engine and a small model. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** How a person gets what is missing. */
export const howToGetEngine: string =
  "the embedded engine is tried with the real library and a small GGUF model that fills in the " +
  "middle: run MIDSPAN_HOME=DIR midspan model engine install, set MIDSPAN_TEST_ENGINE to the " +
  "folder that it names, and MIDSPAN_TEST_GGUF to the model";

/** Where the library and the model are. */
export interface EngineSetup {
  readonly engineFolder: string;
  readonly modelFile: string;
}

/** Named by the environment, the model also beside the checkout; `null` when either is missing. */
export function findEngine(): EngineSetup | null {
  const engineFolder = process.env.MIDSPAN_TEST_ENGINE ?? "";
  const beside = join(import.meta.dirname, "..", "..", "..", "shared", "models", "tiny-fim.gguf");
  const modelFile = process.env.MIDSPAN_TEST_GGUF ?? beside;
  const library = join(engineFolder, "node_modules", "node-llama-cpp", "package.json");
  if (engineFolder === "" || !existsSync(library) || !existsSync(modelFile)) return null;
  return { engineFolder, modelFile };
}
