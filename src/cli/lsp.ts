/** `midspan lsp`: serves one editor over stdin and stdout, or editors that connect to a port. */
import { homedir } from "node:os";
import { systemClock } from "../host/clock.ts";
import { createLog } from "../host/log.ts";
import { serveClient } from "../lsp/language-server.ts";
import type { LanguageServerOptions } from "../lsp/ports.ts";
import { listenForClients, serveStdio } from "../lsp/transports.ts";
import type { ExitCode } from "./exit.ts";
import { nearestRepository } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { loadSettings } from "./load-settings.ts";
import { openLspWorkspace } from "./lsp-workspace.ts";
import { untilInterrupted } from "./until-interrupted.ts";
import { version } from "./version.ts";

export interface LspOptions {
  /** `null`: stdin and stdout. 0: any free port. */
  readonly port: number | null;
  /** Address of a running `midspan serve`; `null`: we answer ourselves. */
  readonly server: string | null;
  readonly flags: Flags;
}

/** Serves until the editor leaves. 1 when it left without saying so, as the protocol has it. */
export async function lspCommand(options: LspOptions): Promise<ExitCode> {
  const { resolved } = await loadSettings(homedir(), options.flags);
  const log = createLog({ level: resolved.settings.logLevel });
  const serverOptions: LanguageServerOptions = {
    openWorkspace: (request) => openLspWorkspace(request, options),
    folderOf: (path) => nearestRepository(path),
    clock: systemClock,
    log,
    version,
  };
  if (options.port === null) {
    const end = await serveStdio((transport) => serveClient(transport, serverOptions));
    return end === "orderly" ? 0 : 1;
  }
  const { signal, dispose } = untilInterrupted();
  try {
    await listenForClients(
      {
        port: options.port,
        onListening: (port) => process.stdout.write(`Listening on 127.0.0.1:${port}\n`),
      },
      { serve: (transport) => serveClient(transport, serverOptions), signal },
    );
    return 0;
  } finally {
    dispose();
  }
}
