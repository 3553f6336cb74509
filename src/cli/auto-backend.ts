/** `--backend auto`: the servers of this machine, looked at once, at the start. */
import { type Choice, chooseServer, findServers } from "../backend/index.ts";
import type { Settings } from "../config/schema.ts";
import { CompletionError, type HttpClient } from "../core/index.ts";

/** All servers together; each has a shorter limit of its own. */
const LOOK_MS = 5_000;

/**
 * The server and model to use; `null` when there is none, and the local model answers alone. Says
 * what was chosen and why, what was not and why not. Throws `MODEL_NOT_FOUND` when the settings name
 * a model that no server here has.
 */
export async function findBackend(
  settings: Settings,
  options: { readonly http: HttpClient; readonly onNotice: (line: string) => void },
): Promise<Choice | null> {
  const { http, onNotice } = options;
  const found = await findServers({ http }, { signal: AbortSignal.timeout(LOOK_MS) });
  const format = settings.format === "auto" ? null : settings.format;
  const { choice, notes } = chooseServer(found, { model: settings.model, format });
  for (const line of notes) onNotice(line);
  if (choice === null && settings.model !== "") {
    const message = `no server on this machine can be used with the model ${settings.model}; start one, or name it with --backend KIND:URL`;
    throw new CompletionError("MODEL_NOT_FOUND", message);
  }
  if (found.length === 0) {
    onNotice("no model server runs here; midspan model recommend names a model");
  }
  return choice;
}
