import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sentCall } from "../testing/sent-call.ts";
import { adapterKinds } from "./backend-spec.ts";
import { createBackend } from "./create-backend.ts";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "backends.md"), "utf8");

/** Cells of the table row that begins with `kind`, under the given heading. */
function row(heading: string, kind: string): string {
  const section = page.slice(page.indexOf(heading));
  return (
    section.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${kind}\``)) ?? ""
  );
}

describe("the page about model servers", () => {
  it.each(adapterKinds)("says where %s is asked and what it was tried against", async (kind) => {
    const spec = { kind, url: "http://127.0.0.1:1" };
    const { path } = await sentCall((http) => createBackend(spec, { http, apiKey: null }));
    expect(row("# Model servers", kind)).toContain(`\`${path}\``);
    expect(row("## What was tried", kind)).toMatch(
      /llama-server|the same server|recorded wire shapes only/,
    );
  });

  it("names every capability that a server may have", () => {
    const section = page.slice(page.indexOf("## What a server can do"));
    const [, , , ...lines] = section.split("\n");
    const heads = section.split("\n").find((line) => line.includes("llama.cpp"));
    expect(heads).toContain(adapterKinds.join(" | "));
    expect(lines.filter((line) => line.startsWith("| ")).length).toBeGreaterThan(6);
  });
});
