import { describe, expect, test } from "vitest";
import { freezePrefix } from "./frozen-prefix.ts";
import { estimatedTokenCounter } from "./tokens.ts";

const counter = estimatedTokenCounter({ vocabulary: "large", languageId: "typescript" });

describe("a prefix is frozen", () => {
  test("at the start of the cursor's line, where no token is cut in two", () => {
    const window = { prefix: "a();\n  const b", suffix: ";\n" };
    expect(freezePrefix(null, window, counter)).toEqual({ prefix: "a();\n", suffix: ";\n" });
    expect(freezePrefix(null, { prefix: "const b", suffix: "" }, counter).prefix).toBe("");
  });

  test("and stays over keys and lines, as long as the suffix is the same", () => {
    const first = freezePrefix(null, { prefix: "a();\nb", suffix: "\n" }, counter);
    const typed = freezePrefix(first, { prefix: "a();\nb();\nc", suffix: "\n" }, counter);
    expect(typed).toBe(first);
    const other = freezePrefix(first, { prefix: "a();\nb();\nc", suffix: ")\n" }, counter);
    expect(other.prefix).toBe("a();\nb();\n");
  });

  test("until what it held is deleted, or the typed text gets long", () => {
    const first = freezePrefix(null, { prefix: "a();\nb", suffix: "" }, counter);
    expect(freezePrefix(first, { prefix: "a(", suffix: "" }, counter).prefix).toBe("");
    const long = `a();\n${"call(one, two);\n".repeat(20)}`;
    expect(freezePrefix(first, { prefix: `${long}b`, suffix: "" }, counter).prefix).toBe(long);
  });
});
