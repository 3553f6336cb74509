/**
 * What a llama-server does not say about its model, the model's file does: its own names. The file is
 * read where the server runs on this machine and we see the same file.
 */
import { isAbsolute } from "node:path";
import { isLoopbackHost } from "../base/loopback.ts";
import { CompletionError, type ModelEvidence } from "../core/index.ts";
import { readModelHeader } from "./model-file.ts";

/** The evidence with the names of the file in front of what the server tells; else as it was. */
export async function withNamesOfFile(
  evidence: ModelEvidence,
  address: string,
): Promise<ModelEvidence> {
  const path = evidence.names.find(isAbsolute);
  if (path === undefined || !isLoopbackHost(new URL(address).hostname)) return evidence;
  try {
    const { names, vocabularySize } = await readModelHeader(path);
    // A server in a container may have another file at the same place.
    const isSame = vocabularySize === evidence.vocabularySize;
    return isSame ? { ...evidence, names: [...names, ...evidence.names] } : evidence;
  } catch (error) {
    if (error instanceof CompletionError) return evidence;
    throw error;
  }
}
