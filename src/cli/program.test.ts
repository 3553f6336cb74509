import { expect, test, vi } from "vitest";
import { runProgram } from "./program.ts";

test.each([
  ["replay", "--sessions", "0"],
  ["eval", "infill", "--samples", "none"],
  ["stats", "--days", "-1"],
  ["lsp", "--socket", "99999"],
])("A number that makes no sense is named with its flag: %s %s %s", async (...args) => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    expect(await runProgram(args)).toBe(2);
    const said = write.mock.calls.map(([text]) => String(text)).join("");
    expect(said).toContain(`argument '${args.at(-1)}' is invalid. It is not a `);
  } finally {
    write.mockRestore();
  }
});
