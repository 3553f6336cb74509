import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { present } from "../../base/assert.ts";
import { TextBuffer } from "../../base/text-buffer.ts";
import { DocumentTrees } from "../../syntax/index.ts";
import type { CaseFile } from "../../testing/case-file.ts";
import { aroundCursor, expectedSections, readCases, sectionOf } from "../../testing/case-file.ts";
import { drawEdit } from "../../testing/draw-edit.ts";
import { testSyntax } from "../../testing/syntax-fixture.ts";
import { brokenLaw } from "../cursor-edit.ts";
import type { SyntaxJudge } from "../ports.ts";
import { allSentinels } from "../prompt/fim-format.ts";
import { lexicalScopeProbe } from "../scope/lexical-scope-probe.ts";
import type { PostFilter } from "./filter.ts";
import type { PostInput } from "./pipeline.ts";
import { postFilters, runFilters } from "./pipeline.ts";
import { createStreamCutter } from "./stream.ts";

/** One folder per filter, named after it; the cases in it are about its kind of fault. */
const root = join(import.meta.dirname, "../../../test/cases/post");
const casesOf = new Map(readdirSync(root).map((name) => [name, readCases(join(root, name))]));

const trees = new DocumentTrees(testSyntax);
await testSyntax.prepare("typescript");
await testSyntax.prepare("python");
afterAll(() => trees.close());

/**
 * What a case says. Settings: `language`, `finish: length`, `multiline: never`, `origin: local`,
 * `parser: on`, `stop` (one more stop string), `ends: crlf`, `raw-ends: crlf`, `escapes: on` for `\u{…}`.
 */
function settingsOf(file: CaseFile): ReadonlyMap<string, string> {
  const lines = (sectionOf(file, "settings") ?? "").split("\n");
  return new Map(lines.map((line) => [line.split(": ")[0] ?? "", line.split(": ")[1] ?? ""]));
}

function inputOf(file: CaseFile): PostInput {
  const settings = settingsOf(file);
  const document = aroundCursor(decoded(file, sectionOf(file, "document") ?? ""));
  return {
    raw: withEnds(decoded(file, sectionOf(file, "raw") ?? ""), settings.get("raw-ends")),
    finishReason: settings.get("finish") === "length" ? "length" : "stop",
    prefix: withEnds(document.prefix, settings.get("ends")),
    suffix: withEnds(document.suffix, settings.get("ends")),
    languageId: settings.get("language") ?? "plaintext",
    multiline: settings.get("multiline") !== "never",
    stops: [...allSentinels, "", settings.get("stop") ?? ""],
    scopes: lexicalScopeProbe,
    ...(settings.get("parser") === "on" && { syntax: judgeAt(file) }),
    origin: settings.get("origin") === "local" ? "local" : "model",
  };
}

/** What the parser of the case's language says of texts at its cursor. */
function judgeAt(file: CaseFile): SyntaxJudge {
  const { prefix, suffix } = aroundCursor(sectionOf(file, "document") ?? "");
  const buffer = TextBuffer.from(prefix + suffix);
  const languageId = settingsOf(file).get("language") ?? "plaintext";
  const cursor = { key: file.path, buffer, offset: prefix.length, languageId };
  return present(trees.at(cursor), `grammar of ${languageId}`);
}

/** What comes out, as a case shows it. */
function outcomeOf(file: CaseFile, filters: readonly PostFilter[]): string {
  return shownOf(file, inputOf(file), filters);
}

function shownOf(file: CaseFile, input: PostInput, filters: readonly PostFilter[]): string {
  const result = runFilters(filters, input);
  if (result.kind === "rejected") return `nothing: ${result.reason} (${result.filter})`;
  expect(brokenLaw(input, result.edit)).toBe(null);
  const drawn = drawEdit(input, result.edit);
  if (settingsOf(file).get("ends") !== "crlf") return drawn;
  // A line end that is not the document's would survive this.
  return drawn.replaceAll("\n", "↵").replaceAll("\r↵", "\n");
}

function withEnds(text: string, ends: string | undefined): string {
  return ends === "crlf" ? text.replace(/\r?\n/g, "\r\n") : text;
}

function decoded(file: CaseFile, text: string): string {
  if (settingsOf(file).get("escapes") !== "on") return text;
  return text.replace(/\\u\{([0-9a-f]+)\}/g, (_, code) =>
    String.fromCodePoint(Number(`0x${code}`)),
  );
}

for (const [folder, files] of casesOf) {
  describe(folder, () => {
    for (const file of files) {
      test(file.title, () => {
        const shown = outcomeOf(file, postFilters);
        const expected = expectedSections(file, { shown });
        expect(shown).toBe(decoded(file, expected.shown ?? ""));
      });
    }
  });
}

/** The raw text as the stop rules leave it when it arrives in pieces of three units. */
function streamed(input: PostInput): PostInput {
  const cutter = createStreamCutter(input);
  for (let at = 0; at < input.raw.length; at += 3) {
    const { text, done } = cutter.push(input.raw.slice(at, at + 3));
    if (done) return { ...input, raw: text, finishReason: "stop" };
  }
  return { ...input, raw: cutter.finish() };
}

describe("a model that is stopped early", () => {
  for (const [folder, files] of casesOf) {
    test(`gets the same outcome: ${folder}`, () => {
      for (const file of files) {
        const input = inputOf(file);
        if (input.origin === "local") continue;
        // Which filter finds that nothing is left may differ.
        const [whole, early] = [input, streamed(input)].map((post) =>
          shownOf(file, post, postFilters).replace(/^(nothing: \S+).*/, "$1"),
        );
        expect([file.path, early]).toEqual([file.path, whole]);
      }
    });
  }
});

describe("every filter is needed", () => {
  for (const filter of postFilters) {
    test(`one of the cases of "${filter.name}" fails without it`, () => {
      const others = postFilters.filter((other) => other !== filter);
      const failing = (casesOf.get(filter.name) ?? []).filter(
        (file) => outcomeOf(file, others) !== decoded(file, sectionOf(file, "shown") ?? ""),
      );
      expect(failing.length).toBeGreaterThan(0);
    });
  }
});
