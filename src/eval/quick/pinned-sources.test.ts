import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { trainingPackages } from "../corpus.ts";
import type { SourceFile } from "../source-file.ts";
import { pinnedQuestions, pinnedTasks, readPinnedSources, splitByPath } from "./pinned-sources.ts";

const modules = join(fileURLToPath(import.meta.url), "../../../../node_modules");

function fileNamed(path: string): SourceFile {
  const lines = Array.from({ length: 80 }, (_, i) => `const value${i} = read("${path}", ${i});`);
  return { path, text: lines.join("\n"), languageId: "typescript" };
}

const files = Array.from({ length: 40 }, (_, i) => fileNamed(`p/src/file-${i}.ts`));
const pathsOf = (some: readonly SourceFile[]): readonly string[] => some.map(({ path }) => path);

it("holds out by the path alone: another file, or another text, changes no other choice", () => {
  const { heldOut, indexed } = splitByPath(files);
  expect(heldOut).toHaveLength(10);
  expect(indexed).toHaveLength(30);
  const edited = files.map((file) => ({ ...file, text: `// more\n${file.text}` }));
  expect(pathsOf(splitByPath(edited).heldOut)).toEqual(pathsOf(heldOut));
  const without = splitByPath(files.filter(({ path }) => path !== heldOut[0]?.path)).heldOut;
  expect(pathsOf(without)).toEqual(expect.arrayContaining([...pathsOf(heldOut).slice(1, 9)]));
});

it("does not know a copy of what is held out", () => {
  const { heldOut } = splitByPath(files);
  const [original] = heldOut;
  const copy = { ...fileNamed("p/src/copy.ts"), text: original?.text ?? "" };
  const short = { ...copy, text: copy.text.split("\n").slice(0, 40).join("\n") };
  const split = splitByPath([...files, short]);
  expect(pathsOf(split.leftOut)).toEqual(["p/src/copy.ts"]);
});

it("asks the same places of the installed packages each time, none of which trained the calibrator", async () => {
  const sources = await readPinnedSources(modules);
  const training = new Set(trainingPackages.map(({ name }) => name));
  expect(sources.filter(({ name }) => training.has(name))).toEqual([]);
  const idsOf = (): readonly string[] =>
    pinnedQuestions(sources, { cursorsPerFile: 3 }).batches.flatMap(({ questions }) =>
      questions.map(({ id }) => id),
    );
  expect(idsOf()).toEqual(idsOf());
  expect(new Set(idsOf()).size).toBe(idsOf().length);
  const tasks = pinnedTasks(sources, { filesPerPackage: 2, units: 200 });
  expect(tasks.map((batch) => batch.tasks.length)).toEqual(sources.map(() => 2));
});

it("says which package is missing", async () => {
  await expect(readPinnedSources(join(modules, "nowhere"))).rejects.toThrow(
    "zod is not installed with its sources; run npm ci",
  );
});
