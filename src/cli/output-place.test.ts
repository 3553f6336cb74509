import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { tempFolder } from "../testing/temp-folder.ts";
import { outputFile, outputFolder } from "./output-place.ts";
import { runProgram } from "./program.ts";

test("A place that can be written is made, and what lies there stays.", () => {
  const folder = tempFolder();
  const report = join(folder, "a", "b");
  expect(outputFolder("--report", report)).toBe(report);
  expect(existsSync(report)).toBe(true);
  const kept = join(folder, "answers.jsonl");
  writeFileSync(kept, "kept\n");
  expect(outputFile("--answers", kept)).toBe(kept);
  expect(readFileSync(kept, "utf8")).toBe("kept\n");
  const fresh = join(folder, "c", "new.jsonl");
  expect(outputFile("--out", fresh)).toBe(fresh);
  expect([existsSync(join(folder, "c")), existsSync(fresh)]).toEqual([true, false]);
  expect([outputFile("--out", null), outputFolder("--report", null)]).toEqual([null, null]);
});

const isLinux = process.platform === "linux";

/** Places where nobody may write, the administrator included. */
function forbidden(): { readonly folders: readonly string[]; readonly files: readonly string[] } {
  const folder = tempFolder();
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "folder"));
  const ofSystem = isLinux ? ["/proc/x", "/proc/x/y", "/sys/x"] : [];
  const below = join(folder, "file", "x");
  return {
    folders: [join(folder, "file"), below, ...ofSystem],
    files: [join(folder, "folder"), below, ...ofSystem],
  };
}

test("Every other place is refused in one sentence, with its flag.", () => {
  const { folders, files } = forbidden();
  const words = /^cannot write \S+: .* \(E[A-Z]+\); name another place with --flag$/;
  for (const place of folders) expect(() => outputFolder("--flag", place)).toThrow(words);
  for (const place of files) expect(() => outputFile("--flag", place)).toThrow(words);
});

test.each([
  ["cost", "--report"],
  ["replay", "--report"],
  ["replay", "--answers"],
  ["eval", "repo", "--report"],
  ["eval", "repo", "--answers"],
  ["eval", "infill", "--report"],
  ["eval", "infill", "--out"],
  ["eval", "filters", "answers.jsonl", "--report"],
  ["bench", "latency", "--report"],
  ["bench", "local", "--svg"],
  ["bench", "inference", "--answers"],
])("Every command that writes a report finds out first: %s %s %s %s", async (...args) => {
  const folder = tempFolder();
  writeFileSync(join(folder, "file"), "");
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    expect(await runProgram([...args, join(folder, "file", "x")])).toBe(2);
    const said = write.mock.calls.map(([text]) => String(text)).join("");
    expect(said).toMatch(/^midspan: cannot write .*; name another place with --[a-z]+\n$/);
  } finally {
    write.mockRestore();
  }
});

test.runIf(isLinux)(
  "A state folder that can never be made is refused instead of waited for.",
  async () => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    vi.stubEnv("MIDSPAN_HOME", "/proc/x");
    try {
      expect(await runProgram(["index"])).toBe(2);
      const said = write.mock.calls.map(([text]) => String(text)).join("");
      expect(said).toMatch(
        /^midspan: the state folder \/proc\/x\/cache cannot be made .*MIDSPAN_HOME/,
      );
    } finally {
      vi.unstubAllEnvs();
      write.mockRestore();
    }
  },
);
