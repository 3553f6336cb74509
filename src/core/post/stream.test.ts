import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lexicalScopeProbe } from "../scope/lexical-scope-probe.ts";
import type { StreamOptions } from "./stream.ts";
import { createStreamCutter } from "./stream.ts";

const place: StreamOptions = {
  stops: ["<|endoftext|>", "<｜end▁of▁sentence｜>", "</s>"],
  multiline: true,
  prefix: "",
  suffix: "\n",
  languageId: "typescript",
  scopes: lexicalScopeProbe,
};

/** The final text, and how many chunks were taken before it was final. */
function stream(
  chunks: readonly string[],
  options: Partial<StreamOptions> = {},
): { readonly text: string; readonly taken: number } {
  const cutter = createStreamCutter({ ...place, ...options });
  for (let i = 0; i < chunks.length; i++) {
    const { text, done } = cutter.push(chunks[i] ?? "");
    if (done) return { text, taken: i + 1 };
  }
  return { text: cutter.finish(), taken: chunks.length };
}

describe("a stream ends", () => {
  test("at a sentinel that arrives in pieces", () => {
    expect(stream(["w * h<|en", "doftext|", ">junk", "more"])).toEqual({ text: "w * h", taken: 3 });
  });

  test("at a sentinel outside ASCII", () => {
    expect(stream(["a", "<｜end▁of", "▁sentence｜>", "b"])).toEqual({ text: "a", taken: 3 });
  });

  test("at the stop string of the caller that is complete first", () => {
    expect(stream(["abcd"], { stops: ["abcd", "c", ""] })).toEqual({ text: "ab", taken: 1 });
  });

  test("at the line end in single-line mode", () => {
    const chunks = ["10", "\nrate", " = 2\n"];
    expect(stream(chunks, { multiline: false, prefix: "limit = " })).toEqual({
      text: "10",
      taken: 2,
    });
  });

  test("after the first line of code behind reasoning, a sentence and a fence", () => {
    const chunks = [
      "<think>\nhm\n</think>\n\n",
      "Here is the code:\n",
      "```ts\n",
      "a();\n",
      "b();\n",
    ];
    expect(stream(chunks, { multiline: false }).taken).toBe(4);
  });

  test("at the fence that closes the one before the code", () => {
    expect(stream(["```ts\na();\n", "```\n", "This calls a.\n"]).taken).toBe(2);
  });

  test("after the line that closes the enclosing block", () => {
    const options = { prefix: "function f() {\n  ", suffix: "\n" };
    expect(stream(["return 1;\n", "}\n", "\n", "f();\n", "g();\n"], options)).toEqual({
      text: "return 1;\n}\n",
      taken: 4,
    });
  });

  test("before the line that leaves an indented block", () => {
    const options = { prefix: "def f():\n    ", languageId: "python" };
    expect(stream(["    return 1\n", "\n", "print(f())\n", "x"], options)).toEqual({
      text: "    return 1\n",
      taken: 3,
    });
  });

  test("when lines come again and again", () => {
    const { text, taken } = stream(new Array<string>(50).fill("a();\n"));
    expect({ lines: text.split("\n").length, taken }).toEqual({ lines: 6, taken: 6 });
  });

  test("when a block of lines comes again and again", () => {
    expect(stream(new Array<string>(50).fill("a();\nb();\n\n")).taken).toBe(4);
  });

  test("when a line does not stop repeating itself", () => {
    expect(stream(new Array<string>(500).fill("foo(bar, "), { prefix: "x = " }).taken).toBe(15);
  });

  test("when it has come to the lines below", () => {
    const options = { prefix: "start();\n", suffix: "\nopen();\nclose();\n" };
    expect(stream(["middle();\n", "open();\n", "close();\n", "x();\n"], options).taken).toBe(3);
  });
});

describe("a stream goes on", () => {
  test("through else, closers and blank lines of its own block", () => {
    const text = "a();\n} else {\n  b();\n\n  c();\n";
    expect(stream([text, "}"], { prefix: "if (x) {\n  " }).text).toBe(`${text}}`);
  });

  test("past the words of other families' stops that are not asked for", () => {
    expect(stream(["<s>old</", "b>"], {}).text).toBe("<s>old</b>");
  });

  test("past a row that the document has below once", () => {
    const options = { prefix: "const z = [\n", suffix: "\n  [1, 1],\n];\n" };
    const chunks = ["  [0, 1],\n", "  [1, 1],\n", "  [2, 1],\n"];
    expect(stream(chunks, options).text).toBe(chunks.join(""));
  });

  test("with what was held back for a stop that did not come", () => {
    const cutter = createStreamCutter(place);
    expect(cutter.push("if (a <|end")).toEqual({ text: "if (a ", done: false });
    expect(cutter.finish()).toBe("if (a <|end");
  });
});

describe("laws", () => {
  const piece = fc.constantFrom(
    "a();\n",
    "  b = [1, 2];\n",
    "}\n",
    "} else {\n",
    "<|endof",
    "text|>",
    "<",
    "```\n",
    "<think>\n",
    "</think>\n",
    "\r\n",
    '"x',
    "'''",
    "/*",
    "*/",
    "🚀",
    "def f():\n    ",
  );
  const options = fc.record({
    multiline: fc.boolean(),
    prefix: fc.constantFrom("", "x = ", "function f() {\n  ", "def f():\n    ", "x = `a${"),
    suffix: fc.constantFrom("", "\n", ")\n}\n", "\na();\n}\n"),
    languageId: fc.constantFrom("typescript", "python", "ruby", "markdown", "json", "nonsense"),
  });

  test("any chunking gives the same text, which never shrinks before it is final", () => {
    fc.assert(
      fc.property(
        fc.array(piece),
        options,
        fc.infiniteStream(fc.nat(7)),
        (pieces, where, sizes) => {
          const whole = pieces.join("");
          const cutter = createStreamCutter({ ...place, ...where });
          let shown = "";
          let final: string | null = null;
          for (let at = 0; at < whole.length && final === null; ) {
            const size = 1 + (sizes.next().value ?? 0);
            const { text, done } = cutter.push(whole.slice(at, at + size));
            if (done) final = text;
            else expect(text.startsWith(shown)).toBe(true);
            shown = text;
            at += size;
          }
          expect(final ?? cutter.finish()).toBe(stream([whole], where).text);
          expect(whole.startsWith(final ?? cutter.finish())).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("no text makes it throw", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), options, (chunks, where) => {
        stream(chunks, where);
      }),
    );
  });
});
