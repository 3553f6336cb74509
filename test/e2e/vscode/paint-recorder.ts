/// <reference lib="dom" />
/** Runs in the page: notes every ghost text with its line, and when it came after the last key. */

/** One ghost text as it was on screen. */
export interface Painted {
  /** Address of the document. */
  readonly uri: string;
  /** The line as it is seen, ghost text included. */
  readonly line: string;
  readonly ghost: string;
  /** Ghost lines below it. */
  readonly below: readonly string[];
  /** Milliseconds of the page's clock. */
  readonly atMs: number;
  /** When the last key before it went down. */
  readonly keyMs: number;
}

interface PaintRecorder {
  /** What is on screen. */
  readonly now: () => Painted[];
  /** What was on screen since the last call; an entry without text where there was nothing. */
  readonly take: () => Painted[];
  /** Every notification so far, gone ones too. */
  readonly toasts: () => string[];
}

declare global {
  var midspanPaint: PaintRecorder;
}

/** Handed to the page as text: it uses nothing from outside. */
export function startPaintRecorder(): void {
  const plain = (text: string | null): string => (text ?? "").replaceAll("\u00a0", " ");
  const ghostClass = ".ghost-text-decoration, .ghost-text-decoration-preview";
  let keyMs = 0;
  let seen: Painted[] = [];
  let last = "";
  const toasts = new Set<string>();
  const now = (): Painted[] => {
    const lines = new Set<Element>();
    for (const part of document.querySelectorAll(ghostClass)) {
      const line = part.closest(".view-line");
      if (line !== null) lines.add(line);
    }
    return [...lines].map((line) => {
      const editor = line.closest(".monaco-editor");
      const parts = [...line.querySelectorAll(ghostClass)];
      const below = [...(editor?.querySelectorAll(".suggest-preview-text .view-line") ?? [])];
      return {
        uri: decodeURIComponent(editor?.getAttribute("data-uri") ?? ""),
        line: plain(line.textContent),
        ghost: parts.map(({ textContent }) => plain(textContent)).join(""),
        below: below.map(({ textContent }) => plain(textContent)),
        atMs: performance.now(),
        keyMs,
      };
    });
  };
  const look = (): void => {
    for (const toast of document.querySelectorAll(".notification-toast")) {
      const text = plain(toast.textContent).trim();
      if (text !== "") toasts.add(text);
    }
    const painted = now();
    const key = JSON.stringify(painted.map(({ uri, line, ghost }) => [uri, line, ghost]));
    if (key === last) return;
    last = key;
    const nothing = { uri: "", line: "", ghost: "", below: [], atMs: performance.now(), keyMs };
    seen.push(...(painted.length === 0 ? [nothing] : painted));
  };
  globalThis.midspanPaint = {
    now,
    take: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    toasts: () => [...toasts],
  };
  addEventListener(
    "keydown",
    () => {
      keyMs = performance.now();
    },
    true,
  );
  const start = (): void => {
    const options = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document.documentElement, options);
  };
  if (document.documentElement === null) addEventListener("DOMContentLoaded", start);
  else start();
}
