import { execFileSync } from "node:child_process";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../testing/temp-folder.ts";
import { readApiKey } from "./api-key.ts";
import { readConfigFile, workspaceConfigFile } from "./config-file.ts";
import { createLog } from "./log.ts";

describe("readConfigFile", () => {
  it("reads tables, and nothing from a file that is not there", async () => {
    const root = tempFolder({ "midspan.toml": "\uFEFFthreshold = 0.3\n[server]\nport = 9000\n" });
    const file = workspaceConfigFile(root);
    expect(await readConfigFile(file)).toEqual({
      file,
      values: { threshold: 0.3, server: { port: 9000 } },
    });
    expect(await readConfigFile(join(root, "none.toml"))).toBe(null);
    expect(await readConfigFile(join(file, "none.toml"))).toBe(null);
  });

  it("names the place of a mistake", async () => {
    const root = tempFolder({ "midspan.toml": "threshold = 0.3\nport = = 1\n", "folder/": "" });
    const file = workspaceConfigFile(root);
    await expect(readConfigFile(file)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(new RegExp(`^${file}:2:8 is no TOML: [^\n]+$`)),
    });
    await expect(readConfigFile(join(root, "folder"))).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: `${join(root, "folder")} is no plain file`,
    });
  });

  it("waits for no pipe, reads no device and nothing of a size that no person writes", async () => {
    const root = tempFolder({ "huge.toml": "#".repeat(1_000_001) });
    execFileSync("mkfifo", [join(root, "pipe.toml")]);
    symlinkSync("/dev/zero", join(root, "endless.toml"));
    const faults = { pipe: "no plain file", endless: "no plain file", huge: "over 1000000 bytes" };
    for (const [name, what] of Object.entries(faults)) {
      const file = join(root, `${name}.toml`);
      await expect(readConfigFile(file)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: `${file} is ${what}`,
      });
    }
  });
});

describe("readApiKey", () => {
  const none = { environment: {}, file: "" };

  it("takes the variable, then the file, then nothing", async () => {
    const file = join(tempFolder({ key: "sk-file\n" }), "key");
    chmodSync(file, 0o600);
    expect(await readApiKey({ environment: { MIDSPAN_API_KEY: " sk-env " }, file })).toBe("sk-env");
    expect(await readApiKey({ environment: { MIDSPAN_API_KEY: "" }, file })).toBe("sk-file");
    expect(await readApiKey(none)).toBe(null);
  });

  it("refuses a file that others may read, and never shows the key", async () => {
    const folder = tempFolder({ open: "sk-hidden", two: "sk-hidden\nsk-other", empty: "" });
    const path = (name: string): string => join(folder, name);
    chmodSync(path("open"), 0o644);
    for (const name of ["two", "empty"]) chmodSync(path(name), 0o600);
    const messages = await Promise.all(
      ["open", "two", "empty", "none"].map((name) =>
        readApiKey({ ...none, file: path(name) }).catch((error: Error) => error.message),
      ),
    );
    expect(messages).toEqual([
      `${path("open")} can be read by others (mode 0644); run chmod 600 ${path("open")}`,
      `${path("two")} does not hold a key on a single line`,
      `${path("empty")} is empty`,
      `the key file ${path("none")} cannot be read (ENOENT)`,
    ]);
  });
});

describe("createLog", () => {
  it("writes JSON lines from its level on, with the fields of the request", () => {
    const lines: string[] = [];
    const log = createLog({
      level: "warn",
      fields: { requestId: "r1" },
      write: (line) => void lines.push(line),
    });
    log.debug("no");
    log.info("no");
    log.warn("slow", { ms: 12.5, path: "a\nb" });
    log.error("broken", { requestId: "r2", message: "cannot be overwritten" });
    expect(lines.every((line) => line.endsWith("}\n") && !line.slice(0, -1).includes("\n"))).toBe(
      true,
    );
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        requestId: "r1",
        ms: 12.5,
        path: "a\nb",
        time: expect.any(String),
        level: "warn",
        message: "slow",
      },
      { requestId: "r2", time: expect.any(String), level: "error", message: "broken" },
    ]);
  });

  it("writes nothing when it is off", () => {
    const lines: string[] = [];
    createLog({ level: "off", write: (line) => void lines.push(line) }).error("broken");
    expect(lines).toEqual([]);
  });
});
