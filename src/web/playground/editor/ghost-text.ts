import type { Dispose } from "../../../base/event.ts";
import { type GhostItem, type GhostList, type GhostPort, GhostProvider } from "./ghost-provider.ts";
import { commands, type editor, type GhostCommand, KeyCode, KeyMod, languages } from "./monaco.ts";

/** Several settings in one movement, such as a slider that is dragged, ask once. */
const SETTLE_MS = 120;

/** Ghost text in one editor: registered for all languages, and asked again when a setting changes. */
export class GhostText {
  readonly #editor: editor.IStandaloneCodeEditor;
  readonly #provider: GhostProvider;
  #unregister: Dispose;
  #timer = 0;

  constructor(codeEditor: editor.IStandaloneCodeEditor, port: GhostPort) {
    this.#editor = codeEditor;
    this.#provider = new GhostProvider(port);
    this.#unregister = register(this.#provider);
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

  /** Takes the ghost text away. */
  hide(): void {
    this.#provider.forget();
    this.#editor.trigger("midspan", commands.dismiss, undefined);
  }

  /** Asks at the cursor as if something had been typed there, soon. */
  askAgain(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.hide();
      // The editor does not ask twice for one version of a text, except a provider that is new to it.
      this.#unregister();
      this.#unregister = register(this.#provider);
      this.#editor.trigger("midspan", commands.suggest, { explicit: false });
    }, SETTLE_MS);
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

/** Registers a new object each time: the editor tells providers apart by identity. */
function register(provider: GhostProvider): Dispose {
  const registration = languages.registerInlineCompletionsProvider("*", {
    displayName: "Midspan",
    // No wait: the local model answers faster than a person types.
    debounceDelayMs: 0,
    provideInlineCompletions: (...question) => provider.provide(...question),
    handleItemDidShow: (_list, item: GhostItem) => provider.shown(item),
    handlePartialAccept: (_list, item: GhostItem, _characters, part) =>
      provider.partlyAccepted(item, part.acceptedLength),
    handleEndOfLifetime: (_list, item: GhostItem, reason) => provider.ended(item, reason.kind),
    disposeInlineCompletions: () => {
      // A list holds nothing that has to be given back.
    },
  } satisfies languages.InlineCompletionsProvider<GhostList>);
  return () => registration.dispose();
}
