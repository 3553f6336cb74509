import { element, setText } from "../../dom.ts";
import type { PanelPart } from "./waterfall.ts";

/** What the language model got to read; not there when none was asked. */
export function createPrompt(): PanelPart {
  const summary = element("summary");
  const text = element("pre", { tabindex: 0 });
  const snippets = element("ul", { class: "snippets" });
  const box = element("details", { class: "prompt", hidden: true }, summary, text, snippets);
  return {
    element: box,
    update: (keyPress) => {
      const reply = keyPress.kind === "answered" ? keyPress.reply : null;
      const prompt = reply?.prompt ?? null;
      box.hidden = prompt === null;
      if (prompt === null) return;
      setText(summary, `Prompt, ${prompt.length.toLocaleString("en")} characters`);
      setText(text, prompt);
      snippets.replaceChildren(
        ...(reply?.snippets ?? []).map(({ path, source, score }) =>
          element("li", {}, `${path} · ${source} · ${score.toFixed(2)}`),
        ),
      );
    },
  };
}
