import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  CorpusUnavailableError,
  judgedPackages,
  largeCorpusPackages,
  loadCorpus,
  trainingPackages,
} from "./corpus.ts";

it("never judges with a package that trains", () => {
  const judged = new Set(judgedPackages.map(({ name }) => name));
  expect(judged.size).toBe(5);
  expect(trainingPackages.filter(({ name }) => judged.has(name))).toEqual([]);
});

it("pins every package to a version and a checksum, and takes it once", () => {
  const all = [...judgedPackages, ...trainingPackages];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { version, checksum } of all) {
    expect(version).toMatch(/^\d/);
    expect(checksum).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
  }
});

it("makes the large corpus of packages that it knows", () => {
  expect(largeCorpusPackages.length).toBeGreaterThan(5);
});

it("says which client failed, and leaves nothing half unpacked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "midspan-corpus-"));
  const path = process.env.PATH;
  try {
    process.env.PATH = folder;
    const attempt = loadCorpus(trainingPackages[0] ?? expect.fail(), { folder });
    await expect(attempt).rejects.toThrow(CorpusUnavailableError);
    await expect(attempt).rejects.toThrow(/"npm pack .*" failed/);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    process.env.PATH = path;
    await rm(folder, { recursive: true, force: true });
  }
});
