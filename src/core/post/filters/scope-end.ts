import { BlockWatch } from "../block.ts";
import type { PostFilter } from "../filter.ts";
import { cutAt, unlessBlank } from "../filter.ts";

/** Text after the end of the enclosing block is cut. */
export const scopeEnd: PostFilter = {
  name: "scope-end",
  origin: "all",
  apply(candidate, context) {
    const { text } = candidate;
    if (context.language.blocks === "none" || !text.includes("\n")) return candidate;
    const { lines } = context.structureOf(text);
    const startsWithLineBreak = text.slice(0, lines[0]?.end).trim() === "";
    const watch = new BlockWatch(context, startsWithLineBreak);
    for (const line of lines) {
      const isOver = watch.see({
        text: text.slice(line.start, line.end),
        start: line.start,
        startsInCode: line.region === "code",
        depthBefore: line.depthBefore,
        depthAfter: line.depthAfter,
      });
      if (isOver) return unlessBlank(cutAt(candidate, watch.end), "empty");
    }
    return candidate;
  },
};
