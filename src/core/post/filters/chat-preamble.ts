import type { PostFilter } from "../filter.ts";
import { dropStart } from "../filter.ts";
import { lineEndFrom } from "../lines.ts";
import { isOpeningFence } from "./code-fence.ts";

/** How chat models begin a sentence about the code that follows; lower case. */
const openings = [
  "here is",
  "here's",
  "here are",
  "here you go",
  "sure",
  "certainly",
  "of course",
  "absolutely",
  "okay,",
  "ok,",
  "great",
  "below is",
  "this is the completed",
  "the completed",
  "the complete code",
  "the following code",
  "the missing",
  "the code",
  "to complete",
  "i'll",
  "i will",
  "i've",
  "you can",
  "based on",
  "based upon",
  "completed code",
  "completion:",
  "answer:",
  "output:",
];

/** A sentence to a person before the code is not code: it goes, with the blank lines after it. */
export const chatPreamble: PostFilter = {
  name: "chat-preamble",
  origin: "model",
  apply(candidate, context) {
    const { text } = candidate;
    if (
      context.language.fencesAreContent ||
      !context.headIsBlank ||
      context.scope.region !== "code"
    )
      return candidate;
    let start = 0;
    let isPreamble = false;
    for (let at = 0; at < text.length; ) {
      const end = lineEndFrom(text, at);
      const line = text.slice(at, end).trim();
      const next = Math.min(text.length, end + 1);
      if (isPreamble && isOpeningFence(line)) return dropStart(candidate, at);
      if (line !== "" && !isSentence(line)) break;
      if (line !== "") isPreamble ||= isAddressedToPerson(line);
      at = next;
      start = next;
    }
    // Without a fence only a known opening counts, and only where prose is not content.
    return isPreamble && context.language.nature !== "prose" && start < text.length
      ? dropStart(candidate, start)
      : candidate;
  },
};

/** True for a first line such as "Here is the completed code:". */
export function isAddressedToPerson(line: string): boolean {
  const lower = line.trim().toLowerCase();
  return openings.some((opening) => lower.startsWith(opening)) && isSentence(line.trim());
}

/** Words with blanks between them and a sentence's end; what code hardly ever looks like. */
export function isSentence(line: string): boolean {
  const last = line.charAt(line.length - 1);
  if (last !== ":" && last !== "." && last !== "!") return false;
  if (/[={};]/.test(line)) return false;
  return /^[A-Z][A-Za-z']*([ ,!]|$)/.test(line) || line.split(" ").length >= 4;
}
