/** What the benches measure, put together with the product's default settings. */
import { resolveSettings } from "../config/resolve.ts";
import { lexicalScopeProbe, resolveFormat } from "../core/index.ts";
import { Engine } from "../engine/index.ts";
import type { ListeningServer } from "../eval/bench-target.ts";
import type { EngineParts } from "../eval/engine-bench.ts";
import { InstantBackend } from "../eval/instant-backend.ts";
import { systemClock } from "../host/clock.ts";
import { createLog } from "../host/log.ts";
import { createServer } from "../server/app.ts";
import { Metrics } from "../server/metrics.ts";
import { defaultServerLimits } from "../server/ports.ts";
import { engineSettings } from "./engine-settings.ts";
import { version } from "./version.ts";

/** A model whose prompt format is known; which one makes no difference to an instant backend. */
const MODEL = "qwen2.5-coder-1.5b";

/** An engine as `serve` makes it, whatever the person's own settings are. */
export function createBenchEngine({ local, backend }: EngineParts): Engine {
  const sources = { flags: {}, environment: {}, user: null, workspace: null };
  const { settings } = resolveSettings(sources);
  const format = resolveFormat({ model: MODEL, backendKind: "instant", override: null });
  let requests = 0;
  return new Engine({
    clock: systemClock,
    settings: engineSettings(settings),
    local,
    model: backend === null ? null : { backend, id: MODEL, format, repositoryName: "bench" },
    scopes: lexicalScopeProbe,
    nextId: () => String(requests++),
    isExcluded: () => false,
  });
}

/** The server as `serve` makes it, with a backend that answers at once and no local model. */
export async function listenInstant(): Promise<ListeningServer> {
  const backend = new InstantBackend("items.map((item) => item.total);");
  return listenBenchEngine(createBenchEngine({ local: null, backend }));
}

/** The server as `serve` makes it, around an engine, which it disposes of. */
export async function listenBenchEngine(engine: Engine): Promise<ListeningServer> {
  const server = createServer({
    engine,
    health: () => ({
      name: "midspan",
      version,
      status: "ok",
      problems: [],
      offline: false,
      workspace: null,
      local: { enabled: false, state: "off", files: 0, files_total: 0, tokens: 0, skipped: 0 },
      backend: null,
      threshold: 0,
    }),
    models: async () => ({ object: "list", data: [] }),
    workspace: null,
    pageFolder: null,
    metrics: new Metrics(),
    log: createLog({ level: "error" }),
    token: null,
    limits: defaultServerLimits,
  });
  const { host, port } = await server.listen({ host: "127.0.0.1", port: 0, tryNext: false });
  return {
    url: `http://${host}:${port}`,
    close: async () => {
      await server.close();
      engine.dispose();
    },
  };
}
