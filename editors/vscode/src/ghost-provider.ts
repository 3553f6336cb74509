/**
 * Asks the server for what stands at the cursor. An answer for a document that has changed since is
 * dropped; a failure is no suggestion. Where VS Code grants its proposed interface, the server is told
 * when a text is shown, refused or taken in part; elsewhere it infers the first.
 */
import {
  type CancellationToken,
  type InlineCompletionContext,
  InlineCompletionItem,
  type InlineCompletionItemProvider,
  type Position,
  Range,
  type TextDocument,
} from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { Pause } from "./pause.ts";

/** An item with the name by which the server knows it. */
export interface GhostItem extends InlineCompletionItem {
  readonly id: string;
}

/** What the server sends. */
interface WireItem {
  readonly insertText: string;
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly command: { readonly arguments: readonly [string] };
}

/** Of VS Code's proposal `inlineCompletionsAdditions`: kinds of `handleEndOfLifetime`. */
const REJECTED = 1;
/** Of the same: a piece that was taken with an entry of the list, which is no text of ours. */
const BY_LIST = 3;

/** The command that VS Code runs when a text was taken. */
export const acceptCommand = "midspan.didAcceptCompletion";

export interface GhostProviderOptions {
  /** `null` while no server runs. */
  readonly client: () => LanguageClient | null;
  readonly pause: Pause;
  readonly onAnswered: () => void;
}

export class GhostProvider implements InlineCompletionItemProvider {
  readonly #options: GhostProviderOptions;
  /** What was offered last, for partial accepts that only a command tells us of. */
  #lastItem: GhostItem | null = null;

  constructor(options: GhostProviderOptions) {
    this.#options = options;
  }

  get lastItem(): GhostItem | null {
    return this.#lastItem;
  }

  async provideInlineCompletionItems(
    document: TextDocument,
    position: Position,
    context: InlineCompletionContext,
    token: CancellationToken,
  ): Promise<{ readonly items: GhostItem[]; readonly enableForwardStability: boolean } | null> {
    const { client: current, pause, onAnswered } = this.#options;
    const client = current();
    // Explicit asking works while paused.
    const isAutomatic = context.triggerKind === 1;
    if (client === null || !client.isRunning() || (pause.isOn && isAutomatic)) return null;
    const { version } = document;
    const params = client.code2ProtocolConverter.asInlineCompletionParams(
      document,
      position,
      context,
    );
    const asked = { ...params, textDocument: { ...params.textDocument, version } };
    const answer = await client
      .sendRequest<{ readonly items: readonly WireItem[] } | null>(
        "textDocument/inlineCompletion",
        asked,
        token,
      )
      // Cancelled, superseded, or a server that is just being started again: nothing to show.
      .catch(() => null);
    onAnswered();
    if (answer === null || token.isCancellationRequested || document.version !== version) {
      return null;
    }
    const items = answer.items.map(ghostItem);
    this.#lastItem = items[0] ?? null;
    return { items, enableForwardStability: true };
  }

  /** Tells the server of a part that was taken; `length` counts from the start of the item's text. */
  acceptedUpTo(item: GhostItem, length: number): void {
    this.#tell("textDocument/didPartiallyAcceptCompletion", item, { acceptedLength: length });
  }

  shown(item: GhostItem): void {
    this.#tell("textDocument/didShowCompletion", item, {});
  }

  rejected(item: GhostItem): void {
    this.#tell("midspan/didRejectCompletion", item, {});
  }

  #tell(method: string, item: GhostItem, more: object): void {
    const client = this.#options.client();
    if (client === null || !client.isRunning()) return;
    const command = { title: "", command: acceptCommand, arguments: [item.id] };
    // A server that is gone counts nothing.
    client.sendNotification(method, { item: { command }, ...more }).catch(() => {});
  }
}

/** The same provider with the handlers that only VS Code's proposal calls. */
export class ObservedGhostProvider extends GhostProvider {
  handleDidShowCompletionItem(item: GhostItem): void {
    this.shown(item);
  }

  /** VS Code calls it twice, once with a number alone. */
  handleDidPartiallyAcceptCompletionItem(item: GhostItem, accepted: unknown): void {
    if (typeof accepted !== "object" || accepted === null) return;
    if ("kind" in accepted && accepted.kind === BY_LIST) return;
    if (!("acceptedLength" in accepted) || typeof accepted.acceptedLength !== "number") return;
    this.acceptedUpTo(item, accepted.acceptedLength);
  }

  handleEndOfLifetime(item: GhostItem, reason: { readonly kind: number }): void {
    if (reason.kind === REJECTED) this.rejected(item);
  }
}

function ghostItem({ insertText, range, command }: WireItem): GhostItem {
  const { start, end } = range;
  const [id] = command.arguments;
  const item = new InlineCompletionItem(
    insertText,
    new Range(start.line, start.character, end.line, end.character),
    { title: "", command: acceptCommand, arguments: [id] },
  );
  return Object.assign(item, { id });
}
