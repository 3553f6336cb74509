import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HttpResponse } from "../core/index.ts";
import { ScriptedServer, type WireReply } from "../testing/scripted-server.ts";
import {
  type ClosableHttpClient,
  createHttpClient,
  type HttpClientOptions,
} from "./http-client.ts";
import { loopbackLookup } from "./loopback-only.ts";

const { signal } = new AbortController();
const hello: WireReply = { steps: [{ kind: "write", bytes: "hello" }] };

async function textOf(response: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

describe("the HTTP client", () => {
  let server: ScriptedServer;
  const clients: ClosableHttpClient[] = [];
  const client = (options: Partial<HttpClientOptions> = {}): ClosableHttpClient => {
    const created = createHttpClient({ isOffline: false, ...options });
    clients.push(created);
    return created;
  };
  const get = (url: string) => ({ method: "GET", url, headers: {} }) as const;

  beforeEach(async () => {
    server = await ScriptedServer.start(() => hello);
  });
  afterEach(async () => {
    for (const each of clients.splice(0)) await each.close();
    await server.close();
  });

  it("sends path, query, headers and body, and gives back status and headers", async () => {
    server.script = () => ({ status: 201, headers: { "X-One": "1" }, steps: hello.steps });
    const request = {
      method: "POST",
      url: `${server.url}/a/b?c=d`,
      headers: { "x-two": "2" },
      body: "{}",
    } as const;
    const response = await client().send(request, { signal });
    expect(await textOf(response)).toBe("hello");
    expect(response).toMatchObject({ status: 201, headers: { "x-one": "1" } });
    expect(server.requests[0]).toMatchObject({ method: "POST", path: "/a/b?c=d", body: "{}" });
    expect(server.requests[0]?.headers).toMatchObject({ "x-two": "2" });
  });

  it("follows no redirect", async () => {
    server.script = () => ({ status: 302, headers: { location: "/elsewhere" }, steps: [] });
    const response = await client().send(get(server.url), { signal });
    expect(response.status).toBe(302);
    await textOf(response);
    expect(server.requests).toHaveLength(1);
  });

  it("keeps its connections within the limit and queues what is over it", async () => {
    const http = client({ limits: { connectionsPerOrigin: 2 } });
    const one = async () => textOf(await http.send(get(server.url), { signal }));
    expect(await Promise.all(Array.from({ length: 8 }, one))).toEqual(Array(8).fill("hello"));
    expect(server.connectionCount).toBeLessThanOrEqual(2);
  });

  it("refuses headers and bodies over the limit", async () => {
    server.script = () => ({ headers: { big: "x".repeat(3000) }, steps: hello.steps });
    const small = client({ limits: { maxHeaderBytes: 2048, maxBodyBytes: 10_000 } });
    await expect(small.send(get(server.url), { signal })).rejects.toMatchObject({
      code: "BACKEND_BAD_RESPONSE",
      message: expect.stringContaining("headers over the limit"),
    });
    server.script = () => ({ steps: [{ kind: "endless", bytes: "x".repeat(1000) }] });
    const response = await small.send(get(server.url), { signal });
    await expect(textOf(response)).rejects.toMatchObject({
      code: "BACKEND_BAD_RESPONSE",
      message: expect.stringContaining("over the size limit"),
    });
  });

  it("tries a request once more on a reset, and not when it was given up", async () => {
    server.script = () => ({ steps: [{ kind: "reset" }] });
    await expect(client().send(get(server.url), { signal })).rejects.toMatchObject({
      code: "BACKEND_UNREACHABLE",
    });
    expect(server.requests).toHaveLength(2);
    const controller = new AbortController();
    server.script = () => {
      controller.abort(new Error("given up"));
      return { steps: [{ kind: "reset" }] };
    };
    await expect(client().send(get(server.url), { signal: controller.signal })).rejects.toThrow(
      "given up",
    );
    expect(server.requests).toHaveLength(3);
  });

  it("tells a plain server that was addressed with https", async () => {
    const url = server.url.replace("http:", "https:");
    await expect(client().send(get(url), { signal })).rejects.toMatchObject({
      code: "BACKEND_BAD_RESPONSE",
      message: `${url} does not speak TLS; write http instead of https`,
    });
  });

  it("asks again over a connection of its own when those that were kept are dead", async () => {
    // Each connection takes one request, and breaks at the second.
    const used = new WeakSet<Socket>();
    const tired = createHttpServer((request, response) => {
      if (used.has(request.socket)) request.socket.destroy();
      used.add(request.socket);
      response.end("hello");
    });
    await new Promise<void>((resolve) => tired.listen(0, "127.0.0.1", resolve));
    const { port } = tired.address() as AddressInfo;
    const http = client();
    const one = async () => textOf(await http.send(get(`http://127.0.0.1:${port}`), { signal }));
    await Promise.all([one(), one(), one()]);
    expect(await one()).toBe("hello");
    await http.close();
    await new Promise((resolve) => tired.close(resolve));
  });

  it("gives a connection up that is not made in time", async () => {
    // It takes the connection, and never answers the handshake.
    const silent = createServer((socket) => sockets.push(socket));
    const sockets: Socket[] = [];
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const hasty = client({ limits: { connectTimeoutMs: 20 } });
    await expect(hasty.send(get(`https://127.0.0.1:${port}`), { signal })).rejects.toMatchObject({
      code: "BACKEND_UNREACHABLE",
      message: expect.stringContaining("takes no connection in time"),
    });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it("hands the reason on when an answer is given up before anybody reads it", async () => {
    server.script = () => ({ steps: [{ kind: "write", bytes: "a" }, { kind: "hang" }] });
    const controller = new AbortController();
    const response = await client().send(get(server.url), { signal: controller.signal });
    controller.abort(new Error("given up"));
    await expect(textOf(response)).rejects.toThrow("given up");
  });

  it("refuses what waits for a connection when it is closed", async () => {
    server.script = () => ({ steps: [{ kind: "write", bytes: "a" }, { kind: "hang" }] });
    const http = client({ limits: { connectionsPerOrigin: 1 } });
    const response = await http.send(get(server.url), { signal });
    const waits = expect(http.send(get(server.url), { signal })).rejects.toMatchObject({
      message: expect.stringContaining("the program ends"),
    });
    await http.close();
    await waits;
    await expect(textOf(response)).rejects.toMatchObject({ code: "BACKEND_UNREACHABLE" });
    expect(server.requests).toHaveLength(1);
  });

  it("ends what is under way when it is closed", async () => {
    server.script = () => ({ steps: [{ kind: "write", bytes: "a" }, { kind: "hang" }] });
    const http = client();
    const response = await http.send(get(server.url), { signal });
    const reading = textOf(response);
    await http.close();
    await expect(reading).rejects.toMatchObject({ code: "BACKEND_UNREACHABLE" });
    await expect(http.send(get(server.url), { signal })).rejects.toMatchObject({
      message: expect.stringContaining("the program ends"),
    });
  });
});

describe("the HTTP client offline", () => {
  it.each([
    "http://192.0.2.1/",
    "https://api.example/v1",
    "http://[2001:db8::1]:8080/",
    "http://127.0.0.1.example/",
    "http://localhost.example/",
  ])("refuses %s and opens no connection", async (url) => {
    const http = createHttpClient({ isOffline: true });
    const request = { method: "GET", url, headers: {} } as const;
    await expect(http.send(request, { signal })).rejects.toMatchObject({
      code: "BACKEND_UNREACHABLE",
      message: expect.stringContaining("--offline refuses it"),
    });
    await http.close();
  });

  it("reaches a server on this machine, by address and by name", async () => {
    const server = await ScriptedServer.start(() => hello);
    const http = createHttpClient({ isOffline: true });
    for (const url of [server.url, server.url.replace("127.0.0.1", "localhost")]) {
      const request = { method: "GET", url, headers: {} } as const;
      expect(await textOf(await http.send(request, { signal }))).toBe("hello");
    }
    await http.close();
    await server.close();
  });

  it("looks at what a name resolves to", async () => {
    const lookedUp = (host: string) =>
      new Promise((resolve) => {
        loopbackLookup(host, { all: true }, (error, found) => resolve(error ?? found));
      });
    expect(await lookedUp("127.0.0.1")).toEqual([{ address: "127.0.0.1", family: 4 }]);
    expect(await lookedUp("192.0.2.1")).toMatchObject({ code: "BACKEND_UNREACHABLE" });
  });
});
