/** `midspan lsp`: serves one editor over stdin and stdout, or editors that connect to a port. */
import { homedir } from "node:os";
import type { Dispose } from "../base/event.ts";
import { systemClock } from "../host/clock.ts";
import { createLog } from "../host/log.ts";
import { type ClientEnd, serveClient, type Transport } from "../lsp/language-server.ts";
import type { LanguageServerOptions } from "../lsp/ports.ts";
import { listenForClients, serveStdio } from "../lsp/transports.ts";
import { watchProcess } from "../lsp/watched-process.ts";
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
  /** The process with which we end; `null`: the one that started us, once it is a client. */
  readonly parentId: number | null;
  readonly flags: Flags;
}

/** Serves until the editor leaves. 1 when it left without saying so, as the protocol has it. */
export async function lspCommand(options: LspOptions): Promise<ExitCode> {
  const { resolved } = await loadSettings(homedir(), options.flags);
  const log = createLog({ level: resolved.settings.logLevel });
  const parent = new ParentWatch();
  if (options.parentId !== null) parent.follow(options.parentId);
  const serverOptions: LanguageServerOptions = {
    openWorkspace: (request) => openLspWorkspace(request, options),
    folderOf: (path) => nearestRepository(path),
    // An editor that started us takes us along; one that found a running server does not.
    onClientProcess: (pid) => {
      if (pid === parent.startedBy) parent.follow(pid);
    },
    clock: systemClock,
    log,
    version,
  };
  try {
    if (options.port === null) {
      const serve = (transport: Transport): Promise<ClientEnd> =>
        serveClient(transport, serverOptions);
      const end = await serveStdio(serve, { signal: parent.gone });
      return end === "orderly" ? 0 : 1;
    }
    const { signal, dispose } = untilInterrupted();
    try {
      await listenForClients(
        {
          port: options.port,
          onListening: (port) => process.stdout.write(`Listening on 127.0.0.1:${port}\n`),
        },
        {
          serve: (transport) => serveClient(transport, serverOptions),
          signal: AbortSignal.any([signal, parent.gone]),
        },
      );
      return 0;
    } finally {
      dispose();
    }
  } finally {
    parent.dispose();
  }
}

/** The process that started us: a server that listens on a port would live on without it. */
class ParentWatch {
  /** While it runs; afterwards the system gives us another parent. */
  readonly startedBy: number = process.ppid;
  readonly #gone = new AbortController();
  #unwatch: Dispose | null = null;

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Ends us with this process; the first one that is named counts. */
  follow(pid: number): void {
    this.#unwatch ??= watchProcess(pid, { clock: systemClock, onGone: () => this.#gone.abort() });
  }

  dispose(): void {
    this.#unwatch?.();
  }
}
