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

test.each([
  ["lsp", "--server", "notaurl"],
  ["lsp", "--server", "127.0.0.1:4477"],
  ["lsp", "--server", "http://"],
  ["lsp", "--server", "ftp://a"],
  ["lsp", "--backend", "openai:http://["],
  ["lsp", "--backend", "notaurl"],
  ["serve", "--backend", "vllm:http://:99999"],
  ["bench", "latency", "--target", "notaurl"],
  ["bench", "latency", "--target", "openai:http://["],
])("An address that is none is refused before anything starts: %s %s %s", async (...args) => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    expect(await runProgram(args)).toBe(2);
    const said = write.mock.calls.map(([text]) => String(text)).join("");
    expect(said).toMatch(/ (is not|is no|must be) .*(http:|KIND:URL)/);
    expect(said).not.toContain("fault of Midspan");
  } finally {
    write.mockRestore();
  }
});

test.each(["MIDSPAN_CONTEXT_EMBEDDINGS", "MIDSPAN_MODELS_MIRROR", "MIDSPAN_BACKEND"])(
  "So is one in the environment: %s",
  async (name) => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    vi.stubEnv(name, name.endsWith("BACKEND") ? "openai:http://[" : "http://user:secret@[");
    try {
      expect(await runProgram(["config"])).toBe(2);
      const said = write.mock.calls.map(([text]) => String(text)).join("");
      expect(said).toContain("CONFIG_INVALID");
      expect(said).not.toContain("secret");
    } finally {
      vi.unstubAllEnvs();
      write.mockRestore();
    }
  },
);

test.each(["latency", "capacity"])(
  "bench %s names a model file that is not there.",
  async (what) => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      expect(await runProgram(["bench", what, "--target", "no/such.gguf"])).toBe(2);
      const said = write.mock.calls.map(([text]) => String(text)).join("");
      expect(said).toMatch(
        /^midspan: there is no model file \S+such\.gguf, .*midspan model pull NAME/,
      );
    } finally {
      write.mockRestore();
    }
  },
);

test.each(["x", "1:2:3", "-1", "5:", ":5", ""])(
  "replay --model-time %j is refused",
  async (text) => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      expect(await runProgram(["replay", "--model-time", text])).toBe(2);
      const said = write.mock.calls.map(([part]) => String(part)).join("");
      expect(said).toMatch(/^midspan: --model-time .* is not one or two times in ms, as in 150/);
    } finally {
      write.mockRestore();
    }
  },
);

test("A warning of the settings is said once, however often a command reads them.", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.stubEnv("MIDSPAN_NO_SUCH_SETTING", "1");
  try {
    for (const text of ["1:0", "5:2"])
      await runProgram(["replay", "--stand-in", text, "--edits", "no-such-file"]);
    const said = write.mock.calls.map(([text]) => String(text)).join("");
    expect(said.split("MIDSPAN_NO_SUCH_SETTING")).toHaveLength(2);
  } finally {
    vi.unstubAllEnvs();
    write.mockRestore();
  }
});

test.each([
  ["complete", ["complete"], "(midspan complete --help lists the flags)"],
  ["model info", ["model", "info"], "(midspan model info --help lists the flags)"],
  ["eval", ["eval", "rep"], "(midspan eval --help lists the commands)"],
  ["no command", ["indx"], "(midspan --help lists the commands)"],
])("A wrong command line is pointed at its own help: %s", async (_, args, hint) => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    expect(await runProgram(args)).toBe(2);
    expect(write.mock.calls.map(([text]) => String(text)).join("")).toContain(hint);
  } finally {
    write.mockRestore();
  }
});
