import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isNewAddress } from "./known-addresses.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "midspan-told-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("An address is new once.", async () => {
  const data = join(folder, "data");
  const seen = [];
  for (const address of ["https://a", "https://b", "https://a", "https://b"]) {
    seen.push(await isNewAddress(data, address));
  }
  expect(seen).toEqual([true, true, false, false]);
});

test("Where nothing can be kept, an address stays new.", async () => {
  const file = join(folder, "in-the-way");
  await writeFile(file, "");
  expect(await isNewAddress(file, "https://a")).toBe(true);
  expect(await isNewAddress(file, "https://a")).toBe(true);
});
