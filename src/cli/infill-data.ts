/** Where the data of benchmarks comes from: a folder of the person's, or the network into the cache. */
import { join } from "node:path";
import type { DataSource } from "../eval/infill/data-file.ts";
import { systemClock } from "../host/clock.ts";
import { download } from "../host/download.ts";
import type { SourceAdvice } from "../host/download-source.ts";
import { createHttpClient } from "../host/http-client.ts";

const advice: SourceAdvice = {
  source: "copy the file into a folder and name that with --data",
  byHand: "fetch it by hand into a folder and name that with --data",
  room: "set MIDSPAN_HOME to a folder on another disk",
};

/** The source; nothing is fetched before it is asked for. `say` is called with what is fetched. */
export function infillDataSource(options: {
  /** `null`: into the cache. */
  readonly folder: string | null;
  readonly cache: string;
  readonly isOffline: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}): DataSource {
  const { folder, cache, isOffline, signal, say } = options;
  return {
    folder,
    cacheFolder: join(cache, "infill"),
    fetch: async ({ url, sha256, bytes }, target) => {
      say(`${target} comes from ${new URL(url).host}`);
      const http = createHttpClient({
        isOffline,
        limits: { maxBodyBytes: Number.POSITIVE_INFINITY },
      });
      try {
        const file = { url, sha256, bytes, target };
        const clock = systemClock;
        await download(file, { http, clock, isOffline, signal, onProgress: () => {}, advice });
      } finally {
        await http.close();
      }
    },
  };
}
