import { expect, test, vi } from "vitest";
import { benchSuites } from "./bench-suites.ts";
import { runProgram } from "./program.ts";

async function helpOf(...args: readonly string[]): Promise<string> {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    expect(await runProgram(["bench", ...args, "--help"])).toBe(0);
    return write.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    write.mockRestore();
  }
}

/** As one line, since the help is wrapped. */
const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

test.each(benchSuites)(
  "bench $name --help says what it measures, for how long, and what it needs.",
  async (suite) => {
    const help = flat(await helpOf(suite.name));
    expect(help).toContain(`${suite.measures} ${suite.takes} ${suite.needs}`);
    const others = benchSuites.filter((other) => other !== suite && help.includes(other.measures));
    expect(others).toEqual([]);
  },
);

test("bench --help says it of all, in lines that fit a terminal.", async () => {
  const help = await helpOf();
  const missing = benchSuites.filter(({ measures }) => !flat(help).includes(measures));
  expect(missing).toEqual([]);
  expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
