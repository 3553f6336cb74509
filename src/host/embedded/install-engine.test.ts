import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../testing/temp-folder.ts";
import { engineFolder, enginesFolder, installedEngine } from "./engine-folder.ts";
import { enginePackage } from "./engine-platform.ts";
import { ENGINE_VERSION } from "./engine-version.ts";
import { type InstallEngineOptions, installEngine, removeEngines } from "./install-engine.ts";
import { type NpmResult, type RunNpm, readErrors } from "./npm.ts";

const linux = { platform: "linux", architecture: "x64" } as const;
const done: NpmResult = { exitCode: 0, errorCode: null, says: "" };

/** An npm that makes the folders of the packages that it is asked for, or fails. */
function scriptedNpm(result: Partial<NpmResult> = {}): RunNpm & { readonly calls: string[][] } {
  const calls: string[][] = [];
  const run: RunNpm = async (args, { cwd, onPackage }) => {
    calls.push([...args]);
    for (const wanted of args.filter((arg) => arg.includes(`@${ENGINE_VERSION}`))) {
      const name = wanted.slice(0, wanted.lastIndexOf("@"));
      const folder = join(cwd, "node_modules", name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "package.json"), `{"version": "${ENGINE_VERSION}"}`);
      onPackage();
    }
    return { ...done, ...result };
  };
  return Object.assign(run, { calls });
}

function install(data: string, changes: Partial<InstallEngineOptions> = {}) {
  return installEngine({
    folder: engineFolder(data),
    machine: linux,
    variant: "cpu",
    isOffline: false,
    onProgress: () => {},
    signal: new AbortController().signal,
    npm: scriptedNpm(),
    freeBytes: async () => 1e12,
    ...changes,
  });
}

describe("the package for a machine", () => {
  it.each([
    ["linux", "x64", "cpu", "@node-llama-cpp/linux-x64"],
    ["linux", "x64", "cuda", "@node-llama-cpp/linux-x64-cuda"],
    ["linux", "arm", "cpu", "@node-llama-cpp/linux-armv7l"],
    ["darwin", "arm64", "cpu", "@node-llama-cpp/mac-arm64-metal"],
    ["darwin", "x64", "cpu", "@node-llama-cpp/mac-x64"],
    ["win32", "x64", "vulkan", "@node-llama-cpp/win-x64-vulkan"],
  ] as const)("%s %s %s", (platform, architecture, variant, name) => {
    expect(enginePackage({ platform, architecture }, variant)?.name).toBe(name);
  });

  it.each([
    ["linux", "s390x", "cpu"],
    ["freebsd", "x64", "cpu"],
    ["darwin", "arm64", "cuda"],
    ["linux", "arm64", "vulkan"],
  ] as const)("nobody builds one for %s %s %s", (platform, architecture, variant) => {
    expect(enginePackage({ platform, architecture }, variant)).toBeNull();
  });
});

describe("the engine is installed", () => {
  it("with the one part for the machine, in its own folder, and no script is run", async () => {
    const data = tempFolder();
    const npm = scriptedNpm();
    const progress: number[] = [];
    const installed = await install(data, { npm, onProgress: (count) => progress.push(count) });
    expect(installed).toEqual({
      folder: engineFolder(data),
      version: ENGINE_VERSION,
      libraries: ["@node-llama-cpp/linux-x64"],
    });
    expect(await installedEngine(installed.folder)).toEqual(installed);
    expect(npm.calls[0]).toEqual(expect.arrayContaining(["--ignore-scripts", "--omit=optional"]));
    expect(npm.calls[0]?.filter((arg) => arg.includes("node-llama-cpp@")).length).toBe(1);
    expect(npm.calls[0]).toEqual(
      expect.arrayContaining(["--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"]),
    );
    expect(progress).toEqual([1, 2]);
    expect(readdirSync(enginesFolder(data))).toEqual([`node-llama-cpp-${ENGINE_VERSION}`]);
  });

  it("once: what is there is not fetched again, offline neither", async () => {
    const data = tempFolder();
    await install(data);
    const npm = scriptedNpm();
    await install(data, { npm, isOffline: true });
    expect(npm.calls).toEqual([]);
  });

  it("with another variant beside the first", async () => {
    const data = tempFolder();
    await install(data);
    const { libraries } = await install(data, { variant: "vulkan" });
    expect(libraries.toSorted()).toEqual([
      "@node-llama-cpp/linux-x64",
      "@node-llama-cpp/linux-x64-vulkan",
    ]);
  });

  it("and removed with all versions", async () => {
    const data = tempFolder();
    await install(data);
    mkdirSync(join(enginesFolder(data), "node-llama-cpp-3.0.0"));
    expect(await removeEngines(enginesFolder(data))).toBe(true);
    expect(existsSync(enginesFolder(data))).toBe(false);
    expect(await removeEngines(enginesFolder(data))).toBe(false);
  });
});

describe("what stands in the way is said, and nothing is left behind", () => {
  it.each([
    ["ENOTFOUND", "DOWNLOAD_FAILED", /\(ENOTFOUND\): the npm registry cannot be reached/],
    ["EINTEGRITY", "CHECKSUM_MISMATCH", /not what it should be/],
    ["ENOSPC", "STORAGE_FULL", /disk is full/],
    ["EODD", "DOWNLOAD_FAILED", /\(EODD\): npm says: something odd$/],
    [null, "DOWNLOAD_FAILED", /fetched: npm says: something odd$/],
  ] as const)("npm fails with %s", async (errorCode, code, message) => {
    const data = tempFolder();
    const npm = scriptedNpm({ exitCode: 1, errorCode, says: "something odd" });
    await expect(install(data, { npm })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(readdirSync(enginesFolder(data))).toEqual([]);
  });

  it("offline", async () => {
    const data = tempFolder();
    await expect(install(data, { isOffline: true })).rejects.toMatchObject({
      code: "DOWNLOAD_FAILED",
      message: "--offline refuses to fetch the embedded engine; go online for it once",
    });
    expect(readdirSync(data)).toEqual([]);
  });

  it("a full disk", async () => {
    const data = tempFolder();
    const npm = scriptedNpm();
    const installing = install(data, { npm, freeBytes: async () => 50e6 });
    await expect(installing).rejects.toMatchObject({
      code: "STORAGE_FULL",
      message: expect.stringMatching(/184 MB are needed and 50\.0 MB are free/),
    });
    expect(npm.calls).toEqual([]);
  });

  it("a machine that nobody builds for", async () => {
    const machine = { platform: "linux", architecture: "s390x" };
    await expect(install(tempFolder(), { machine })).rejects.toMatchObject({
      code: "MODEL_SERVER_FAILED",
      message: expect.stringMatching(/no embedded engine for linux-s390x.*llama\.cpp/),
    });
  });

  it("another process that installs", async () => {
    const data = tempFolder();
    let second: unknown = null;
    const npm: RunNpm = async (args, options) => {
      second = await install(data).catch((error: unknown) => error);
      return scriptedNpm()(args, options);
    };
    await install(data, { npm });
    expect(second).toMatchObject({ message: expect.stringMatching(/wait for it$/) });
  });

  it("an interruption", async () => {
    const data = tempFolder();
    const controller = new AbortController();
    const reason = new Error("interrupted");
    const npm: RunNpm = async (_, { signal }) => {
      controller.abort(reason);
      signal.throwIfAborted();
      return done;
    };
    await expect(install(data, { npm, signal: controller.signal })).rejects.toBe(reason);
    expect(readdirSync(enginesFolder(data))).toEqual([]);
  });

  it("keeps what was there when an update fails", async () => {
    const data = tempFolder();
    const { folder } = await install(data);
    const npm = scriptedNpm({ exitCode: 1 });
    await expect(install(data, { npm, variant: "cuda" })).rejects.toThrow(/npm ended with code 1/);
    expect((await installedEngine(folder))?.libraries).toEqual(["@node-llama-cpp/linux-x64"]);
    expect(readFileSync(join(folder, "package.json"), "utf8")).toContain("midspan-engine");
  });
});

describe("npm's errors are read by their code", () => {
  it.each([
    [
      "npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error network request failed.\n",
      { errorCode: "ENOTFOUND", says: "network request failed" },
    ],
    [
      "npm ERR! code E404\r\nnpm ERR! 404 Not Found\r\n",
      { errorCode: "E404", says: "404 Not Found" },
    ],
    ["npm warn deprecated x@1\n", { errorCode: null, says: "" }],
  ])("%j", (said, expected) => {
    expect(readErrors(said)).toEqual(expected);
  });
});
