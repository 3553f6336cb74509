import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { httpCall } from "../testing/http-call.ts";
import { type Served, startServed } from "../testing/served.ts";

const folder = mkdtempSync(join(tmpdir(), "midspan-page-"));
const page = join(folder, "web");
let served: Served;

beforeAll(async () => {
  mkdirSync(join(page, "assets"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(page, "index.html"), "<!doctype html>");
  writeFileSync(join(page, "assets", "main-1a2b.js"), "run()");
  writeFileSync(join(page, "assets", "font.ttf"), Buffer.from([0, 255, 254]));
  writeFileSync(join(page, "unknown.kind"), "x");
  symlinkSync(join(folder, "secret.txt"), join(page, "link.txt"));
  served = await startServed({ pageFolder: page });
});

afterAll(async () => {
  await served.server.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ["/", 200, "text/html; charset=utf-8", "no-cache"],
  ["/?workspace=1", 200, "text/html; charset=utf-8", "no-cache"],
  ["/index.html", 200, "text/html; charset=utf-8", "no-cache"],
  [
    "/assets/main-1a2b.js",
    200,
    "text/javascript; charset=utf-8",
    "public, max-age=31536000, immutable",
  ],
  ["/assets/font.ttf", 200, "font/ttf", "public, max-age=31536000, immutable"],
  ["/unknown.kind", 200, "application/octet-stream", "no-cache"],
  ["/assets", 404, "application/json; charset=utf-8", undefined],
  ["/assets/", 404, "application/json; charset=utf-8", undefined],
  ["/nothing.js", 404, "application/json; charset=utf-8", undefined],
])("%s is %i.", async (path, status, contentType, cacheControl) => {
  const answer = await httpCall(served.port, { path });
  expect([answer.status, answer.headers["content-type"], answer.headers["cache-control"]]).toEqual([
    status,
    contentType,
    cacheControl,
  ]);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
});

test.each([
  "/../secret.txt",
  "/..%2fsecret.txt",
  "/%2e%2e/secret.txt",
  "/assets/../../secret.txt",
  "/..%5csecret.txt",
  "/link.txt",
  "/index.html%00.txt",
  `/${encodeURIComponent(join(folder, "secret.txt"))}`,
  "/.",
  "/..",
  "//",
])("%s shows nothing from outside the folder.", async (path) => {
  const answer = await httpCall(served.port, { path });
  expect([answer.status, answer.body.includes("secret\n") || answer.body === "secret"]).toEqual([
    404,
    false,
  ]);
});

test("The page runs scripts of its own only and may not be framed.", async () => {
  const policy = String(
    (await httpCall(served.port, { path: "/" })).headers["content-security-policy"],
  );
  expect(policy.split("; ")).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]),
  );
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
});

test("An unchanged file is not sent again; a changed one of the same length is.", async () => {
  const first = await httpCall(served.port, { path: "/unknown.kind" });
  const etag = String(first.headers.etag);
  const headers = { "if-none-match": etag };
  const again = await httpCall(served.port, { path: "/unknown.kind", headers });
  expect([again.status, again.body, again.headers.etag]).toEqual([304, "", etag]);
  writeFileSync(join(page, "unknown.kind"), "y");
  const changed = await httpCall(served.port, { path: "/unknown.kind", headers });
  expect([changed.status, changed.body]).toEqual([200, "y"]);
});

test("HEAD has the headers and no body.", async () => {
  const answer = await httpCall(served.port, { method: "HEAD", path: "/" });
  expect([answer.status, answer.headers["content-length"], answer.body]).toEqual([200, "15", ""]);
});
