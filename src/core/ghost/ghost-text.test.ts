import { describe, expect, test } from "vitest";
import type { AroundCursor } from "../cursor-edit.ts";
import type { CursorEdit } from "../types.ts";
import { ghostText } from "./ghost-text.ts";

function drawn(document: string, edit: Partial<CursorEdit> & { readonly text: string }): string {
  const [prefix = "", suffix = ""] = document.split("█");
  const around: AroundCursor = { prefix, suffix };
  const ghost = ghostText({ replaceBefore: 0, replaceAfter: 0, ...edit }, around);
  let line = document.replace("█", "");
  line = line.slice(0, line.length - ghost.movedTail.length);
  for (const part of [...ghost.parts].reverse()) {
    line = `${line.slice(0, part.column)}├${part.text}┤${line.slice(part.column)}`;
  }
  return [line, ...ghost.below].join("\n");
}

describe("ghost text", () => {
  test("stands at the cursor", () => {
    expect(drawn("render(█);", { text: "page, 3" })).toBe("render(├page, 3┤);");
  });

  test("stands between what is replaced", () => {
    expect(drawn('log("█")', { text: 'ready");', replaceAfter: 2 })).toBe('log("├ready┤")├;┤');
  });

  test("of several lines takes the rest of the line along", () => {
    expect(drawn("send(█, x);", { text: "\n  a,\n  b" })).toBe("send(\n  a,\n  b, x);");
  });

  test("shows what is replaced where the text has it", () => {
    expect(drawn("f(█)", { text: "{\n  a\n});", replaceAfter: 1 })).toBe("f(├{┤\n  a\n});");
  });

  test("ignores indentation that goes", () => {
    expect(drawn("    █", { text: "}", replaceBefore: 2 })).toBe("    ├}┤");
  });

  test("keeps what is replaced left of the cursor", () => {
    expect(drawn("foo█", { text: "foobar", replaceBefore: 3 })).toBe("foo├bar┤");
  });

  test("never splits a character outside the basic plane", () => {
    expect(drawn('"█🚀"', { text: '🎈🚀";', replaceAfter: 3 })).toBe('"├🎈┤🚀"├;┤');
  });
});
