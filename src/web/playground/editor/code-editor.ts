import { editor } from "./monaco.ts";

/** Creates the one editor of the page inside `host`. Ghost text is the only kind of suggestion. */
export function createCodeEditor(host: HTMLElement): editor.IStandaloneCodeEditor {
  return editor.create(host, {
    model: null,
    automaticLayout: true,
    ariaLabel: "Code",
    fontSize: 13,
    lineHeight: 20,
    minimap: { enabled: false },
    overviewRulerLanes: 0,
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
    scrollBeyondLastLine: false,
    padding: { top: 10, bottom: 10 },
    folding: false,
    glyphMargin: false,
    lineNumbersMinChars: 4,
    renderLineHighlight: "all",
    renderLineHighlightOnlyWhenFocus: false,
    fixedOverflowWidgets: true,
    stickyScroll: { enabled: false },
    hover: { enabled: "off" },
    links: false,
    occurrencesHighlight: "off",
    contextmenu: false,
    quickSuggestions: false,
    suggestOnTriggerCharacters: false,
    wordBasedSuggestions: "off",
    parameterHints: { enabled: false },
    // Whoever types a comment to its end would be left with a second end.
    autoClosingComments: "never",
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false },
    inlineSuggest: {
      enabled: true,
      mode: "subwordSmart",
      showToolbar: "never",
      minShowDelay: 0,
      syntaxHighlightingEnabled: false,
      keepOnBlur: true,
    },
  });
}
