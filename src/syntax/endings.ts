/**
 * How an unfinished text might go on. A text may be right and yet parse only once the lines below it
 * are written: a block that it opens has no end yet. So before a text counts as broken, short ways to
 * finish it are tried. They are never shown.
 */
import { languageOf, type Scope } from "../core/index.ts";

/** Brackets that are closed for the text at most; deeper ones are no end of a line. */
const MAX_CLOSERS = 12;

const braces = ["", " x", " {}", " x {}", ";", "\nx", " => x", " : x", " = x", "; x) {}"];
const byLanguage: Readonly<Record<string, readonly string[]>> = {
  python: [
    "",
    " x",
    " pass",
    ": pass",
    " in x: pass",
    "\n%x",
    "\n%  x",
    "\n%def x(): pass",
    " else x",
  ],
  ruby: ["", " x", "\nend", "\nx\nend", " x\nend"],
  shellscript: [
    "",
    " x",
    "; then x; fi",
    "\nx\nfi",
    "; do x; done",
    "\nx\ndone",
    "\n}",
    " x;; esac",
  ],
  go: [...braces, " := x", " x := x", " struct {}"],
  rust: [...braces, " => x,", ": x", " = x;"],
  html: ["", ">", '">'],
  css: ["", " x", " {}", ": x;", " x;"],
  json: ["", " 1", ": 1", '"x": 1'],
};

/**
 * Ends for a text that leaves `scope` behind it, likeliest first. `opened` are the closing brackets
 * of what the text and its line opened, outermost first; `indent` is the indentation of its line.
 */
export function endingsOf(place: {
  readonly languageId: string;
  readonly scope: Scope;
  readonly opened: readonly string[];
  readonly indent: string;
}): readonly string[] {
  const { id } = languageOf(place.languageId);
  const opened = place.opened.slice(-MAX_CLOSERS).reverse();
  const quote = place.scope.region === "string" ? (place.scope.delimiter ?? "") : "";
  const closers = `${quote}${opened.join("")}`;
  const endings = (byLanguage[id] ?? braces).map((ending) => ending.replace("%", place.indent));
  const inside = opened.length === 0 ? [] : [` x${opened.join("")}`, `\nx${opened.join("")}`];
  return [...new Set([closers, ...inside, ...endings.map((ending) => closers + ending)])];
}
