/** `midspan model pull`: fetches a model, shows how far it is, and says what was checked. */
import { byteSize } from "../base/byte-size.ts";
import { systemClock } from "../host/clock.ts";
import { createHttpClient } from "../host/http-client.ts";
import { catalogue, fileSize } from "../host/models/catalogue.ts";
import { namedFile, type Pulled, pullModel } from "../host/models/pull-model.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { loadSettings } from "./load-settings.ts";
import { modelsFolder, storedModelFile } from "./model-file.ts";
import { createProgress } from "./progress.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** The unit of the progress bar. */
const MEGABYTE = 1_000_000;

export async function modelPullCommand(options: {
  readonly name: string;
  readonly json: boolean;
  readonly flags: Flags;
}): Promise<ExitCode> {
  const { name } = options;
  const { resolved, folders } = await loadSettings(findWorkspace(null), options.flags);
  const { settings } = resolved;
  const own = catalogue.some((model) => model.name === name)
    ? null
    : await storedModelFile(name, modelsFolder(settings, folders));
  if (own !== null) {
    const { path, bytes } = own;
    printPulled({ path, bytes, sha256: null, checkedAgainst: "already there", resumedAt: 0 });
    return 0;
  }
  const { file, model } = namedFile(name);
  const isOffline = settings["offline.enabled"];
  const mirror = settings["models.mirror"];
  const size = model === null ? null : fileSize(model, file);
  const about = size === null ? "" : ` (${size.isExact ? "" : "about "}${byteSize(size.bytes)})`;
  const licence = model === null ? "" : `; its licence is ${model.licence}`;
  note(`${file.file}${about} comes from ${new URL(mirror).host}${licence}`);

  const http = createHttpClient({ isOffline, limits: { maxBodyBytes: Number.POSITIVE_INFINITY } });
  const progress = createProgress(name, process.stderr);
  const interrupted = untilInterrupted();
  const speed = new Speed();
  try {
    const pulled = await pullModel(file, {
      mirror,
      folder: modelsFolder(settings, folders),
      http,
      clock: systemClock,
      isOffline,
      signal: interrupted.signal,
      onProgress: (done, total) => {
        const megabytes = (bytes: number): number => Math.round(bytes / MEGABYTE);
        progress.update(megabytes(done), megabytes(total ?? 0), `MB${speed.at(done, total)}`);
      },
      onRetry: (reason, waitMs) => {
        const when = waitMs === 0 ? "at once" : `in ${Math.ceil(waitMs / 1000)} s`;
        progress.say(`midspan: ${reason}; trying again ${when}`);
      },
    });
    progress.finish(null);
    printPulled(pulled);
    return 0;
  } catch (error) {
    progress.finish(null);
    if (!interrupted.signal.aborted) throw error;
    note(`stopped; midspan model pull ${name} goes on from here`);
    return 1;
  } finally {
    interrupted.dispose();
    await http.close();
  }

  function printPulled(pulled: Pulled): void {
    const text = options.json ? JSON.stringify(pulled, null, 2) : summaryOf(pulled, name);
    process.stdout.write(`${text}\n`);
  }
}

function summaryOf(
  { path, bytes, sha256, checkedAgainst, resumedAt }: Pulled,
  name: string,
): string {
  const next = `midspan model run ${name}`;
  switch (checkedAgainst) {
    case "already there":
      return `Already there, ${byteSize(bytes)}: ${path}\n${next}`;
    case "catalogue":
    case "mirror": {
      const whose = checkedAgainst === "catalogue" ? "that of the catalogue" : "that of the mirror";
      const resumed = resumedAt > 0 ? `, ${byteSize(resumedAt)} of them from before` : "";
      return `Fetched ${byteSize(bytes)}${resumed}; the checksum is ${whose}.\n${path}\n${next}`;
    }
    case "none":
      return `Fetched ${byteSize(bytes)}. Nobody told a checksum to compare with; this one is ${sha256}.\n${path}\n${next}`;
  }
}

/** Bytes a second over the last seconds, and what is left at that speed. */
class Speed {
  #samples: { readonly ms: number; readonly bytes: number }[] = [];

  at(bytes: number, total: number | null): string {
    const ms = performance.now();
    const last = this.#samples.at(-1);
    // Pieces of 64 kB arrive by the thousand.
    if (last === undefined || ms - last.ms > 100) this.#samples.push({ ms, bytes });
    this.#samples = this.#samples.slice(-50);
    const first = this.#samples[0];
    if (first === undefined || ms - first.ms < 1_000) return "";
    const perSecond = ((bytes - first.bytes) / (ms - first.ms)) * 1000;
    if (perSecond < 1) return "";
    const left = total === null ? "" : `, ${duration((total - bytes) / perSecond)} left`;
    return `, ${byteSize(perSecond)}/s${left}`;
  }
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function note(text: string): void {
  process.stderr.write(`midspan: ${text}\n`);
}
