/** Taking a word or a line, counted. VS Code's public interface does not say what a part was. */
import { commands, Range, window } from "vscode";
import type { GhostProvider } from "./ghost-provider.ts";
import { acceptedLength } from "./partial-accept.ts";

const editorCommands = {
  word: "editor.action.inlineSuggest.acceptNextWord",
  line: "editor.action.inlineSuggest.acceptNextLine",
} as const;

/** Runs the editor's command; where nothing else reports it, tells the server what was taken. */
export async function acceptPart(
  part: keyof typeof editorCommands,
  options: { readonly provider: GhostProvider; readonly isReported: boolean },
): Promise<void> {
  const { provider, isReported } = options;
  const editor = window.activeTextEditor;
  const item = provider.lastItem;
  const start = item?.range?.start;
  const textNow = (): string =>
    editor === undefined || start === undefined
      ? ""
      : editor.document.getText(new Range(start, editor.selection.active));
  const before = textNow();
  await commands.executeCommand(editorCommands[part]);
  if (isReported || item === null || typeof item.insertText !== "string") return;
  const length = acceptedLength(item.insertText, before, textNow());
  if (length > 0) provider.acceptedUpTo(item, length);
}
