import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import { lexicalScopeProbe, type PostInput, postProcess } from "../core/index.ts";
import { aroundCursor, type CaseFile, readCases, sectionOf } from "../testing/case-file.ts";
import { testSyntax } from "../testing/syntax-fixture.ts";
import { DocumentTrees, languageSyntaxes, syntaxOf } from "./index.ts";

/** The filters' own cases, in the languages that have trees. */
const root = join(import.meta.dirname, "../../test/cases/post");
const cases = readdirSync(root)
  .flatMap((folder) => readCases(join(root, folder)))
  .filter((file) => syntaxOf(settingsOf(file).get("language") ?? "plaintext") !== null);

beforeAll(async () => {
  for (const languageId of Object.keys(languageSyntaxes)) await testSyntax.prepare(languageId);
});

describe("filters come to the same end whether the rules or a tree say what is open", () => {
  test.for(
    cases.map((file) => [`${file.title} (${file.path.slice(root.length + 1)})`, file] as const),
  )("%s", ([, file]) => {
    const input = inputOf(file);
    const { prefix, suffix, languageId } = input;
    const trees = new DocumentTrees(testSyntax);
    const buffer = TextBuffer.from(prefix + suffix);
    const syntax = trees.at({ key: "a", buffer, offset: prefix.length, languageId });
    const scopes = syntax?.scopeProbe(prefix, lexicalScopeProbe) ?? lexicalScopeProbe;
    expect(postProcess({ ...input, scopes })).toEqual(postProcess(input));
    trees.close();
  });
});

function settingsOf(file: CaseFile): ReadonlyMap<string, string> {
  const lines = (sectionOf(file, "settings") ?? "").split("\n");
  return new Map(lines.map((line) => [line.split(": ")[0] ?? "", line.split(": ")[1] ?? ""]));
}

function inputOf(file: CaseFile): PostInput {
  const settings = settingsOf(file);
  const { prefix, suffix } = aroundCursor(sectionOf(file, "document") ?? "");
  return {
    raw: sectionOf(file, "raw") ?? "",
    finishReason: settings.get("finish") === "length" ? "length" : "stop",
    prefix,
    suffix,
    languageId: settings.get("language") ?? "plaintext",
    multiline: settings.get("multiline") !== "never",
    stops: [],
    scopes: lexicalScopeProbe,
    origin: settings.get("origin") === "local" ? "local" : "model",
  };
}
