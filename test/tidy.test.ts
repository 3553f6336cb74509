/** The rules of the house that no linter knows. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const layers: Record<string, { sees: string }> = JSON.parse(read("layers.json"));

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

const sources = filesUnder("src").filter((file) => file.endsWith(".ts"));
const product = sources.filter((file) => !file.endsWith(".test.ts"));

describe("tidy", () => {
  it("keeps clocks and chance out of the pure layers", () => {
    const pure = product.filter((file) => layers[file.split("/")[1] ?? ""]?.sees === "pure");
    const faults = pure.filter((file) =>
      /\b(Date\.now|new Date\(\)|Math\.random|globalThis\.(process|setTimeout))\b/.test(read(file)),
    );
    expect(faults).toEqual([]);
  });

  it("keeps files short enough to hold one idea", () => {
    // Tests grow by cases, not by ideas.
    const long = product
      .filter((file) => !file.startsWith("src/testing/"))
      .map((file) => ({ file, lines: read(file).split("\n").length }))
      .filter(({ lines }) => lines > 400);
    expect(long).toEqual([]);
  });

  it("has every folder under src in layers.json and none that is missing", () => {
    const folders = readdirSync(join(root, "src")).sort();
    expect(folders).toEqual(Object.keys(layers).sort());
  });

  it("re-exports from boundary indexes only", () => {
    const faults = product.filter(
      (file) => !file.endsWith("/index.ts") && /^export .* from "/m.test(read(file)),
    );
    expect(faults).toEqual([]);
  });

  it("skips no test and silences no compiler", () => {
    const faults = sources.filter((file) =>
      /\b(it|test|describe)\.(skip|only|todo)\b|@ts-(ignore|nocheck)|biome-ignore-all/.test(
        read(file),
      ),
    );
    expect(faults).toEqual([]);
  });

  it("leaves no note of unfinished work", () => {
    const marks = new RegExp(["TO" + "DO", "FIX" + "ME", "X" + "XX"].join("|"));
    expect(product.filter((file) => marks.test(read(file)))).toEqual([]);
  });

  it("pins exact versions", () => {
    const manifest = JSON.parse(read("package.json"));
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(
      versions.filter((version) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+$/.test(String(version))),
    ).toEqual([]);
  });

  it("names every command of package.json in CONTRIBUTING.md or README.md", () => {
    const scripts = Object.keys(JSON.parse(read("package.json")).scripts);
    const text = read("CONTRIBUTING.md") + read("README.md");
    const missing = scripts.filter((name) => !new RegExp(`npm (run )?${name}\\b`).test(text));
    expect(missing).toEqual([]);
  });

  it("names files in ARCHITECTURE.md that exist", () => {
    const named = [...read("ARCHITECTURE.md").matchAll(/`((?:src|scripts)\/[\w./-]+)`/g)];
    const missing = named
      .map(([, file = ""]) => file)
      .filter((file) => !existsSync(join(root, file)));
    expect([named.length > 0, missing]).toEqual([true, []]);
  });

  it("keeps machines' paths out of tracked files", () => {
    const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
      .split("\n")
      .filter((file) => /\.(ts|mjs|cjs|json|md|toml|html|css|case)$/.test(file));
    const mark = new RegExp(["/wo" + "rk/", "/ro" + "ot/", "/home/[a-z]+/"].join("|"));
    expect(tracked.filter((file) => mark.test(read(file)))).toEqual([]);
  });
});
