/** Types of what stands before a dot at the cursor, as far as the lines above name them. */
import type { TextBuffer } from "../base/text-buffer.ts";

const MAX_LINES = 200;
const MAX_LINE = 500;

/** Type names for `name.█`, nearest first; `[]` when the cursor is not behind a dot, or none is named. */
export function receiverTypes(buffer: TextBuffer, offset: number): string[] {
  const { line, column } = buffer.positionAt(offset);
  const before = buffer.lineAt(line).slice(0, column).slice(-MAX_LINE);
  const receiver = /([A-Za-z_$][\w$]{0,100})(?:\(\))?\??\.[\w$]{0,100}$/.exec(before)?.[1];
  if (receiver === undefined) return [];
  if (/^[A-Z]/.test(receiver)) return [receiver];
  const named = new RegExp(
    `\\b${receiver.replaceAll("$", "\\$")}\\??\\s{0,4}(?::|=|:=)\\s{0,4}(?:await\\s{1,4})?(?:new\\s{1,4}|&|\\*)?(?:[a-z]\\w{0,60}\\.)?([A-Z][\\w$]{1,100})`,
  );
  const declared = new RegExp(
    `\\b([A-Z][\\w$]{1,100})(?:<[^>\\n]{0,100}>)?\\s{1,4}${receiver.replaceAll("$", "\\$")}\\b`,
  );
  for (let at = line; at >= 0 && line - at < MAX_LINES; at--) {
    const text = buffer.lineAt(at).slice(0, MAX_LINE);
    if (!text.includes(receiver)) continue;
    const type = named.exec(text)?.[1] ?? declared.exec(text)?.[1];
    if (type !== undefined) return [type];
  }
  return [];
}
