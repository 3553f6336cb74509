import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configurationPage, settingsSchema } from "./emit.ts";
import { settingKeys } from "./schema.ts";

const docs = join(import.meta.dirname, "..", "..", "docs");

describe("what is generated from the table", () => {
  it("is the same as what the repository holds", () => {
    expect(readFileSync(join(docs, "configuration.md"), "utf8")).toBe(configurationPage());
    expect(readFileSync(join(docs, "midspan.schema.json"), "utf8")).toBe(settingsSchema());
  });

  it("covers every key", () => {
    const page = configurationPage();
    expect(settingKeys.filter((key) => !page.includes(`\n## ${key}\n`))).toEqual([]);
    const schema = JSON.parse(settingsSchema());
    const missing = settingKeys.filter((key) => {
      const parts = key.split(".");
      const leaf = parts.reduce((table, part) => table?.properties?.[part], schema);
      return typeof leaf?.description !== "string";
    });
    expect(missing).toEqual([]);
  });
});
