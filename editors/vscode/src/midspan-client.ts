/**
 * The connection to the language server. It follows documents and settings; completions and the
 * command that counts them are ours, since the library's own know nothing of what is shown.
 */
import { type ExtensionContext, type LogOutputChannel, version as vscodeVersion } from "vscode";
import {
  CloseAction,
  type DynamicFeature,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  type StaticFeature,
} from "vscode-languageclient/node";
import { languageServer } from "./server-program.ts";
import { editorSettings } from "./settings.ts";

/** Where suggestions are given. */
export const selector = [
  { scheme: "file" },
  { scheme: "untitled" },
  { scheme: "vscode-notebook-cell" },
] as const;

/** The library's features that are replaced. */
const replaced: ReadonlySet<string> = new Set([
  "textDocument/inlineCompletion",
  "workspace/executeCommand",
]);

/** A server that ends more often than this within a minute is not started again. */
const MAX_STARTS_PER_MINUTE = 5;
const MINUTE_MS = 60_000;

class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ("registrationType" in feature && replaced.has(feature.registrationType.method)) return;
    super.registerFeature(feature);
  }
}

/** A client that is not started yet. `reportsShown`: we tell what is shown ourselves. */
export function createClient(
  context: ExtensionContext,
  options: { readonly log: LogOutputChannel; readonly reportsShown: boolean },
): LanguageClient {
  const { log, reportsShown } = options;
  let starts: number[] = [];
  return new Client("midspan", "Midspan", languageServer(context), {
    documentSelector: [...selector],
    outputChannel: log,
    // What fails while a server is started again is in the log; the status bar says the rest.
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: {
      editorInfo: { name: "VS Code", version: vscodeVersion },
      midspan: { reportsShown, settings: editorSettings() },
    },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        const now = Date.now();
        starts = [...starts.filter((at) => now - at < MINUTE_MS), now];
        if (starts.length <= MAX_STARTS_PER_MINUTE) {
          log.warn("The server ended and is started again.");
          return { action: CloseAction.Restart, handled: true };
        }
        const message =
          "Midspan's server keeps ending; see Midspan: Show Log, then Midspan: Restart";
        return { action: CloseAction.DoNotRestart, message };
      },
    },
    middleware: {
      workspace: {
        // The library would send every key with its default; the server asks for what was set.
        didChangeConfiguration: (_sections, next) => next(undefined),
        configuration: async ({ items }, token, next) => {
          const answers = await next({ items }, token);
          if (!Array.isArray(answers)) return answers;
          return items.map(({ section }, i) =>
            section === "midspan" ? editorSettings() : answers[i],
          );
        },
      },
    },
  });
}
