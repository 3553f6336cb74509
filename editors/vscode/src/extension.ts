/** Where VS Code starts: puts the parts together and registers what a person can do. */
import {
  commands,
  type Disposable,
  type ExtensionContext,
  languages,
  window,
  workspace,
} from "vscode";
import { State } from "vscode-languageclient/node";
import { type Explanation, ExplanationPage, explanationScheme } from "./explanation.ts";
import { acceptCommand, GhostProvider, ObservedGhostProvider } from "./ghost-provider.ts";
import { createClient, selector } from "./midspan-client.ts";
import { acceptPart } from "./partial-commands.ts";
import { Pause } from "./pause.ts";
import { Playground } from "./playground.ts";
import { mayUseProposedApi, needsRestart, toggleLanguage } from "./settings.ts";
import { snooze } from "./snooze.ts";
import { type News, type ServerStatus, StatusItem } from "./status-item.ts";

/** The state is asked for at most this often. */
const STATUS_MS = 1_000;

let stopRunning: (() => Promise<void>) | null = null;

/** Called by VS Code once its window is up. */
export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel("Midspan", { log: true });
  const pause = new Pause();
  const statusItem = new StatusItem(pause);
  const playground = new Playground(context, log);
  const page = new ExplanationPage();
  let client: ReturnType<typeof createClient> | null = null;
  let statusTimer: ReturnType<typeof setTimeout> | undefined;

  const askStatus = (): void => {
    statusTimer ??= setTimeout(async () => {
      statusTimer = undefined;
      if (client?.isRunning() !== true) return;
      const status = await client.sendRequest<ServerStatus>("midspan/status").catch(() => null);
      if (status !== null) statusItem.status(status);
    }, STATUS_MS);
  };
  const parts = { client: () => client, pause, onAnswered: askStatus };
  const { provider, isObserved, registration } = registerProvider(parts);

  const start = async (): Promise<void> => {
    const started = createClient(context, { log, reportsShown: isObserved });
    client = started;
    started.onDidChangeState(({ newState }) => {
      statusItem.connection(
        newState === State.Running
          ? "running"
          : newState === State.Starting
            ? "starting"
            : "stopped",
      );
      if (newState === State.Running) askStatus();
    });
    started.onNotification("didChangeStatus", (news: News) => {
      statusItem.news(news);
      askStatus();
    });
    try {
      await started.start();
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      statusItem.connection("stopped");
    }
  };
  const stop = async (): Promise<void> => {
    const stopping = client;
    client = null;
    await stopping?.dispose().catch(() => {});
  };
  stopRunning = stop;

  const command = (name: string, run: (...args: unknown[]) => unknown): Disposable =>
    commands.registerCommand(`midspan.${name}`, run);
  context.subscriptions.push(
    ...[log, pause, statusItem, playground, page, registration],
    { dispose: () => clearTimeout(statusTimer) },
    workspace.registerTextDocumentContentProvider(explanationScheme, page),
    pause.onChange(() => statusItem.draw()),
    window.onDidChangeActiveTextEditor((editor) => {
      statusItem.draw();
      if (client?.isRunning() !== true) return;
      const uri = editor?.document.uri.toString();
      const params = uri === undefined ? {} : { textDocument: { uri } };
      // A server that is gone follows no focus.
      client.sendNotification("textDocument/didFocus", params).catch(() => {});
    }),
    workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration("midspan")) return;
      statusItem.draw();
      if (!needsRestart((key) => event.affectsConfiguration(key))) return;
      await stop();
      await start();
    }),
    commands.registerCommand(acceptCommand, async (id: unknown) => {
      if (client?.isRunning() !== true) return;
      const params = { command: acceptCommand, arguments: [id] };
      await client.sendRequest("workspace/executeCommand", params).catch(() => null);
    }),
    command("trigger", () => commands.executeCommand("editor.action.inlineSuggest.trigger")),
    command("acceptWord", () => acceptPart("word", { provider, isReported: isObserved })),
    command("acceptLine", () => acceptPart("line", { provider, isReported: isObserved })),
    command("toggleLanguage", async () => {
      const languageId = window.activeTextEditor?.document.languageId;
      if (languageId === undefined) {
        await window.showInformationMessage("Open a file of the language first.");
        return;
      }
      const now = await toggleLanguage(languageId);
      statusItem.draw();
      window.setStatusBarMessage(`Midspan is ${now} for ${languageId}`, 3_000);
    }),
    command("pause", () => pause.start(null)),
    command("resume", () => pause.end()),
    command("snooze", () => snooze(pause)),
    command("explain", async () => {
      if (client?.isRunning() !== true) return;
      await page.show(await client.sendRequest<Explanation | null>("midspan/explainLast"));
    }),
    command("openPlayground", () => playground.open()),
    command("showLog", () => log.show()),
    command("restart", async () => {
      await stop();
      await start();
    }),
    command("menu", () => showMenu(pause)),
  );
  await start();
}

/** Called by VS Code before its window closes. */
export async function deactivate(): Promise<void> {
  await stopRunning?.();
}

/** With the proposed interface where VS Code grants it, else without; it throws where it does not. */
function registerProvider(parts: ConstructorParameters<typeof GhostProvider>[0]): {
  readonly provider: GhostProvider;
  readonly isObserved: boolean;
  readonly registration: Disposable;
} {
  if (mayUseProposedApi()) {
    try {
      const provider = new ObservedGhostProvider(parts);
      const registration = languages.registerInlineCompletionItemProvider([...selector], provider);
      return { provider, isObserved: true, registration };
    } catch {
      // Not granted.
    }
  }
  const provider = new GhostProvider(parts);
  const registration = languages.registerInlineCompletionItemProvider([...selector], provider);
  return { provider, isObserved: false, registration };
}

/** What the status bar offers. */
async function showMenu(pause: Pause): Promise<void> {
  const languageId = window.activeTextEditor?.document.languageId;
  const items = [
    pause.isOn
      ? { label: "$(play) Resume", command: "midspan.resume" }
      : { label: "$(debug-pause) Pause", command: "midspan.pause" },
    { label: "$(clock) Snooze…", command: "midspan.snooze" },
    ...(languageId === undefined
      ? []
      : [
          {
            label: `$(symbol-misc) On or off for ${languageId}`,
            command: "midspan.toggleLanguage",
          },
        ]),
    { label: "$(question) Explain the last suggestion", command: "midspan.explain" },
    { label: "$(beaker) Open the playground", command: "midspan.openPlayground" },
    { label: "$(gear) Settings", command: "midspan.settings" },
    { label: "$(output) Show the log", command: "midspan.showLog" },
    { label: "$(refresh) Restart", command: "midspan.restart" },
  ];
  const picked = await window.showQuickPick(items, { title: "Midspan" });
  if (picked === undefined) return;
  if (picked.command === "midspan.settings") {
    await commands.executeCommand("workbench.action.openSettings", "midspan");
  } else {
    await commands.executeCommand(picked.command);
  }
}
