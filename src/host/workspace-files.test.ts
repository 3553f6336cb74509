import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../testing/temp-folder.ts";
import { WorkspaceFiles } from "./workspace-files.ts";

const options = { deny: ["private/"], maxFileBytes: 1000 };

async function workspace(): Promise<{ root: string; files: WorkspaceFiles }> {
  const top = tempFolder({
    "outside.ts": "secret outside",
    "w/.git/HEAD": "ref: refs/heads/main\n",
    "w/.gitignore": "ignored.ts\n",
    "w/ignored.ts": "",
    "w/src/a.ts": "\uFEFFconst a = 1;\r\n",
    "w/src/b.ts": "",
    "w/.env": "KEY=1",
    "w/private/x.ts": "",
    "w/node_modules/p/index.js": "",
    "w/big.ts": "x".repeat(1001),
    "w/raw.ts": Uint8Array.of(0, 1),
    "w/logo.png": "",
  });
  const root = join(top, "w");
  symlinkSync("../outside.ts", join(root, "leak.ts"));
  symlinkSync("..", join(root, "up"));
  symlinkSync(".env", join(root, "harmless.ts"));
  symlinkSync("src/a.ts", join(root, "alias.ts"));
  symlinkSync("loop.ts", join(root, "loop.ts"));
  execFileSync("mkfifo", [join(root, "pipe.ts")]);
  return { root, files: await WorkspaceFiles.open(root, options) };
}

describe("WorkspaceFiles", () => {
  it("lists what the index would hold, up to a cap", async () => {
    const { files } = await workspace();
    expect(await files.listFiles(10)).toEqual({
      files: [".gitignore", "raw.ts", "src/a.ts", "src/b.ts"],
      truncated: false,
    });
    expect(await files.listFiles(4)).toMatchObject({ truncated: false });
    expect(await files.listFiles(2)).toEqual({ files: [".gitignore", "raw.ts"], truncated: true });
  });

  it("reads text as editors show it", async () => {
    const { files } = await workspace();
    expect(await files.readFile("src/a.ts")).toBe("const a = 1;\r\n");
    expect(await files.readFile("alias.ts")).toBe("const a = 1;\r\n");
    expect(await files.readFile("src/b.ts")).toBe("");
  });

  it("refuses what is outside, left out, no file or no text", async () => {
    const { root, files } = await workspace();
    const refused = [
      "../outside.ts",
      "src/../../outside.ts",
      "up/outside.ts",
      "leak.ts",
      "/etc/passwd",
      join(root, "src/a.ts"),
      "",
      ".",
      "src",
      "src/",
      "./src/a.ts",
      "src//a.ts",
      "a\0.ts",
      ".env",
      "harmless.ts",
      "private/x.ts",
      "ignored.ts",
      "node_modules/p/index.js",
      ".git/HEAD",
      "big.ts",
      "logo.png",
      "loop.ts",
      "pipe.ts",
      `${"a/".repeat(3_000)}x.ts`,
    ];
    for (const path of refused) {
      const reading = files.readFile(path);
      await expect(reading, path).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    await expect(files.readFile("raw.ts")).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: '"raw.ts" cannot be read: it is no text',
    });
    await expect(files.readFile("src/none.ts")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(files.readFile("src/a.ts/x.ts")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("answers any path with text or a coded error, and with nothing from outside", async () => {
    const { files } = await workspace();
    const piece = fc.constantFrom(
      "..",
      ".",
      "",
      "src",
      "a.ts",
      "up",
      "w",
      "outside.ts",
      "leak.ts",
      "\\",
    );
    const path = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.array(piece, { maxLength: 6 }).map((parts) => parts.join("/")),
    );
    await fc.assert(
      fc.asyncProperty(path, async (asked) => {
        const text = await files.readFile(asked).catch((error: unknown) => {
          expect(error).toMatchObject({ name: "CompletionError" });
          return "";
        });
        expect(text).not.toContain("outside");
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("names a folder that is not there", async () => {
    await expect(WorkspaceFiles.open(join(tempFolder(), "x"), options)).rejects.toMatchObject({
      code: "WORKSPACE_UNREADABLE",
    });
  });
});
