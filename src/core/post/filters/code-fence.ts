import type { PostContext } from "../context.ts";
import type { Candidate, PostFilter } from "../filter.ts";
import { cutAt, dropStart, unlessBlank } from "../filter.ts";

/**
 * A Markdown fence around code goes, and what follows it. Where fences are content (Markdown), and
 * inside strings and comments (a docstring may show an example), they stay.
 */
export const codeFence: PostFilter = {
  name: "code-fence",
  origin: "model",
  apply(candidate, context) {
    if (!candidate.text.includes("```") && !candidate.text.includes("~~~")) return candidate;
    if (context.language.fencesAreContent || context.scope.region !== "code") return candidate;
    const opened = withoutOpeningFence(candidate);
    const closing = closingFence(opened.text, context);
    const result = closing < 0 ? opened : cutAt(opened, closing);
    return result === candidate ? candidate : unlessBlank(result, "empty");
  },
};

/** True for a line such as "```" or "```ts". */
export function isOpeningFence(line: string): boolean {
  return /^(?:```|~~~)[\w.+#-]*$/.test(line.trim());
}

function withoutOpeningFence(candidate: Candidate): Candidate {
  const { text } = candidate;
  const start = text.length - text.trimStart().length;
  if (!text.startsWith("```", start) && !text.startsWith("~~~", start)) return candidate;
  const lineEnd = text.indexOf("\n", start);
  const line = text.slice(start, lineEnd < 0 ? text.length : lineEnd);
  if (isOpeningFence(line)) {
    return dropStart(candidate, lineEnd < 0 ? text.length : lineEnd + 1);
  }
  // "```return n```" on one line: drop the marks only.
  const end = text.indexOf("```", start + 3);
  return end < 0 ? candidate : { ...cutAt(candidate, end), text: text.slice(start + 3, end) };
}

/** Start of the line break before the first line that is a bare fence; -1 when there is none. */
function closingFence(text: string, context: PostContext): number {
  if (!text.includes("```") && !text.includes("~~~")) return -1;
  const structure = context.structureOf(text);
  for (const line of structure.lines) {
    if (line.region !== "code") continue;
    const content = text.slice(line.start, line.end).trim();
    if (content === "```" || content === "~~~") return Math.max(0, line.start - 1);
  }
  // The code ends and the fence follows on the same line.
  const trimmed = text.trimEnd();
  const isBare = trimmed.endsWith("```") && !trimmed.slice(0, -3).includes("`");
  return isBare && structure.end.region !== "comment" ? trimmed.length - 3 : -1;
}
