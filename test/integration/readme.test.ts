/** What README.md promises of a command is what it prints, in this repository. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cleanEnvironment, program, root, runToEnd, temporaryFolder } from "./product.ts";

const home = temporaryFolder("readme");
// Git ignores the folder, so that a draft is in nobody's way.
const drafts = join(root, "build", "readme-test");

beforeAll(() => void mkdirSync(drafts, { recursive: true }));
afterAll(() => {
  home.dispose();
  rmSync(drafts, { recursive: true, force: true });
});

const readme = readFileSync(join(root, "README.md"), "utf8");
const drafted = new Map(
  [...readme.matchAll(/^echo "(.*)" > (\S+)$/gm)].map(([, text = "", file = ""]) => [file, text]),
);
const calls = [
  ...readme.matchAll(/^npx midspan complete --file (\S+) --line (\d+) --column (\d+).*# (.+)$/gm),
].map(([, file = "", line = "", column = "", answer = ""]) => ({ file, line, column, answer }));

const measured = [...readme.matchAll(/^\| (.+?) \|(.*\|.*)\| \[.+\]\((docs\/\S+\.md)\) \|$/gm)].map(
  ([, what = "", cells = "", page = ""]) => ({ what, cells, page }),
);

it("has a table of figures", () => expect(measured.length).toBeGreaterThan(3));

it.each(measured)("has no figure of its own: $what", ({ cells, page }) => {
  const text = readFileSync(join(root, page), "utf8");
  const figures = [...cells.replaceAll("p95", "").matchAll(/\d+(\.\d+)?/g)].map(([one]) => one);
  expect(
    figures.filter((one) => !new RegExp(`(?<![\\d.])${one}(?![\\d.]*\\d)`).test(text)),
  ).toEqual([]);
});

it("shows how to complete on the command line", () => expect(calls).not.toEqual([]));

it.each(calls)(
  "completes $file at $line:$column with $answer",
  async (call) => {
    const { file, line, column, answer } = call;
    const text = drafted.get(file);
    const path = text === undefined ? file : join(drafts, file);
    if (text !== undefined) writeFileSync(path, `${text}\n`);
    const args = [program, "complete", "--file", path, "--line", line, "--column", column];
    const env = cleanEnvironment(home.path);
    const { code, stdout } = await runToEnd(process.execPath, args, { cwd: root, env });
    expect([code, stdout.trimEnd()]).toEqual([0, answer]);
  },
  60_000,
);
