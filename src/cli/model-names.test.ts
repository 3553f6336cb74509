/** What `midspan model list` prints as a name is what the other commands take. */
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { catalogue, fimVerdict } from "../host/models/catalogue.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { runProgram } from "./program.ts";

const tiny = join(import.meta.dirname, "../../test/models/tiny-fim.gguf");

beforeEach(() => {
  const home = tempFolder();
  const models = join(home, "data", "models");
  mkdirSync(join(models, "owner", "repository"), { recursive: true });
  copyFileSync(tiny, join(models, "mine.gguf"));
  copyFileSync(tiny, join(models, "owner", "repository", "theirs.gguf"));
  vi.stubEnv("MIDSPAN_HOME", home);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Exit code and output of a command. */
async function run(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string }> {
  const lines: string[] = [];
  const keep = (text: unknown): boolean => {
    lines.push(String(text));
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(keep);
  vi.spyOn(process.stderr, "write").mockImplementation(keep);
  const code = await runProgram(args);
  vi.restoreAllMocks();
  return { code, out: lines.join("") };
}

test("Files that are here are known by the name that the list prints.", async () => {
  const { out } = await run("model", "list");
  const names = [...out.matchAll(/^ +(\S+\.gguf) /gm)].map(([, name]) => name ?? "");
  expect(names).toEqual(["mine.gguf", "owner/repository/theirs.gguf"]);
  for (const name of names) {
    expect(await run("model", "info", name)).toMatchObject({ code: 0 });
    const pulled = await run("model", "pull", name, "--offline");
    expect(pulled.code).toBe(0);
    expect(pulled.out).toContain("Already there");
  }
});

test("Every model of the catalogue is in the list, and known to info; a reason names others by name.", async () => {
  const { out } = await run("model", "list");
  const missing = catalogue.filter(
    ({ name }) => !new RegExp(`(?<![\\w.-])${name}(?![\\w.-])`).test(out),
  );
  expect(missing).toEqual([]);
  for (const { name } of catalogue) expect((await run("model", "info", name)).code).toBe(0);
  const advised = catalogue.flatMap(({ name }) => {
    const verdict = fimVerdict(name);
    const reason = verdict.kind === "no" ? verdict.reason : "";
    return (
      /; use ([a-z0-9.-]+\d[a-z0-9.-]*(?: or [a-z0-9.-]+)*)$/.exec(reason)?.[1]?.split(" or ") ?? []
    );
  });
  expect(advised.length).toBeGreaterThan(1);
  expect(advised.filter((name) => !catalogue.some((model) => model.name === name))).toEqual([]);
});
