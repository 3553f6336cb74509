import {
  type Ghost,
  type GhostItem,
  type GhostList,
  type GhostPort,
  GhostProvider,
} from "./ghost-provider.ts";
import { commands, type editor, type GhostCommand, KeyCode, KeyMod, languages } from "./monaco.ts";

/** Several settings in one movement, such as a slider that is dragged, ask once. */
const SETTLE_MS = 120;

/** Ghost text in one editor: its provider, its commands, and asking again when a setting changes. */
export class GhostText {
  readonly #editor: editor.IStandaloneCodeEditor;
  readonly #provider: GhostProvider;
  readonly #onGhost: GhostPort["onGhost"];
  #timer = 0;
  #frame = 0;
  /** The last text that was shown and has not ended. */
  #ghost: Ghost | null = null;

  constructor(codeEditor: editor.IStandaloneCodeEditor, port: GhostPort) {
    this.#editor = codeEditor;
    this.#onGhost = port.onGhost;
    this.#provider = new GhostProvider({
      ...port,
      onGhost: (ghost) => {
        this.#ghost = ghost;
        this.#lookAtScreen();
      },
    });
    register(this.#provider);
    codeEditor.onDidChangeModelContent(() => this.#lookAtScreen());
    codeEditor.onDidChangeCursorPosition(() => this.#lookAtScreen());
    this.#bind(commands.suggest, "Ask for ghost text", KeyMod.Alt | KeyCode.Backslash);
    this.#bind(commands.next, "Next ghost text", KeyMod.Alt | KeyCode.BracketRight);
    this.#bind(commands.previous, "Previous ghost text", KeyMod.Alt | KeyCode.BracketLeft);
  }

  /** Runs one of the editor's commands on the ghost text. */
  run(command: GhostCommand): void {
    this.#provider.turn(command === commands.next ? 1 : command === commands.previous ? -1 : 0);
    this.#editor.focus();
    this.#editor.trigger("midspan", command, undefined);
  }

  /** Takes the ghost text away and forgets every answer. Works without the focus, too. */
  hide(): void {
    this.#provider.startAnew();
    // A read-only editor has no ghost text and no memory of what it asked: be one for a moment.
    this.#editor.updateOptions({ readOnly: true });
    this.#editor.updateOptions({ readOnly: false });
  }

  /** Asks at the cursor as if something had been typed there, soon. */
  askAgain(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.hide();
      this.#editor.trigger("midspan", commands.suggest, { explicit: false });
    }, SETTLE_MS);
  }

  /**
   * While the editor waits for an answer it keeps a text that no longer fits, and draws nothing. Its own
   * command to turn over is on exactly while there is a text to be seen.
   */
  #lookAtScreen(): void {
    window.cancelAnimationFrame(this.#frame);
    this.#frame = window.requestAnimationFrame(() => {
      const isDrawn = this.#editor.getAction(commands.next)?.isSupported() === true;
      this.#onGhost(isDrawn ? this.#ghost : null);
    });
  }

  #bind(command: GhostCommand, label: string, key: number): void {
    this.#editor.addAction({
      id: `midspan.${command}`,
      label,
      keybindings: [key],
      keybindingContext: command === commands.suggest ? "" : "inlineSuggestionVisible",
      run: () => this.run(command),
    });
  }
}

/** For all languages and for the life of the page. */
function register(provider: GhostProvider): void {
  languages.registerInlineCompletionsProvider("*", {
    displayName: "Midspan",
    // No wait: the local model answers faster than a person types.
    debounceDelayMs: 0,
    provideInlineCompletions: (...question) => provider.provide(...question),
    handleItemDidShow: (_list, item: GhostItem) => provider.shown(item),
    handlePartialAccept: (_list, item: GhostItem, _characters, part) =>
      provider.partlyAccepted(item, part),
    handleEndOfLifetime: (
      _list,
      item: GhostItem,
      reason: languages.InlineCompletionEndOfLifeReason<GhostItem>,
    ) => provider.ended(item, reason),
    disposeInlineCompletions: () => {
      // A list holds nothing that has to be given back.
    },
  } satisfies languages.InlineCompletionsProvider<GhostList>);
}
