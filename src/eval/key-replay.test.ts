import { describe, expect, test } from "vitest";
import { typingSession } from "./key-replay.ts";

const text = [
  "import a from 'a';",
  "",
  "function first() {",
  "  return [1, 2].map((x) => f(x, [')']));",
  "}",
  "",
  "function second(a: string) {",
  "  if (a) {",
  "    return wrap({ a, b: [1, (2 + 3)] });",
  "  }",
  "}",
  "",
].join("\n");

describe("a typing session", () => {
  const session = typingSession(
    { path: "a.ts", text, languageId: "typescript" },
    { keys: 400, minUnits: 10 },
  );

  test("ends in the file as it was", () => {
    let now = session?.text ?? "";
    for (const { edit } of session?.keys ?? []) {
      if (edit !== null) now = now.slice(0, edit.start) + edit.text + now.slice(edit.end);
    }
    expect(now).toBe(text);
  });

  test("closes brackets as editors do, and indents new lines", () => {
    const keys = session?.keys ?? [];
    expect(keys.some(({ edit }) => edit?.text === "()")).toBe(true);
    expect(keys.some(({ edit }) => edit === null)).toBe(true);
    expect(keys.some(({ edit }) => edit?.text === "\n    ")).toBe(true);
  });

  test("has nothing for a file that is too short", () => {
    const file = { path: "a.ts", text, languageId: "typescript" };
    expect(typingSession(file, { keys: 10, minUnits: 10_000 })).toBeNull();
  });
});
