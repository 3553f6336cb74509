/** The item in the status bar: state, model, last latency, and a way to everything else. */
import { MarkdownString, StatusBarAlignment, type StatusBarItem, ThemeColor, window } from "vscode";
import type { Pause } from "./pause.ts";
import { disabledLanguages } from "./settings.ts";

/** What the server says of itself; see its `midspan/status`. */
export interface ServerStatus {
  readonly version: string;
  readonly lastLatencyMs: number | null;
  readonly workspaces: readonly {
    readonly root: string | null;
    readonly state: string;
    readonly model?: string | null;
    readonly backend?: string | null;
    readonly health?: string | null;
    readonly isOffline?: boolean;
    readonly files?: number;
    readonly threshold?: number;
    readonly server?: string | null;
  }[];
}

/** What the connection is doing. */
export type Connection = "starting" | "running" | "stopped";

/** A sentence of the server about what goes on. */
export interface News {
  readonly busy: boolean;
  readonly kind: string;
  readonly message: string;
}

/** What is drawn. Pure, so that it can be looked at without an editor. */
export interface StatusView {
  readonly text: string;
  readonly isWarning: boolean;
  readonly lines: readonly string[];
}

export class StatusItem {
  readonly #item: StatusBarItem;
  readonly #pause: Pause;
  #connection: Connection = "starting";
  #status: ServerStatus | null = null;
  #news: News = { busy: false, kind: "Normal", message: "" };

  constructor(pause: Pause) {
    this.#pause = pause;
    this.#item = window.createStatusBarItem("midspan.status", StatusBarAlignment.Right, 100);
    this.#item.name = "Midspan";
    this.#item.command = "midspan.menu";
    this.draw();
    this.#item.show();
  }

  connection(connection: Connection): void {
    this.#connection = connection;
    if (connection !== "running") this.#news = { busy: false, kind: "Normal", message: "" };
    this.draw();
  }

  news(news: News): void {
    this.#news = news;
    this.draw();
  }

  status(status: ServerStatus): void {
    this.#status = status;
    this.draw();
  }

  /** Called when something that it shows has changed. */
  draw(): void {
    const languageId = window.activeTextEditor?.document.languageId ?? null;
    const view = viewOf({
      connection: this.#connection,
      status: this.#status,
      news: this.#news,
      isPaused: this.#pause.isOn,
      pausedUntil: this.#pause.until,
      offLanguage:
        languageId !== null && disabledLanguages().includes(languageId) ? languageId : null,
    });
    this.#item.text = view.text;
    this.#item.backgroundColor = view.isWarning
      ? new ThemeColor("statusBarItem.warningBackground")
      : undefined;
    const tooltip = new MarkdownString(view.lines.join("\n\n"));
    this.#item.tooltip = tooltip;
    const spoken = view.lines.join(" ").replaceAll("**", "");
    this.#item.accessibilityInformation = { label: `Midspan: ${spoken}` };
  }

  dispose(): void {
    this.#item.dispose();
  }
}

export function viewOf(facts: {
  readonly connection: Connection;
  readonly status: ServerStatus | null;
  readonly news: News;
  readonly isPaused: boolean;
  readonly pausedUntil: Date | null;
  readonly offLanguage: string | null;
}): StatusView {
  const { connection, status, news, isPaused, pausedUntil, offLanguage } = facts;
  const view = (icon: string, lines: readonly string[], isWarning = false): StatusView => ({
    text: `$(${icon}) Midspan`,
    isWarning,
    lines: [...lines, ...detailsOf(status)],
  });
  if (connection === "stopped") {
    return view("error", ["The server does not run: see Show Log, then Restart."], true);
  }
  if (connection === "starting") return view("loading~spin", ["Starting."]);
  if (isPaused) {
    const time = pausedUntil?.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const until = time === undefined ? "." : ` until ${time}.`;
    return view("debug-pause", [`Paused${until} Triggering a suggestion still works.`]);
  }
  if (news.kind === "Warning") return view("warning", [news.message], true);
  if (offLanguage !== null) return view("circle-slash", [`Off while typing ${offLanguage}.`]);
  if (news.busy) return view("loading~spin", [news.message]);
  return view("sparkle", ["Ready."]);
}

function detailsOf(status: ServerStatus | null): readonly string[] {
  if (status === null) return [];
  const { lastLatencyMs, workspaces, version } = status;
  const latency =
    lastLatencyMs === null ? [] : [`Last answer after ${lastLatencyMs.toFixed(1)} ms.`];
  const folders = workspaces
    .filter(({ state }) => state === "ready")
    .map(({ root, model, backend, health, files, isOffline, server }) => {
      const name = root === null ? "No folder" : root.slice(root.lastIndexOf("/") + 1);
      const behind =
        model === null || model === undefined
          ? "built-in model alone"
          : `${model} at ${backend ?? "?"}${health === null || health === "ready" ? "" : ` (${health})`}`;
      const by = server === null || server === undefined ? "" : `, answered by ${server}`;
      const offline = isOffline === true ? ", offline" : "";
      return `**${name}**: ${files ?? 0} ${files === 1 ? "file" : "files"} known, ${behind}${by}${offline}.`;
    });
  return [...folders, ...latency, `Version ${version}.`];
}
