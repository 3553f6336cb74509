import type { AroundCursor, CursorEdit } from "../core/index.ts";

/**
 * A document with an edit drawn into it: `├…┤` ghost text, `╠…├` what is replaced left of the
 * cursor, `┤…╣` what is replaced right of it. Marks with nothing between them are left out.
 */
export function drawEdit(around: AroundCursor, edit: CursorEdit): string {
  const { prefix, suffix } = around;
  const kept = prefix.length - edit.replaceBefore;
  const before = edit.replaceBefore === 0 ? "" : `╠${prefix.slice(kept)}`;
  const after = edit.replaceAfter === 0 ? "" : `${suffix.slice(0, edit.replaceAfter)}╣`;
  const ghost = `${before}├${edit.text}┤${after}`;
  return prefix.slice(0, kept) + ghost + suffix.slice(edit.replaceAfter);
}
