import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../testing/temp-folder.ts";
import { openInstallation } from "./installation.ts";

test("An installation is made once, by whichever process comes first, and hashes paths with its own salt.", async () => {
  const folder = tempFolder();
  const file = join(folder, "events", "installation.json");
  const [first, second] = await Promise.all([openInstallation(file), openInstallation(file)]);
  const third = await openInstallation(file);
  expect(new Set([first.install, second.install, third.install]).size).toBe(1);
  expect(first.hashPath("src/a.ts")).toMatch(/^[0-9a-f]{16}$/);
  expect(third.hashPath("src/a.ts")).toBe(second.hashPath("src/a.ts"));
  expect(first.hashPath("src/b.ts")).not.toBe(first.hashPath("src/a.ts"));
  expect(statSync(file).mode & 0o077).toBe(0);

  const other = await openInstallation(join(folder, "other.json"));
  expect(other.hashPath("src/a.ts")).not.toBe(first.hashPath("src/a.ts"));
});

test("A damaged file is replaced, so that all processes agree again.", async () => {
  for (const damaged of ["", "{", "null", "[]", '{"install":1}']) {
    const file = join(tempFolder({ "installation.json": damaged }), "installation.json");
    const first = await openInstallation(file);
    const second = await openInstallation(file);
    expect([second.install, second.hashPath("a")]).toEqual([first.install, first.hashPath("a")]);
  }
});

test("Where nothing can be written, that is said.", async () => {
  const file = join(tempFolder({ events: "a file in the way" }), "events", "installation.json");
  await expect(openInstallation(file)).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
});
