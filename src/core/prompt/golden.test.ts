/** Byte by byte, for every family: the cases name the model, the table decides the rest. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createBackend, createChatBackend, parseBackendSpec } from "../../backend/index.ts";
import type { CaseFile } from "../../testing/case-file.ts";
import { aroundCursor, expectedSections, readCases, sectionOf } from "../../testing/case-file.ts";
import { sentCall } from "../../testing/sent-call.ts";
import { promptBudget } from "./budget.ts";
import type { PromptInput } from "./build.ts";
import { buildPrompt } from "./build.ts";
import { promptTokenCounter } from "./counter.ts";
import { formatRows } from "./fim-format.ts";
import type { FimFormat } from "./format-row.ts";
import { resolveFormat } from "./model-family.ts";

const cases = readCases(join(import.meta.dirname, "../../../test/cases/prompt"));

describe("golden prompts", () => {
  it("exist for every family that can be asked", () => {
    const usable = formatRows.filter((row) => row.fim !== "none").map((row) => row.family);
    expect(cases.map((file) => formatOf(file).family).sort()).toEqual(usable.sort());
  });

  it.each(cases.map((file) => [file.title, file] as const))("%s", async (_, file) => {
    const actual = await promptsOf(file);
    expect(actual).toEqual(expectedSections(file, actual));
  });
});

/** Bare for each order, then with the path, then with repository, path and another file. */
async function promptsOf(file: CaseFile): Promise<Readonly<Record<string, string>>> {
  const format = formatOf(file);
  const bare = inputOf(file, format);
  const full: PromptInput = {
    ...bare,
    repository: sectionOf(file, "repository"),
    path: sectionOf(file, "path"),
    snippets: file.sections
      .filter(({ name }) => name.startsWith("file "))
      .map(({ name, text }) => ({ path: name.slice(5), text, kind: "open", score: 0 })),
  };
  if (format.fim === "server")
    return { body: await bodyOf(bare, file), "body with files": await bodyOf(full, file) };
  const others = (["psm", "spm1", "spm2"] as const).filter(
    (order) => order !== format.order && format.templates[order] !== undefined,
  );
  return Object.fromEntries([
    ["prompt", textOf(bare)],
    ...others.map((order) => [`prompt ${order}`, textOf({ ...bare, order })]),
    ["prompt with path", textOf({ ...full, repository: null, snippets: [] })],
    ["prompt with files", textOf(full)],
    [
      "stops",
      buildPrompt(full)
        .stops.map((stop) => JSON.stringify(stop))
        .join("\n"),
    ],
  ]);
}

function textOf(input: PromptInput): string {
  const { prompt } = buildPrompt(input);
  return prompt.kind === "rendered" ? prompt.text : "";
}

/** What the backend of the family sends, to the address and in the fields that the table names. */
async function bodyOf({ format, ...input }: PromptInput, file: CaseFile): Promise<string> {
  if (format.fim !== "server") throw new RangeError(`${format.family} has no endpoint`);
  const { prompt, stops } = buildPrompt({ format, ...input });
  const isChat = format.backendKind === "chat";
  const spec = parseBackendSpec(`${isChat ? "openai" : format.backendKind}:https://host`);
  const create = isChat ? createChatBackend : createBackend;
  const { path, body } = await sentCall((http) => create(spec, { http, apiKey: null }), {
    model: sectionOf(file, "model") ?? "",
    prompt,
    maxTokens: 48,
    stop: stops,
    logProbabilities: true,
  });
  const unknown = Object.keys(body).filter((name) => !format.api.fields.includes(name));
  expect({ path, unknown }).toEqual({ path: format.api.path, unknown: [] });
  return JSON.stringify(body, null, 2);
}

function formatOf(file: CaseFile): FimFormat {
  const model = sectionOf(file, "model") ?? "";
  const backendKind = sectionOf(file, "backend") ?? "openai";
  return resolveFormat({ model, backendKind, override: null });
}

function inputOf(file: CaseFile, format: FimFormat): PromptInput {
  return {
    format,
    order: null,
    ...aroundCursor(sectionOf(file, "document") ?? ""),
    repository: null,
    path: null,
    languageId: "python",
    snippets: [],
    budget: promptBudget({ contextTokens: format.contextTokens, outputTokens: 48 }),
    counter: promptTokenCounter(format, "python"),
    multiline: false,
    stops: ["\n\n"],
    maxStops: null,
    writesBos: false,
  };
}
