import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { errorOf } from "../../testing/error-of.ts";
import { modelFile } from "../../testing/gguf-file.ts";
import { ScriptedServer, type WireReply } from "../../testing/scripted-server.ts";
import { tempFolder, writeFiles } from "../../testing/temp-folder.ts";
import { systemClock } from "../clock.ts";
import { type ClosableHttpClient, createHttpClient } from "../http-client.ts";
import type { ModelFile } from "./catalogue.ts";
import { fileAddress } from "./mirror.ts";
import { listStored, storedPath } from "./model-store.ts";
import { namedFile, type PullOptions, pullModel } from "./pull-model.ts";

const content = modelFile({ name: "m", tokens: ["<fim_prefix>"] });
const sha256 = createHash("sha256").update(content).digest("hex");
const plain: ModelFile = {
  quantisation: "Q8_0",
  repository: "owner/repo",
  revision: "main",
  file: "m.gguf",
  bytes: null,
  sha256: null,
  source: "",
};

let server: ScriptedServer;
let http: ClosableHttpClient;
let folder: string;
/** What the mirror lists, and what it sends. */
let list: WireReply;
let body: Uint8Array;

beforeEach(async () => {
  list = json([{ type: "file", path: "m.gguf", size: content.length, lfs: { oid: sha256 } }]);
  body = content;
  server = await ScriptedServer.start(({ path }) =>
    path.startsWith("/api/") ? list : { steps: [{ kind: "write", bytes: body }] },
  );
  http = createHttpClient({ isOffline: true, limits: { maxBodyBytes: Number.POSITIVE_INFINITY } });
  folder = join(tempFolder(), "models");
});
afterEach(async () => {
  await http.close();
  await server.close();
});

function json(value: unknown): WireReply {
  return { steps: [{ kind: "write", bytes: JSON.stringify(value) }] };
}

function pull(file: Partial<ModelFile> = {}): ReturnType<typeof pullModel> {
  const options: PullOptions = {
    mirror: `${server.url}/`,
    folder,
    http,
    clock: systemClock,
    isOffline: true,
    signal: new AbortController().signal,
    onProgress: () => {},
  };
  return pullModel({ ...plain, ...file }, options);
}

const paths = (): string[] => server.requests.map(({ path }) => path);

describe("pullModel", () => {
  it("checks against the mirror's list where the catalogue has no checksum", async () => {
    expect(await pull()).toEqual({
      path: storedPath(folder, plain),
      bytes: content.length,
      sha256,
      checkedAgainst: "mirror",
      resumedAt: 0,
    });
    expect(paths()).toEqual([
      "/api/models/owner/repo/tree/main",
      "/owner/repo/resolve/main/m.gguf",
    ]);
  });

  it("asks nothing else where the catalogue knows size and checksum", async () => {
    const { checkedAgainst } = await pull({ sha256, bytes: content.length });
    expect(checkedAgainst).toBe("catalogue");
    expect(paths()).toEqual(["/owner/repo/resolve/main/m.gguf"]);
  });

  it("fetches nothing from a mirror that has another file than the catalogue knows", async () => {
    await expect(pull({ sha256: "0".repeat(64) })).rejects.toMatchObject({
      code: "CHECKSUM_MISMATCH",
      message: expect.stringContaining("nothing was fetched"),
    });
    expect(paths()).toHaveLength(1);
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    ["has no list", { status: 404, steps: [] } satisfies WireReply],
    ["lists other files", json([{ path: "other.gguf", size: 1 }])],
    ["sends rubbish", { steps: [{ kind: "write", bytes: "<html>" }] } satisfies WireReply],
  ])(
    "takes what a mirror sends that %s, and says that nothing vouches for it",
    async (_, reply) => {
      list = reply;
      expect((await pull()).checkedAgainst).toBe("none");
    },
  );

  it("fetches no file twice", async () => {
    await pull();
    const { length } = server.requests;
    expect(await pull()).toMatchObject({ checkedAgainst: "already there", bytes: content.length });
    expect(server.requests).toHaveLength(length);
  });

  it("fetches a file again that has not the size of the catalogue", async () => {
    writeFiles(folder, { "owner/repo/m.gguf": "short" });
    expect((await pull({ sha256, bytes: content.length })).checkedAgainst).toBe("catalogue");
  });

  it("removes what turns out to be no model", async () => {
    body = Buffer.from("not a model, though it has the right checksum for what it is");
    list = json([]);
    await expect(pull()).rejects.toMatchObject({ code: "MODEL_FILE_INVALID" });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("namedFile", () => {
  it("takes a name, a name with a quantisation, and a file of any repository", () => {
    expect(namedFile("qwen2.5-coder-1.5b").file.file).toBe("qwen2.5-coder-1.5b-q8_0.gguf");
    expect(namedFile("qwen2.5-coder-1.5b:q8_0").model?.title).toBe("Qwen2.5-Coder 1.5B");
    expect(namedFile("owner/repo/x.Q4_K_M.gguf")).toMatchObject({
      model: null,
      file: { repository: "owner/repo", file: "x.Q4_K_M.gguf", sha256: null },
    });
  });

  it.each([
    ["qwen2.5-coder-1.5b:q2_k", "MODEL_NOT_FOUND", /no Q2_K file.*qwen2\.5-coder-1\.5b:q8_0/],
    ["seed-coder-8b", "MODEL_NOT_FOUND", /no GGUF file is recorded for Seed-Coder 8B/],
    ["starcoder2-15b", "MODEL_WITHOUT_FIM", /StarCoder2 15B cannot be used: a fault in its/],
    ["../../etc/passwd", "MODEL_NOT_FOUND", /is no model to fetch/],
    ["owner/repo/../x.gguf", "MODEL_NOT_FOUND", /is no model to fetch/],
    ["owner/repo/x.bin", "MODEL_NOT_FOUND", /is no model to fetch/],
  ])("refuses %s", (name, code, message) => {
    expect(errorOf(() => namedFile(name))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});

describe("listStored", () => {
  it("finds models, halves too, at any usual depth", async () => {
    writeFiles(folder, {
      "mine.gguf": "1",
      "owner/repo/m.GGUF": "22",
      "owner/repo/n.gguf.part": "333",
      "owner/repo/m.gguf.lock": "",
      "readme.md": "",
    });
    const stored = await listStored(folder);
    expect(stored.map(({ bytes, isHalf }) => [bytes, isHalf])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
    expect(await listStored(join(folder, "nowhere"))).toEqual([]);
  });
});

describe("fileAddress", () => {
  it("leaves no double slash and no bare special character", () => {
    const name = { ...plain, file: "a b.gguf" };
    expect(fileAddress("https://mirror.example/hf/", name)).toBe(
      "https://mirror.example/hf/owner/repo/resolve/main/a%20b.gguf",
    );
  });
});
