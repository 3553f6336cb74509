/**
 * The pinned head of a document: its imports and the headers of the blocks around the cursor, for a
 * window that begins below them. Where the window shows them the prompt leaves the snippet out.
 */
import type { TextBuffer } from "../base/text-buffer.ts";
import type { Snippet, TokenCounter } from "../core/index.ts";
import { enclosingLines } from "./nearby-names.ts";

/** A cursor this near to the top sees the head itself. */
const MIN_LINE = 60;
/** Imports stand among the first lines. */
const HEAD_LINES = 120;
const importLine =
  /^\s{0,8}(?:import\b|from\s+\S+\s+import\b|export\s[^;]{0,200}\bfrom\b|use\s|using\s|package\s|#\s{0,4}include\b|require|const\s[^=]{1,200}=\s{0,4}require\()/;

/** The head as a snippet of its own file; `null` when there is none, or the cursor is near the top. */
export function documentHead(
  document: { readonly path: string | null; readonly buffer: TextBuffer; readonly offset: number },
  limits: { readonly maxTokens: number; readonly counter: TokenCounter },
): Snippet | null {
  const { path, buffer, offset } = document;
  const { line } = buffer.positionAt(offset);
  if (path === null || line < MIN_LINE) return null;
  const headers = enclosingLines(buffer, line).filter((header) => header.line < line - MIN_LINE);
  const lines: string[] = [];
  let isOpen = false;
  for (let at = 0; at < Math.min(HEAD_LINES, line - MIN_LINE); at++) {
    const text = buffer.lineAt(at).trimEnd();
    if (text.length > 300) continue;
    if (!isOpen && !importLine.test(text)) continue;
    lines.push(text);
    // An import over several lines ends where its bracket closes.
    isOpen = isOpen ? !/[)}]/.test(text) : /[({]\s*$/.test(text);
  }
  // Where the cursor stands tells more than what is imported: it comes first in the budget.
  const around = headers.map((header) => `${header.text.trimEnd()}\n`).join("");
  let left = limits.maxTokens - limits.counter.count(around);
  let imports = "";
  for (const next of lines) {
    left -= limits.counter.count(`${next}\n`);
    if (left < 0) break;
    imports += `${next}\n`;
  }
  const text = imports + around;
  return text === "" ? null : { path, kind: "head", score: 1_000_000, text };
}
