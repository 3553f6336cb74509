/** `midspan model engine`: fetches, shows and removes the engine that runs models without a server. */
import { availableParallelism } from "node:os";
import {
  engineFolder,
  enginesFolder,
  type InstalledEngine,
  installedEngine,
} from "../host/embedded/engine-folder.ts";
import type { EngineVariant } from "../host/embedded/engine-platform.ts";
import { ENGINE_PACKAGE, ENGINE_VERSION } from "../host/embedded/engine-version.ts";
import { installEngine, removeEngines } from "../host/embedded/install-engine.ts";
import { tryEngine } from "../host/embedded/try-engine.ts";
import { engineChildFile } from "./embedded-model.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { loadSettings } from "./load-settings.ts";
import { createProgress } from "./progress.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** Fetches what is missing, and tries it. */
export async function engineInstallCommand(options: {
  readonly variant: EngineVariant;
  readonly flags: Flags;
}): Promise<ExitCode> {
  const { resolved, folders } = await loadSettings(findWorkspace(null), options.flags);
  const folder = engineFolder(folders.data);
  const progress = createProgress(ENGINE_PACKAGE, process.stderr);
  const interrupted = untilInterrupted();
  const { signal } = interrupted;
  try {
    const installed = await installEngine({
      folder,
      machine: { platform: process.platform, architecture: process.arch },
      variant: options.variant,
      isOffline: resolved.settings["offline.enabled"],
      onProgress: (done, total) => progress.update(done, total, "packages"),
      signal,
    });
    progress.finish(null);
    process.stdout.write(`${await summaryOf(installed, signal)}\n`);
    process.stdout.write("midspan model run FILE.gguf uses it where there is no llama-server.\n");
    return 0;
  } catch (error) {
    progress.finish(null);
    if (!signal.aborted) throw error;
    process.stderr.write("midspan: stopped; nothing was installed\n");
    return 1;
  } finally {
    interrupted.dispose();
  }
}

/** Says what is installed and whether it works; exit code 1 when nothing is. */
export async function engineStatusCommand(options: { readonly json: boolean }): Promise<ExitCode> {
  const { folders } = await loadSettings(findWorkspace(null), {});
  const folder = engineFolder(folders.data);
  const installed = await installedEngine(folder);
  const { signal } = new AbortController();
  if (options.json) {
    const facts = installed === null ? null : await factsOf(installed, signal);
    const report = { folder, installed, facts };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else if (installed === null) {
    const says = "is not installed; midspan model engine install fetches it";
    process.stdout.write(`${ENGINE_PACKAGE} ${ENGINE_VERSION} ${says} into ${folder}\n`);
  } else {
    process.stdout.write(`${await summaryOf(installed, signal)}\n`);
  }
  return installed === null ? 1 : 0;
}

/** Removes all versions. */
export async function engineRemoveCommand(): Promise<ExitCode> {
  const { folders } = await loadSettings(findWorkspace(null), {});
  const folder = enginesFolder(folders.data);
  const wasThere = await removeEngines(folder);
  process.stdout.write(wasThere ? `Removed ${folder}\n` : `There is nothing in ${folder}\n`);
  return 0;
}

async function summaryOf(installed: InstalledEngine, signal: AbortSignal): Promise<string> {
  const { gpu, threads } = await factsOf(installed, signal);
  const computes = gpu === "off" ? `on the processor, ${threads} threads` : `with ${gpu}`;
  return `${ENGINE_PACKAGE} ${installed.version} works, ${computes}; it lies in ${installed.folder}`;
}

function factsOf(installed: InstalledEngine, signal: AbortSignal): ReturnType<typeof tryEngine> {
  return tryEngine({
    engineFolder: installed.folder,
    childFile: engineChildFile(),
    threads: availableParallelism(),
    signal,
  });
}
