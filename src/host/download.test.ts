import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../core/index.ts";
import {
  type RecordedRequest,
  ScriptedServer,
  type WireReply,
} from "../testing/scripted-server.ts";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { type DownloadOptions, download } from "./download.ts";
import { type ClosableHttpClient, createHttpClient } from "./http-client.ts";

/** 300 kB that do not repeat. */
const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919 + (i >> 8)) % 251));
const sha256 = createHash("sha256").update(content).digest("hex");

let server: ScriptedServer;
let http: ClosableHttpClient;
let folder: string;
let target: string;
const waits: number[] = [];

/** Waits take no time and are written down; a stalled connection is never given up. */
const clock: Clock = {
  now: () => 0,
  after: (ms, callback) => {
    if (ms === 30_000) return () => {};
    waits.push(ms);
    queueMicrotask(callback);
    return () => {};
  },
};

beforeEach(async () => {
  server = await ScriptedServer.start(ranges);
  http = createHttpClient({ isOffline: false, limits: { maxBodyBytes: Number.POSITIVE_INFINITY } });
  folder = tempFolder();
  target = join(folder, "models", "m.gguf");
  waits.length = 0;
});
afterEach(async () => {
  await http.close();
  await server.close();
});

const advice = {
  source: "choose another source",
  byHand: "fetch it by hand",
  room: "set models.folder",
};

function fetchIt(
  changes: {
    readonly sha256?: string | null;
    readonly bytes?: number | null;
    readonly url?: string;
  } = {},
  options: Partial<DownloadOptions> = {},
): ReturnType<typeof download> {
  const url = changes.url ?? `${server.url}/m.gguf`;
  const file = { url, target, sha256, bytes: content.length, ...changes };
  const { signal } = new AbortController();
  const defaults = { http, clock, signal, isOffline: false, onProgress: () => {}, advice };
  return download(file, { ...defaults, ...options });
}

/** Sends the file, or the rest of it. */
function ranges(request: RecordedRequest): WireReply {
  const start = startOf(request);
  const rest = content.subarray(start);
  return {
    status: start > 0 ? 206 : 200,
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(rest.length),
      ...(start > 0
        ? { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` }
        : {}),
    },
    steps: [{ kind: "write", bytes: rest }],
  };
}

function startOf({ headers }: RecordedRequest): number {
  return Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
}

/** Cuts the connection after this many bytes of what was asked for. */
function breaking(after: number): (request: RecordedRequest) => WireReply {
  return (request) => {
    const reply = ranges(request);
    const bytes = content.subarray(startOf(request), startOf(request) + after);
    return { ...reply, steps: [{ kind: "write", bytes }, { kind: "reset" }] };
  };
}

function names(): string[] {
  return existsSync(join(folder, "models")) ? readdirSync(join(folder, "models")).sort() : [];
}

describe("download", () => {
  it("fetches a file, checks it and leaves nothing else behind", async () => {
    const seen: (readonly [number, number | null])[] = [];
    const result = await fetchIt({}, { onProgress: (done, total) => seen.push([done, total]) });
    expect(result).toEqual({ bytes: content.length, sha256, resumedAt: 0 });
    expect(readFileSync(target).equals(content)).toBe(true);
    expect(names()).toEqual(["m.gguf"]);
    expect(seen[0]).toEqual([0, content.length]);
    expect(seen.at(-1)).toEqual([content.length, content.length]);
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("goes on where the connection broke, in the same run", async () => {
    let count = 0;
    server.script = (request) => (count++ < 2 ? breaking(100_000)(request) : ranges(request));
    const reasons: string[] = [];
    await fetchIt({}, { onRetry: (reason) => reasons.push(reason) });
    expect(readFileSync(target).equals(content)).toBe(true);
    expect(server.requests.map(startOf)[0]).toBe(0);
    expect(
      server.requests.map(startOf).every((start, i, all) => i === 0 || start > (all[i - 1] ?? 0)),
    ).toBe(true);
    expect(reasons).toHaveLength(2);
  });

  it("keeps the half of a file and goes on with it next time", async () => {
    server.script = breaking(50_000);
    const controller = new AbortController();
    const onProgress = (done: number): void => {
      if (done >= 50_000) controller.abort(new Error("enough"));
    };
    await expect(fetchIt({}, { onProgress, signal: controller.signal })).rejects.toThrow("enough");
    expect(names()).toEqual(["m.gguf.part"]);

    server.script = ranges;
    const { resumedAt } = await fetchIt();
    expect(resumedAt).toBe(50_000);
    expect(startOf(server.requests.at(-1) as RecordedRequest)).toBe(50_000);
    expect(readFileSync(target).equals(content)).toBe(true);
    expect(names()).toEqual(["m.gguf"]);
  });

  it("begins anew where the server knows no ranges", async () => {
    writeFiles(folder, { "models/m.gguf.part": content.subarray(0, 1000) });
    server.script = (request) => ranges({ ...request, headers: {} });
    await fetchIt();
    expect(readFileSync(target).equals(content)).toBe(true);
  });

  it("gives up a server that knows no ranges and always breaks off", async () => {
    server.script = (request) => breaking(1_000)({ ...request, headers: {} });
    await expect(fetchIt()).rejects.toMatchObject({ code: "DOWNLOAD_FAILED" });
    expect(server.requests).toHaveLength(5);
  });

  it("takes no more than was announced, however long the answer goes on", async () => {
    const seen: number[] = [];
    server.script = () => ({
      status: 200,
      headers: { "content-type": "application/octet-stream" },
      steps: [...Array(4)].map(() => ({ kind: "write", bytes: content }) as const),
    });
    const fetched = fetchIt({}, { onProgress: (done) => seen.push(done) });
    await expect(fetched).rejects.toMatchObject({ code: "CHECKSUM_MISMATCH" });
    expect(Math.max(...seen)).toBeLessThanOrEqual(content.length);
    expect(names()).toEqual([]);
  });

  it("asks for nothing when the half is whole", async () => {
    writeFiles(folder, { "models/m.gguf.part": content });
    server.script = () => ({ status: 416, steps: [] });
    expect((await fetchIt()).resumedAt).toBe(content.length);
    expect(names()).toEqual(["m.gguf"]);
  });

  it("goes on with no half whose checksum nobody knows", async () => {
    writeFiles(folder, { "models/m.gguf.part": content.subarray(0, 1000) });
    expect(await fetchIt({ sha256: null })).toEqual({
      bytes: content.length,
      sha256,
      resumedAt: 0,
    });
    server.script = breaking(1000);
    await expect(fetchIt({ sha256: null })).rejects.toMatchObject({ code: "DOWNLOAD_FAILED" });
    expect(names()).toEqual(["m.gguf"]);
  });

  it.each([
    ["a wrong checksum", { sha256: "0".repeat(64) }, "the checksum is"],
    ["another length", { bytes: 10 }, "it has 300000 bytes instead of 10"],
  ])("removes what came with %s", async (_, changes, says) => {
    await expect(fetchIt(changes)).rejects.toMatchObject({
      code: "CHECKSUM_MISMATCH",
      message: expect.stringContaining(says),
    });
    expect(names()).toEqual([]);
  });

  it("removes a half that turns out to be of another file", async () => {
    writeFiles(folder, { "models/m.gguf.part": Buffer.alloc(1000) });
    await expect(fetchIt()).rejects.toMatchObject({ code: "CHECKSUM_MISMATCH" });
    expect(names()).toEqual([]);
    await fetchIt();
    expect(names()).toEqual(["m.gguf"]);
  });

  it("looks for room on the disk before it asks for anything", async () => {
    const freeBytes = async () => 1_000_000;
    await expect(fetchIt({ bytes: 4e9 }, { freeBytes })).rejects.toMatchObject({
      code: "STORAGE_FULL",
      message: expect.stringMatching(/4\.0 GB are needed and 1\.0 MB are free; .*models\.folder/),
    });
    expect(server.requests).toEqual([]);
    await expect(fetchIt({ bytes: null }, { freeBytes })).rejects.toMatchObject({
      code: "STORAGE_FULL",
    });
    expect(names()).toEqual([]);
  });

  it.each([
    [404, "has no such file"],
    [403, "wants an account"],
    [418, "answered with status 418"],
  ])("says what status %d means, and asks once", async (status, says) => {
    server.script = () => ({ status, steps: [] });
    await expect(fetchIt()).rejects.toMatchObject({
      code: "DOWNLOAD_FAILED",
      message: expect.stringContaining(says),
    });
    expect(server.requests).toHaveLength(1);
    expect(names()).toEqual([]);
  });

  it("takes no web page for a model", async () => {
    server.script = () => ({
      headers: { "content-type": "text/html" },
      steps: [{ kind: "write", bytes: "<html>Sign in</html>" }],
    });
    await expect(fetchIt()).rejects.toMatchObject({
      message: expect.stringContaining("sent a web page"),
    });
    expect(names()).toEqual([]);
  });

  it("asks a busy server again after the time that it names", async () => {
    let count = 0;
    server.script = (request) =>
      count++ === 0 ? { status: 503, headers: { "retry-after": "7" }, steps: [] } : ranges(request);
    const told: unknown[] = [];
    await fetchIt({}, { onRetry: (reason, waitMs) => told.push([reason, waitMs]) });
    const { host } = new URL(server.url);
    expect([waits, told]).toEqual([[7000], [[`${host} answered with status 503`, 7000]]]);
  });

  it("gives up after a while, waiting longer each time", async () => {
    server.script = () => ({ steps: [{ kind: "reset" }] });
    await expect(fetchIt()).rejects.toMatchObject({
      code: "DOWNLOAD_FAILED",
      message: expect.stringMatching(
        /cannot be reached or hung up \(ECONNRESET\); check the network, or choose another source/,
      ),
    });
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
    expect(names()).toEqual([]);
  });

  it("gives up a connection that brings nothing", async () => {
    server.script = (request) => ({ ...ranges(request), steps: [{ kind: "hang" }] });
    const impatient: Clock = {
      now: () => 0,
      after: (_, callback) => {
        const timer = setTimeout(callback, 5);
        return () => clearTimeout(timer);
      },
    };
    await expect(fetchIt({}, { clock: impatient })).rejects.toMatchObject({
      code: "DOWNLOAD_FAILED",
      message: expect.stringContaining("sent nothing for 30 s"),
    });
  });

  it("lets one process fetch a file at a time", async () => {
    server.script = (request) => ({ ...ranges(request), steps: [{ kind: "hang" }] });
    const controller = new AbortController();
    const first = fetchIt({}, { signal: controller.signal });
    await new Promise<void>((resolve) => {
      const { script } = server;
      server.script = (request) => {
        resolve();
        return script(request);
      };
    });
    await expect(fetchIt()).rejects.toMatchObject({
      code: "DOWNLOAD_FAILED",
      message: expect.stringContaining("another process"),
    });
    controller.abort(new Error("stop"));
    await expect(first).rejects.toThrow("stop");
    expect(names()).toEqual([]);
  });
});

describe("redirects", () => {
  const elsewhere = (location: string) => (request: RecordedRequest) =>
    request.path === "/m.gguf"
      ? { status: 302, headers: { location }, steps: [] }
      : ranges(request);

  it("follows them to the same host, and the range with them", async () => {
    writeFiles(folder, { "models/m.gguf.part": content.subarray(0, 1000) });
    server.script = elsewhere("/other/place");
    await fetchIt();
    expect(server.requests.map(({ path }) => path)).toEqual(["/m.gguf", "/other/place"]);
    expect(server.requests.map(startOf)).toEqual([1000, 1000]);
  });

  it("follows them to another host if the checksum is known", async () => {
    server.script = elsewhere(`${server.url.replace("127.0.0.1", "localhost")}/blob`);
    await fetchIt();
    expect(readFileSync(target).equals(content)).toBe(true);
    await expect(fetchIt({ sha256: null })).rejects.toMatchObject({
      code: "DOWNLOAD_FAILED",
      message: expect.stringContaining("no checksum is known"),
    });
  });

  it.each([
    ["file:///etc/passwd", "no web address"],
    ["http://user:secret@127.0.0.1/m", "holds a password"],
    ["", "redirects without end"],
    ["http://[", "redirects to nowhere"],
    ["http://169.254.7.7/m", "only the machine itself"],
    ["http://[fe80::1]/m", "only the machine itself"],
    ["http://[::ffff:169.254.7.7]/m", "only the machine itself"],
  ])("does not follow one to %j", async (location, says) => {
    server.script = elsewhere(location === "" ? "/m.gguf" : location);
    await expect(fetchIt()).rejects.toMatchObject({
      code: "DOWNLOAD_FAILED",
      message: expect.stringContaining(says),
    });
    expect(names()).toEqual([]);
  });

  it("never leaves the machine when offline", async () => {
    server.script = elsewhere("http://mirror.example/m.gguf");
    await expect(fetchIt({}, { isOffline: true })).rejects.toMatchObject({
      code: "DOWNLOAD_FAILED",
      message: expect.stringContaining("mirror.example is not on this machine"),
    });
    await expect(
      fetchIt({ url: "https://mirror.example/m.gguf" }, { isOffline: true }),
    ).rejects.toMatchObject({ message: expect.stringContaining("--offline refuses it") });
    expect(names()).toEqual([]);
  });
});
