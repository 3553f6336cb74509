import { describe, expect, it } from "vitest";
import { codeRegions } from "./code-regions.ts";

/** The regions drawn below the text: `.` code, `s` string, `p` prose. */
function draw(text: string, languageId = "typescript"): string {
  return [...codeRegions(text, languageId)].map((region) => ".sp"[region]).join("");
}

describe("regions of TypeScript and JavaScript", () => {
  it.each([
    ["a = 1; // why", ".......pppppp"],
    ["a /* b */ c", "..ppppppp.."],
    ["f('it\\'s', b)", "..sssssss...."],
    ['u = "a // b";', "....ssssssss."],
    ["x = a / b / c", "............."],
    ["x = /['\"]/g.y", "....ssssss..."],
    ["f(/[/]'/)", "..ssssss."],
    ["x = `a\u0024{`'`}'b`;", "....sssssssssss."],
    ["x = 'open", "....sssss"],
  ])("%s", (text, expected) => {
    expect(draw(text)).toBe(expected);
  });

  it("takes a template over several lines for prose", () => {
    expect(draw("x = `a\nb`;")).toBe("....ppppp.");
  });

  it("ends an open quote with its line", () => {
    expect(draw("'a\nb")).toBe("ss..");
  });
});

describe("regions of Python", () => {
  it.each([
    ["a = 1  # it's", ".......pppppp"],
    ["a = 'b#c'", "....sssss"],
    ['"""Says.\n"""\na', "pppppppppppp.."],
    ["a // b", "......"],
  ])("%s", (text, expected) => {
    expect(draw(text, "python")).toBe(expected);
  });
});
