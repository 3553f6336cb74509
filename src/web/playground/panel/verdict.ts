import { element, setText } from "../../dom.ts";
import { formatMs, type KeyPress, stagesOf, totalMs } from "../key-press.ts";
import { sentenceFor } from "../reasons.ts";
import type { PanelPart } from "./waterfall.ts";

interface Verdict {
  readonly mood: "shown" | "reused" | "nothing" | "waiting" | "failed" | "idle";
  readonly title: string;
  readonly about: string;
  /** Where the text came from; `""` when nothing was asked. */
  readonly origin: string;
}

const sourceWords: Readonly<Record<string, string>> = {
  local: "local model",
  model: "language model",
  cache: "answer cache",
  "type-through": "text on screen",
  prefetch: "asked ahead",
};

/** What came of the key press, in words. */
export function createVerdict(): PanelPart {
  const title = element("strong");
  const time = element("span", { class: "verdict-time" });
  const about = element("p", { class: "verdict-about" });
  const origin = element("p", { class: "verdict-origin" });
  const box = element(
    "div",
    { class: "verdict" },
    element("div", { class: "verdict-head" }, title, time),
    about,
    origin,
  );
  return {
    element: box,
    update: (keyPress) => {
      const verdict = verdictOf(keyPress);
      const ms = totalMs(stagesOf(keyPress));
      box.dataset.mood = verdict.mood;
      setText(title, verdict.title);
      setText(time, ms > 0 ? `${formatMs(ms)} ms` : "");
      setText(about, verdict.about);
      setText(origin, verdict.origin);
    },
  };
}

function verdictOf(keyPress: KeyPress): Verdict {
  switch (keyPress.kind) {
    case "none":
      return {
        mood: "idle",
        title: "Ready",
        about:
          keyPress.beginning === null
            ? "Type in the editor: what could follow appears as you type."
            : `Press Enter, then type “${keyPress.beginning}”: what could follow appears as you type.`,
        origin: "Tab accepts it, Esc sends it away.",
      };
    case "paused":
      return {
        mood: "idle",
        title: "Paused",
        about: "Nothing is asked while completion is paused.",
        origin: "",
      };
    case "waiting":
      return {
        mood: "waiting",
        title: "Waiting for the model …",
        about: "The newest key press has no answer yet.",
        origin: keyPress.trigger === "invoked" ? "asked by hand" : "",
      };
    case "withdrawn":
      return {
        mood: "nothing",
        title: "Withdrawn",
        about: "No answer came before the cursor moved away or the editor lost the focus.",
        origin: "",
      };
    case "failed":
      return { mood: "failed", title: "Failed", about: keyPress.message, origin: "" };
    case "typed-through":
      return {
        mood: "reused",
        title: "Typed through, no request",
        about: "What was typed is what the ghost text said; the rest of it stays.",
        origin: originOf(keyPress.reply),
      };
    case "answered": {
      const { reply, trigger } = keyPress;
      const asked = trigger === "invoked" ? "asked by hand" : "";
      if (reply.reason === null) {
        return {
          mood: "shown",
          title: "Shown",
          about: reply.decision ?? "The text is likely enough to be right.",
          origin: [originOf(reply), asked].filter((part) => part !== "").join(" · "),
        };
      }
      return {
        mood: "nothing",
        title: "Nothing shown",
        about: sentenceFor(reply.reason),
        origin: [reply.decision ?? reply.reason, asked].filter((part) => part !== "").join(" · "),
      };
    }
  }
}

function originOf(reply: {
  readonly source: string | null;
  readonly model: string | null;
}): string {
  if (reply.source === null) return "";
  const words = sourceWords[reply.source] ?? reply.source;
  const model = reply.model === null || reply.model === "local" ? "" : ` (${reply.model})`;
  return `From the ${words}${model}`;
}
