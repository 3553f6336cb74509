import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startServed } from "../testing/served.ts";
import { createServer } from "./app.ts";
import { listenFault } from "./listen.ts";
import { Metrics } from "./metrics.ts";
import { defaultServerLimits } from "./ports.ts";

/** Something else on a port. */
async function occupyPort(): Promise<number> {
  const other: HttpServer = createHttpServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
}

function idleServer(): ReturnType<typeof createServer> {
  const silent = (): void => {};
  const server = createServer({
    engine: { complete: () => Promise.reject(new Error("not asked")) },
    health: () => {
      throw new Error("not asked");
    },
    models: () => Promise.reject(new Error("not asked")),
    workspace: null,
    pageFolder: null,
    metrics: new Metrics(),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    token: null,
    limits: defaultServerLimits,
  });
  onTestFinished(() => server.close());
  return server;
}

test("A taken port is PORT_TAKEN; with tryNext the next free one is bound and said.", async () => {
  const port = await occupyPort();
  const server = idleServer();
  await expect(server.listen({ host: "127.0.0.1", port, tryNext: false })).rejects.toMatchObject({
    code: "PORT_TAKEN",
    message: `port ${port} is in use`,
  });
  expect(server.port).toBe(0);
  const bound = await server.listen({ host: "127.0.0.1", port, tryNext: true });
  expect(bound).toEqual({ host: "127.0.0.1", port: server.port, hasMoved: true });
  expect(bound.port).toBeGreaterThan(port);
});

test("Any free port is not a move.", async () => {
  const bound = await idleServer().listen({ host: "127.0.0.1", port: 0, tryNext: true });
  expect(bound.hasMoved).toBe(false);
  expect(bound.port).toBeGreaterThan(0);
});

test("An address that is not of this machine is CONFIG_INVALID.", async () => {
  const limits = { host: "192.0.2.1", token: "s3cret" };
  await expect(startServed(limits)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(
      /^cannot listen on 192\.0\.2\.1 port 0: this machine does not have that address \(EADDRNOTAVAIL\); .*--host$/,
    ),
  });
});

test("What the system refuses is said with what to do, whatever it is.", () => {
  expect(listenFault("EACCES")).toBe(
    "the system does not allow it (EACCES); choose a port from 1024 on with --port",
  );
  for (const code of ["EPERM", "ENOTFOUND", "EAI_AGAIN", "EAFNOSUPPORT", "EWHATEVER", undefined]) {
    expect(listenFault(code)).toMatch(new RegExp(`\\b${code}\\b.*; choose .* with --(host|port)$`));
  }
});
