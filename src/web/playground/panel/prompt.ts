import { element, setText } from "../../dom.ts";
import type { PanelPart } from "./waterfall.ts";

/**
 * What the language model got to read, snippet by snippet; without a prompt, what it would have got.
 * Not there when there is neither.
 */
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
      const found = reply?.snippets ?? [];
      box.hidden = prompt === null && found.length === 0;
      text.hidden = prompt === null;
      setText(
        summary,
        prompt === null
          ? `Not asked; ${found.length} snippets would be in the prompt`
          : `Prompt, ${prompt.length.toLocaleString("en")} characters, ${found.length} snippets`,
      );
      setText(text, prompt ?? "");
      snippets.replaceChildren(...found.map(snippetItem));
    },
  };
}

function snippetItem(snippet: {
  readonly path: string;
  readonly source: string;
  readonly score: number;
  readonly text: string;
}): HTMLLIElement {
  const { path, source, score } = snippet;
  const body = element("pre", { tabindex: 0 });
  setText(body, snippet.text);
  const title = element("summary", {}, `${path} · ${source} · ${score.toFixed(3)}`);
  return element("li", {}, element("details", {}, title, body));
}
