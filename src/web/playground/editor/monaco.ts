/**
 * The parts of Monaco that the page has: the editor, ghost text and what a person expects of any code
 * editor. Languages are tokenizers only, fetched when a file needs one; no language worker runs.
 */
import "monaco-editor/features/bracketMatching/register.js";
import "monaco-editor/features/caretOperations/register.js";
import "monaco-editor/features/clipboard/register.js";
import "monaco-editor/features/comment/register.js";
import "monaco-editor/features/cursorUndo/register.js";
import "monaco-editor/features/find/register.js";
import "monaco-editor/features/indentation/register.js";
import "monaco-editor/features/inlineCompletions/register.js";
import "monaco-editor/features/lineSelection/register.js";
import "monaco-editor/features/linesOperations/register.js";
import "monaco-editor/features/multicursor/register.js";
import "monaco-editor/features/smartSelect/register.js";
import "monaco-editor/features/tokenization/register.js";
import "monaco-editor/features/wordOperations/register.js";
import "monaco-editor/languages/definitions/bat/register.js";
import "monaco-editor/languages/definitions/clojure/register.js";
import "monaco-editor/languages/definitions/cpp/register.js";
import "monaco-editor/languages/definitions/csharp/register.js";
import "monaco-editor/languages/definitions/css/register.js";
import "monaco-editor/languages/definitions/dart/register.js";
import "monaco-editor/languages/definitions/dockerfile/register.js";
import "monaco-editor/languages/definitions/elixir/register.js";
import "monaco-editor/languages/definitions/fsharp/register.js";
import "monaco-editor/languages/definitions/go/register.js";
import "monaco-editor/languages/definitions/graphql/register.js";
import "monaco-editor/languages/definitions/hcl/register.js";
import "monaco-editor/languages/definitions/html/register.js";
import "monaco-editor/languages/definitions/ini/register.js";
import "monaco-editor/languages/definitions/java/register.js";
import "monaco-editor/languages/definitions/javascript/register.js";
import "monaco-editor/languages/definitions/julia/register.js";
import "monaco-editor/languages/definitions/kotlin/register.js";
import "monaco-editor/languages/definitions/less/register.js";
import "monaco-editor/languages/definitions/lua/register.js";
import "monaco-editor/languages/definitions/markdown/register.js";
import "monaco-editor/languages/definitions/objective-c/register.js";
import "monaco-editor/languages/definitions/perl/register.js";
import "monaco-editor/languages/definitions/php/register.js";
import "monaco-editor/languages/definitions/powershell/register.js";
import "monaco-editor/languages/definitions/protobuf/register.js";
import "monaco-editor/languages/definitions/python/register.js";
import "monaco-editor/languages/definitions/r/register.js";
import "monaco-editor/languages/definitions/ruby/register.js";
import "monaco-editor/languages/definitions/rust/register.js";
import "monaco-editor/languages/definitions/scala/register.js";
import "monaco-editor/languages/definitions/scss/register.js";
import "monaco-editor/languages/definitions/shell/register.js";
import "monaco-editor/languages/definitions/sql/register.js";
import "monaco-editor/languages/definitions/swift/register.js";
import "monaco-editor/languages/definitions/typescript/register.js";
import "monaco-editor/languages/definitions/xml/register.js";
import "monaco-editor/languages/definitions/yaml/register.js";
import { editor, KeyCode, KeyMod, languages } from "monaco-editor/editor/editor.api.js";

export {
  type CancellationToken,
  editor,
  KeyCode,
  KeyMod,
  languages,
  Position,
  Range,
  Uri,
} from "monaco-editor/editor/editor.api.js";

/** Commands of the editor that the page calls by name. */
export const commands = {
  suggest: "editor.action.inlineSuggest.trigger",
  next: "editor.action.inlineSuggest.showNext",
  previous: "editor.action.inlineSuggest.showPrevious",
  accept: "editor.action.inlineSuggest.commit",
  acceptWord: "editor.action.inlineSuggest.acceptNextWord",
  acceptLine: "editor.action.inlineSuggest.acceptNextLine",
  dismiss: "editor.action.inlineSuggest.hide",
} as const;

/** One of `commands`. */
export type GhostCommand = (typeof commands)[keyof typeof commands];

/** Adds the key bindings, themes and JSON colours that the editor lacks by itself. Call it once. */
export function prepareMonaco(): void {
  // Ghost text that changes within 50 ms leaves a cancelled announcement behind that nobody awaits.
  window.addEventListener("unhandledrejection", (event) => {
    if (event.reason instanceof Error && event.reason.name === "Canceled") event.preventDefault();
  });
  editor.addKeybindingRules([
    {
      keybinding: KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.RightArrow,
      command: commands.acceptLine,
      when: "inlineSuggestionVisible && cursorBeforeGhostText",
    },
  ]);
  editor.defineTheme("midspan-light", {
    base: "vs",
    inherit: true,
    rules: [],
    colors: {
      "editor.background": "#ffffff",
      "editorGhostText.foreground": "#6d6ab8",
      "editorLineNumber.foreground": "#a3abb6",
      "editorLineNumber.activeForeground": "#3b4350",
      "editor.lineHighlightBackground": "#f6f7fb",
      "editor.lineHighlightBorder": "#00000000",
    },
  });
  editor.defineTheme("midspan-dark", {
    base: "vs-dark",
    inherit: true,
    rules: [],
    colors: {
      "editor.background": "#14171c",
      "editorGhostText.foreground": "#8f8cd8",
      "editorLineNumber.foreground": "#566070",
      "editorLineNumber.activeForeground": "#c3cbd6",
      "editor.lineHighlightBackground": "#1a1e25",
      "editor.lineHighlightBorder": "#00000000",
    },
  });
  registerJson();
}

/** Monaco's JSON comes with a worker only; these few rules colour it without. */
function registerJson(): void {
  languages.register({ id: "json", extensions: [".json", ".jsonc"] });
  languages.setLanguageConfiguration("json", {
    comments: { lineComment: "//", blockComment: ["/*", "*/"] },
    brackets: [
      ["{", "}"],
      ["[", "]"],
    ],
    autoClosingPairs: [
      { open: "{", close: "}" },
      { open: "[", close: "]" },
      { open: '"', close: '"', notIn: ["string"] },
    ],
  });
  languages.setMonarchTokensProvider("json", {
    tokenizer: {
      root: [
        [/"(?:[^"\\]|\\.)*"(?=\s*:)/, "type"],
        [/"(?:[^"\\]|\\.)*"?/, "string"],
        [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, "number"],
        [/\b(?:true|false|null)\b/, "keyword"],
        [/\/\/.*$/, "comment"],
        [/[{}[\]]/, "@brackets"],
      ],
    },
  });
}
