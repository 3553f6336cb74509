import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { TextBuffer } from "../../base/text-buffer.ts";
import { LocalModel } from "../../local/index.ts";
import { createRandom } from "../../stats/random.ts";
import { tempFolder } from "../../testing/temp-folder.ts";
import { commitQuestions } from "./commit-questions.ts";
import { GitHistory } from "./git-history.ts";
import type { TextOfFile } from "./line-question.ts";

type Files = Readonly<Record<string, string | null>>;

let opened: GitHistory | null = null;

afterEach(() => opened?.close());

/** A repository with one commit for each set of files; `null` removes one. */
async function historyOf(...commits: readonly Files[]): Promise<GitHistory> {
  const folder = tempFolder();
  const git = (...args: readonly string[]): void => {
    const who = [
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@example.com",
      "-c",
      "commit.gpgsign=false",
    ];
    execFileSync("git", [...who, ...args], { cwd: folder, stdio: "ignore" });
  };
  git("init", "-q");
  for (const files of commits) {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) {
        git("rm", "-q", path);
        continue;
      }
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
      git("add", path);
    }
    git("commit", "-q", "-m", "change");
  }
  opened = await GitHistory.open(folder);
  if (opened === null) throw new Error("there must be a history");
  return opened;
}

const textOf: TextOfFile = (_, bytes) => new TextDecoder().decode(bytes);
const options = { cursors: 100, commits: 100, textOf, onProgress: () => {} };

function lines(...texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}

test("a folder without a repository has no history", async () => {
  expect(await GitHistory.open(tempFolder())).toBeNull();
});

test("an added line is asked above the old text, with the commit's lines before it in place", async () => {
  const before = lines("const first = 1;", "const second = 2;", "const last = 3;");
  const after = lines(
    "const first = 1;",
    "const added = total(first);",
    "// Prose is not asked for.",
    "const third = other(added);",
    "const last = 3;",
  );
  const history = await historyOf({ "src/ä b.ts": before }, { "src/ä b.ts": after });
  const source = await commitQuestions({ ...options, history, random: createRandom(1) });
  const questions = source.batches.flatMap((batch) => batch.questions);
  const asked = questions.map(({ prefix, target, suffix, path, languageId }) => {
    const lineStart = prefix.lastIndexOf("\n") + 1;
    const line = prefix.slice(lineStart) + target;
    return { line, above: prefix.slice(0, lineStart), suffix, path, languageId };
  });
  const about = { path: "src/ä b.ts", languageId: "typescript" };
  expect(asked).toEqual([
    {
      line: "const added = total(first);",
      above: lines("const first = 1;"),
      suffix: lines("", "const last = 3;"),
      ...about,
    },
    {
      line: "const third = other(added);",
      above: lines("const first = 1;", "const added = total(first);", "// Prose is not asked for."),
      suffix: lines("", "const last = 3;"),
      ...about,
    },
  ]);
});

test("a line that was only moved is not asked for", async () => {
  const history = await historyOf(
    { "a.ts": lines("moved(first, second);", "stays(first);"), "b.ts": lines("other(first);") },
    {
      "a.ts": lines("stays(first);"),
      "b.ts": lines("other(first);", "moved(first, second);", "fresh(1);"),
    },
  );
  const { batches } = await commitQuestions({ ...options, history, random: createRandom(1) });
  const written = batches.flatMap(({ questions }) =>
    questions.map(({ prefix, target }) => prefix.slice(prefix.lastIndexOf("\n") + 1) + target),
  );
  expect(written).toEqual(["fresh(1);"]);
});

test("the model knows the parent commit and nothing later", async () => {
  const shared = lines("import { helper } from 'x';", "helper(alpha, beta, gamma);");
  const history = await historyOf(
    { "a.ts": shared, "b.ts": lines("start();") },
    { "b.ts": lines("start();", "helper(one);"), "c.ts": lines("uniqueName(one, two, three);") },
    { "a.ts": null, "b.ts": lines("start();", "helper(one);", "again(two);") },
    { "b.ts": lines("start();", "helper(one);", "again(two);", "final(three);") },
  );
  const source = await commitQuestions({ ...options, history, random: createRandom(1) });
  const local = new LocalModel();
  const known: string[][] = [];
  const texts: (readonly string[])[] = [];
  for (const { prepare } of source.batches) {
    await prepare({
      local,
      onFiles: async (files) => void texts.push(files.map(({ path }) => path)),
    });
    known.push(
      ["uniqueName(", "helper(alpha"].filter((start) => {
        const document = TextBuffer.from(start);
        const place = { document, offset: start.length, path: "new.ts", languageId: "typescript" };
        return local
          .complete({ ...place, maxLines: 1, maxCandidates: 9 })
          .some(({ text }) => text === "one, two, three);" || text === ", beta, gamma);");
      }),
    );
  }
  expect(known).toEqual([["helper(alpha"], ["uniqueName(", "helper(alpha"], ["uniqueName("]]);
  expect(texts).toEqual([
    ["a.ts", "b.ts"],
    ["a.ts", "b.ts", "c.ts"],
    ["b.ts", "c.ts"],
  ]);
});

test("the same seed asks the same, and at most as many as were wanted", async () => {
  const body = Array.from({ length: 60 }, (_, i) => `const value${i} = compute(${i}, input);`);
  const history = await historyOf(
    { "a.ts": lines("start();") },
    { "a.ts": lines("start();", ...body) },
  );
  const draw = async (seed: number): Promise<readonly string[]> => {
    const random = createRandom(seed);
    const { batches } = await commitQuestions({ ...options, cursors: 15, history, random });
    return batches.flatMap(({ questions }) => questions.map(({ id }) => id));
  };
  const first = await draw(1);
  expect(first).toHaveLength(15);
  expect(await draw(1)).toEqual(first);
  expect(await draw(2)).not.toEqual(first);
});
