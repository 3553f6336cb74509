/** `midspan model run`: starts a model, in llama-server or in our own engine, and serves with it. */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { byteSize } from "../base/byte-size.ts";
import type { Settings } from "../config/schema.ts";
import { CompletionError } from "../core/index.ts";
import { systemClock } from "../host/clock.ts";
import { engineFolder, installedEngine } from "../host/embedded/engine-folder.ts";
import type { GgufHeader } from "../host/gguf-header.ts";
import { findHardware, type Hardware } from "../host/hardware.ts";
import { createHttpClient } from "../host/http-client.ts";
import { findLlamaServer, threadsFor } from "../host/llama-server-command.ts";
import {
  type LlamaServerOptions,
  type LlamaServerState,
  startLlamaServer,
} from "../host/llama-server-process.ts";
import { createLog } from "../host/log.ts";
import { memoryNeed } from "../host/models/catalogue.ts";
import type { StateFolders } from "../host/state-folders.ts";
import { startEmbeddedModel } from "./embedded-model.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import type { OwnModel } from "./language-model.ts";
import { loadSettings } from "./load-settings.ts";
import { findModelFile, formatOfHeader, modelsFolder, readModelHeader } from "./model-file.ts";
import { serveCommand } from "./serve.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** As many layers as any model has: all of them. */
const ALL_LAYERS = 99;

export async function modelRunCommand(options: {
  /** A file, or a name of the catalogue. */
  readonly name: string;
  readonly dir: string | null;
  readonly flags: Flags;
}): Promise<ExitCode> {
  const { dir, flags } = options;
  const { resolved, folders } = await loadSettings(findWorkspace(dir), flags);
  const { settings } = resolved;
  const command = findLlamaServer({
    setting: settings.llamaServer,
    environment: process.env,
    platform: process.platform,
  });
  const model = await modelOf(options.name, {
    folder: modelsFolder(settings, folders),
    format: settings.format,
    mayBeElsewhere: command !== null && command.length > 1,
  });
  if (command === null && (await installedEngine(engineFolder(folders.data))) === null) {
    throw missingEngine();
  }
  const plan = planFor(model, settings, await findHardware());
  const started =
    command === null
      ? await startEngine(plan, settings, folders)
      : await startServer(plan, command);
  try {
    return await serveCommand({ dir, flags, own: started.model });
  } finally {
    await started.stop();
  }
}

interface StartedModel {
  readonly model: OwnModel;
  readonly stop: () => Promise<void>;
}

async function startServer(plan: Plan, command: readonly string[]): Promise<StartedModel> {
  say(`Starting llama-server with ${basename(plan.model)} …`);
  const http = createHttpClient({ isOffline: true });
  const interrupted = untilInterrupted();
  try {
    const server = await startLlamaServer({
      command,
      plan,
      keeperFile: keeperFile(),
      http,
      clock: systemClock,
      onState: (state) => say(stateWords(state)),
      signal: interrupted.signal,
    });
    say(`It runs as process ${server.pid} at ${server.url}, for Midspan alone.`);
    return {
      model: { kind: "server", url: server.url, apiKey: server.apiKey },
      stop: async () => {
        await server.stop();
        await http.close();
      },
    };
  } catch (error) {
    await http.close();
    throw error;
  } finally {
    interrupted.dispose();
  }
}

async function startEngine(
  plan: Plan,
  settings: Settings,
  folders: StateFolders,
): Promise<StartedModel> {
  say(`There is no llama-server; the embedded engine runs ${basename(plan.model)} …`);
  const backend = await startEmbeddedModel({
    modelFile: plan.model,
    threads: plan.threads,
    gpu: settings["models.gpu.enabled"] ? "auto" : "off",
    contextTokens: plan.slotTokens,
    folders,
    log: createLog({ level: settings.logLevel }),
  });
  return {
    model: { kind: "embedded", backend, file: plan.model },
    stop: () => backend.close(),
  };
}

type Plan = LlamaServerOptions["plan"];

interface RunnableModel {
  readonly path: string;
  /** `null` for a file that only the server sees. */
  readonly header: GgufHeader | null;
}

/** Throws for a model that cannot be used before anything is started. */
async function modelOf(
  name: string,
  options: {
    readonly folder: string;
    readonly format: string;
    /** The server runs behind another command, such as `docker run`, with folders of its own. */
    readonly mayBeElsewhere: boolean;
  },
): Promise<RunnableModel> {
  try {
    const path = await findModelFile(name, options.folder);
    const header = await readModelHeader(path);
    formatOfHeader(path, header, options.format === "auto" ? null : options.format);
    return { path, header };
  } catch (error) {
    const isMissing = error instanceof CompletionError && error.code === "MODEL_NOT_FOUND";
    if (isMissing && options.mayBeElsewhere && /\.gguf$/i.test(name)) {
      return { path: name, header: null };
    }
    throw error;
  }
}

function planFor(
  { path, header }: RunnableModel,
  settings: Settings,
  { cores, memoryBytes, gpus }: Hardware,
): Plan {
  const trained = header?.contextTokens ?? Number.POSITIVE_INFINITY;
  const slotTokens = Math.min(settings["context.totalTokens"], trained);
  const wanted = settings["models.maxThreads"];
  const [gpu] = gpus;
  const usesGpu = settings["models.gpu.enabled"];
  if (header !== null) {
    const weightBytes = header.fileBytes;
    const { cacheBytesPerToken } = header;
    const need = memoryNeed({ weightBytes, cacheBytesPerToken, contextTokens: 2 * slotTokens });
    const fitsGpu = usesGpu && gpu !== undefined && need <= (gpu.freeBytes ?? gpu.memoryBytes);
    if (need > memoryBytes && !fitsGpu) {
      say(
        `This model needs about ${byteSize(need)} of memory, and there are ${byteSize(memoryBytes)}; it will be slow, or not start.`,
      );
    }
    const gpuLayers = usesGpu ? (fitsGpu ? ALL_LAYERS : null) : 0;
    return { model: path, slotTokens, threads: threads(wanted, cores), gpuLayers };
  }
  return {
    model: path,
    slotTokens,
    threads: threads(wanted, cores),
    gpuLayers: usesGpu ? null : 0,
  };
}

function threads(wanted: number, cores: number): number {
  return wanted === 0 ? threadsFor(cores) : Math.min(wanted, Math.max(1, cores));
}

function stateWords(state: LlamaServerState): string {
  switch (state.kind) {
    case "died":
      return `llama-server ${state.how}; it is started again in ${state.waitMs / 1000} s. Until then the local model answers alone.`;
    case "back":
      return "llama-server is back.";
    case "gone":
      return `llama-server ${state.how}; it is not started again. The local model answers alone; end this command and start it anew.`;
  }
}

function missingEngine(): CompletionError {
  const how =
    process.platform === "darwin"
      ? "brew install llama.cpp"
      : process.platform === "win32"
        ? "winget install llama.cpp"
        : "the package llama.cpp-tools of Debian, or brew install llama.cpp";
  return new CompletionError(
    "MODEL_SERVER_FAILED",
    `there is nothing to run a model with; midspan model engine install fetches an engine, or install llama.cpp (${how}), or name its server with MIDSPAN_LLAMA_SERVER`,
  );
}

/** The built keeper lies beside the built program, whichever chunk this code ended up in. */
function keeperFile(): string {
  return fileURLToPath(new URL("../host/process-keeper.js", import.meta.url));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
