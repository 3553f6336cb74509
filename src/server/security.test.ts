import { expect, onTestFinished, test } from "vitest";
import { CompletionError } from "../core/index.ts";
import { httpCall, rawExchange } from "../testing/http-call.ts";
import { samples } from "../testing/prometheus.ts";
import { type Served, startServed } from "../testing/served.ts";
import { Gate, isLoopbackHost } from "./security.ts";

async function serve(changes: Parameters<typeof startServed>[0] = {}): Promise<Served> {
  const served = await startServed(changes);
  onTestFinished(() => served.server.close());
  return served;
}

/** Status of a request for the health of a server with these headers. */
async function statusWith(port: number, headers: Record<string, string>): Promise<number> {
  return (await httpCall(port, { path: "/v1/health", headers })).status;
}

test("On loopback the Host is one of its names with the bound port.", async () => {
  const { port } = await serve();
  for (const host of ["127.0.0.1", "localhost", "LocalHost", "[::1]"]) {
    expect([host, await statusWith(port, { host: `${host}:${port}` })]).toEqual([host, 200]);
  }
  const foreign = [
    "evil.example",
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost:${port + 1}`,
    "localhost",
    `localhost:${port}:80`,
    `127.0.0.2:${port}`,
    `user@localhost:${port}`,
    `0.0.0.0:${port}`,
    ":",
  ];
  for (const host of foreign) {
    expect([host, await statusWith(port, { host })]).toEqual([host, 403]);
  }
});

test("A request without a Host is refused, HTTP/1.0 included.", async () => {
  const { port } = await serve();
  for (const head of ["GET /v1/health HTTP/1.0", "GET /v1/health HTTP/1.1\r\nConnection: close"]) {
    const received = await rawExchange(port, `${head}\r\n\r\n`, { end: false });
    expect(received).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(received).toContain('"code":"FORBIDDEN"');
  }
});

test("The Origin is absent or that of the server itself.", async () => {
  const { port } = await serve();
  const statusFrom = (origin: string): Promise<number> => statusWith(port, { origin });
  expect(await statusFrom(`http://127.0.0.1:${port}`)).toBe(200);
  const foreign = [
    "https://evil.example",
    "null",
    `http://localhost:${port}`,
    `http://127.0.0.1:${port + 1}`,
    "http://127.0.0.1",
    "file://",
    "",
  ];
  for (const origin of foreign) {
    expect([origin, await statusFrom(origin)]).toEqual([origin, 403]);
  }
  const own = { host: `localhost:${port}`, origin: `http://localhost:${port}` };
  expect(await statusWith(port, own)).toBe(200);
});

test("The checks hold for every address, and nothing sends a CORS header.", async () => {
  const { port, engine } = await serve();
  for (const [method, path] of [
    ["GET", "/"],
    ["GET", "/metrics"],
    ["GET", "/v1/nothing"],
    ["POST", "/v1/autocomplete"],
    ["OPTIONS", "/v1/autocomplete"],
  ] as const) {
    const headers = {
      origin: "https://evil.example",
      "access-control-request-method": "POST",
      "content-type": "application/json",
    };
    const answer = await httpCall(port, { method, path, headers });
    expect([path, answer.status]).toEqual([path, 403]);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-"))).toEqual([]);
  }
  expect(engine.requests).toEqual([]);
});

test("A public address needs a token before anything is bound.", async () => {
  for (const boundHost of ["0.0.0.0", "::", "192.168.1.2", "example.org"]) {
    for (const token of [null, ""]) {
      expect(() => new Gate({ boundHost, token })).toThrow(CompletionError);
    }
    expect(() => new Gate({ boundHost, token: "secret" })).not.toThrow();
  }
  expect(() => new Gate({ boundHost: "127.0.0.1", token: "" }).checkToken({})).not.toThrow();
  await expect(startServed({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
});

test("With a token every endpoint asks for it; the page does not.", async () => {
  const { port, metrics, lines } = await serve({ host: "0.0.0.0", token: "s3cret" });
  const statusFor = async (path: string, authorization?: string): Promise<number> => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    return (await httpCall(port, { path, headers })).status;
  };
  for (const path of [
    "/v1/health",
    "/%761/health",
    "/v1/models",
    "/metrics",
    "/v1/workspace/file",
  ]) {
    expect([path, await statusFor(path)]).toEqual([path, 401]);
  }
  expect(await statusFor("/v1/health", "Bearer s3cret")).toBe(200);
  expect(await statusFor("/v1/health", "bearer  s3cret")).toBe(200);
  for (const wrong of ["", "Bearer", "Bearer s3cre", "Bearer s3crett", "Basic s3cret", "s3cret"]) {
    expect([wrong, await statusFor("/v1/health", wrong)]).toEqual([wrong, 401]);
  }
  expect(await statusFor("/v1/health?token=s3cret")).toBe(401);
  expect(await statusFor("/")).toBe(404);
  const refused = await httpCall(port, { method: "POST", path: "/v1/autocomplete" });
  expect(refused.headers["www-authenticate"]).toBe("Bearer");
  expect(JSON.parse(refused.body).error.code).toBe("UNAUTHORIZED");
  expect(samples(await metrics.text(), "midspan_errors_total")).toEqual([
    'code="UNAUTHORIZED" 13',
    'code="NOT_FOUND" 1',
  ]);
  expect(JSON.stringify(lines)).not.toContain("s3cre");
});

test("On a public address any Host is taken, a foreign Origin is not.", async () => {
  const { port } = await serve({ host: "0.0.0.0", token: "s3cret" });
  const authorization = "Bearer s3cret";
  expect(await statusWith(port, { authorization, host: "midspan.example" })).toBe(200);
  const own = { authorization, host: "midspan.example", origin: "https://midspan.example" };
  expect(await statusWith(port, own)).toBe(200);
  const foreign = { authorization, host: "midspan.example", origin: "https://evil.example" };
  expect(await statusWith(port, foreign)).toBe(403);
});

test("Loopback is 127.0.0.0/8, ::1 and localhost.", () => {
  const hosts = ["127.0.0.1", "127.9.9.9", "::1", "localhost", "0.0.0.0", "::", "127.evil.example"];
  expect(hosts.filter(isLoopbackHost)).toEqual(["127.0.0.1", "127.9.9.9", "::1", "localhost"]);
});
