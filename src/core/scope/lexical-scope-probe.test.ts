import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languages } from "../language.ts";
import { lexicalScopeProbe } from "./lexical-scope-probe.ts";

/** Where a text ends, in short: `code ( {`, `string "`, `comment // (`. */
function at(text: string, languageId: string): string {
  const scope = lexicalScopeProbe.at(text, languageId);
  return [scope.region, scope.delimiter, ...scope.openBrackets.map((bracket) => bracket.open)]
    .filter((part) => part !== null)
    .join(" ");
}

for (const language of languages) {
  describe(language.id, () => {
    test("keeps what is open, and forgets what is closed", () => {
      expect(at("a ( [ { b } ] ", language.id)).toBe("code (");
      expect(at("( [ )", language.id)).toBe("code");
      expect(at(") ] } (", language.id)).toBe("code (");
    });

    for (const mark of language.lineComments) {
      test(`ends a comment after ${mark} with the line`, () => {
        expect(at(`x ( ${mark} { "`, language.id)).toBe(`comment ${mark} (`);
        expect(at(`x ( ${mark} { "\n`, language.id)).toBe("code (");
      });
    }

    for (const [open, close] of language.blockComments) {
      test(`ends a comment after ${open} with ${close}`, () => {
        expect(at(`x ( ${open} { "\n [`, language.id)).toBe(`comment ${open} (`);
        expect(at(`x ( ${open} { "\n [ ${close} `, language.id)).toBe("code (");
      });
    }

    for (const { open, close, multiline, holes, escape: escaping } of language.strings) {
      test(`ends a string after ${open} with ${close}`, () => {
        expect(at(`( ${open}{ [`, language.id)).toBe(`string ${open} (`);
        expect(at(`( ${open}{ [${close} `, language.id)).toBe("code (");
        expect(at(`( ${open}{\n`, language.id)).toBe(multiline ? `string ${open} (` : "code (");
        if (escaping === "backslash") {
          expect(at(`${open}a\\${close.charAt(0)}`, language.id)).toBe(`string ${open}`);
        }
        if (escaping === "doubled") {
          expect(at(`${open}a${close}${close}`, language.id)).toBe(`string ${open}`);
        }
      });

      for (const hole of holes) {
        test(`has code in ${hole} inside ${open}`, () => {
          const bracket = hole.endsWith("(") ? ")" : "}";
          expect(at(`${open}a ${hole}b(`, language.id)).toBe(`code ${hole} (`);
          expect(at(`${open}a ${hole}b${bracket} c`, language.id)).toBe(`string ${open}`);
          expect(at(`${open}a ${hole}b${bracket} c${close}`, language.id)).toBe("code");
        });
      }
    }
  });
}

describe("odd literals", () => {
  for (const [says, text, languageId, where] of [
    ["a regular expression is no division", 'x = /[(/]\\/"/.test(', "typescript", "code ("],
    ["a division is no regular expression", "x = a / b; y = (c / '", "typescript", "string ' ("],
    ["after return comes a regular expression", "return /[(]/.test(", "javascript", "code ("],
    ["an apostrophe in a word opens nothing", "<p>don't (", "typescriptreact", "code ("],
    ["digits may be separated", "x = 1'000'000 + f(", "cpp", "code ("],
    ["a prefix belongs to the string", "x = rb'(", "python", "string '"],
    ["a lifetime is no character", "fn f<'a>(x: &'a str, c: '", "rust", "code ("],
    ["a character is one", "match c { '(' => '\\'', '{' => f(", "rust", "code { ("],
    ["raw strings of Rust", 'r#"a " ( "# + f(', "rust", "code ("],
    ["open raw strings of Rust", 'r##"a "# (', "rust", 'string r##"'],
    ["raw strings of Swift", '#"a " ( \\("# + f(', "swift", "code ("],
    ["raw strings of C++", 'R"x(a " ) ( )x" + f(', "cpp", "code ("],
    ["verbatim strings of C#", '@"a\\" + f(', "csharp", "code ("],
    ["raw strings of Go", "`a \\` + f(", "go", "code ("],
    ["nested comments", "/* a /* ( */ { */ f(", "rust", "code ("],
    ["comments that do not nest", "/* a /* ( */ f(", "c", "code ("],
    ["a hash inside a word is none", "echo $# a#b (", "shellscript", "code ("],
    ["a URL in a style sheet", "a { b: url(http://x/", "scss", "code { ("],
    ["strings in strings in holes", "`a ${f(`b ${g('", "typescript", "string ' ${ ( ${ ("],
    ["an escaped line end goes on", '"a\\\n(', "c", 'string "'],
  ] as const) {
    test(says, () => {
      expect(at(text, languageId)).toBe(where);
    });
  }
});

describe("brackets", () => {
  test("know their line's indentation, their place, and whether they open a block", () => {
    expect(
      lexicalScopeProbe.at("if (a) {\n  f(b, [ // c\n    {", "typescript").openBrackets,
    ).toEqual([
      { open: "{", close: "}", indentWidth: 0, opensBlock: true, offset: 7, within: null },
      { open: "(", close: ")", indentWidth: 2, opensBlock: false, offset: 12, within: null },
      { open: "[", close: "]", indentWidth: 2, opensBlock: true, offset: 16, within: null },
      { open: "{", close: "}", indentWidth: 4, opensBlock: true, offset: 27, within: null },
    ]);
  });

  test("know the string whose hole they are", () => {
    expect(lexicalScopeProbe.at('"""a ${', "kotlin").openBrackets).toMatchObject([
      { open: "${", close: "}", within: '"""' },
    ]);
  });

  test("count a tab to the next multiple of eight", () => {
    expect(lexicalScopeProbe.at("  \tf(", "go").openBrackets[0]?.indentWidth).toBe(8);
  });
});

describe("a window that starts in the middle", () => {
  for (const [says, text, languageId, where] of [
    ["of a block comment", " * it's (\n * `a\n */\nf(", "typescript", "code ("],
    ["of a docstring", 'Says (hello.\n\n    It\'s.\n    """\n    f(', "python", "code ("],
    ["of a docstring that ends in its line", 'hello (there."""\nf(', "python", "code ("],
    ["of code above a comment", "f(\n/* a */\n", "typescript", "code ("],
    ["of code above a docstring", 'def f(a):\n    """Says (', "python", 'string """'],
    [
      "of code above a docstring on lines of its own",
      'def f():\n    """\n    (',
      "python",
      'string """',
    ],
    ["of code with a glob", 'glob("**/*.ts", (', "typescript", "code ( ("],
  ] as const) {
    test(says, () => {
      expect(at(text, languageId)).toBe(where);
    });
  }
});

describe("laws", () => {
  test("no text makes it throw, and offsets are those of opening brackets", () => {
    const ids = languages.map((language) => language.id);
    const text = fc.string({
      unit: fc.constantFrom(..."()[]{}'\"`/*\\#$-<>!r@R\n =a\t".split(""), "🚀", "\r\n"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.constantFrom(...ids), (prefix, id) => {
        for (const bracket of lexicalScopeProbe.at(prefix, id).openBrackets) {
          expect(prefix.charAt(bracket.offset)).toBe(bracket.open.slice(-1));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test("hard text costs no more than its length", () => {
    for (const unit of ["(", "'\\", "/\\", '"', "`${", "/*", "r#", 'R"', "a/", "'''", "*/", "#"]) {
      for (const id of ["typescript", "rust", "cpp", "python", "swift"]) {
        lexicalScopeProbe.at(unit.repeat(20_000), id);
      }
    }
  });
});
