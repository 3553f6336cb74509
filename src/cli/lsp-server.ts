/** Lets the language server of one folder share a running `midspan serve`. */
import { randomBytes } from "node:crypto";
import type { Settings } from "../config/schema.ts";
import { systemClock } from "../host/clock.ts";
import { createHttpClient } from "../host/http-client.ts";
import type { WorkspaceRequest } from "../lsp/ports.ts";
import { SharedEngine } from "../lsp/shared-engine.ts";
import { SharedServer } from "../lsp/shared-server.ts";
import { objectFields } from "../protocol/decode.ts";
import type { Product } from "./product.ts";

/** Longer than the server's own limit for a model, which then answers with what it has. */
const GRACE_MS = 500;

export interface SharedParts {
  readonly engine: SharedEngine;
  readonly server: SharedServer;
  close(): Promise<void>;
}

/** Looks for the server once; whatever it finds, the returned engine answers. */
export async function shareServer(options: {
  readonly url: string;
  /** Real path of the folder. */
  readonly workspace: string;
  readonly settings: Settings;
  readonly product: Product;
  readonly request: WorkspaceRequest;
}): Promise<SharedParts> {
  const { url, workspace, settings, product, request } = options;
  const { notify, client, root } = request;
  const http = createHttpClient({ isOffline: settings["offline.enabled"] });
  const server = new SharedServer({
    url: url.replace(/\/+$/, ""),
    token: settings["server.token"],
    http,
    clock: systemClock,
    log: product.log,
    timeoutMs: settings["request.timeoutMs"] + GRACE_MS,
  });
  const health = await server.find();
  if (health === null) notify("info", `${server.url} does not answer; going on alone`);
  else {
    const served = objectFields(health, "health").workspace;
    if (root !== null && served !== workspace) {
      notify("warning", `${server.url} serves ${String(served)}, not ${workspace}`);
    }
  }
  let isIndexed = !server.isThere;
  const stop = server.changes.on((isThere) => {
    notify("info", isThere ? `${server.url} answers` : `${server.url} is gone; going on alone`);
    if (isThere || isIndexed || root === null) return;
    isIndexed = true;
    product.index?.start().catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      notify("warning", `${workspace} was not indexed: ${message}`);
    });
  });
  const engine = new SharedEngine({
    server,
    own: product.engine,
    ownFeedback: product.events,
    bufferOf: (uri) => product.engine.documents.bufferOf(uri),
    clock: systemClock,
    wallNow: () => Date.now(),
    session: randomBytes(6).toString("hex"),
    client: client.name,
  });
  return {
    engine,
    server,
    close: async () => {
      stop();
      server.close();
      await http.close();
    },
  };
}
