/** What the client is told without having asked: messages for the person, and how we are. */
import type { MessageConnection } from "vscode-languageserver/node";
import type { ClientProfile } from "./client-profile.ts";

/** The protocol's `MessageType`. */
const messageTypes = { error: 1, warning: 2, info: 3 } as const;

export class StatusNews {
  readonly #connection: MessageConnection;
  readonly #profile: ClientProfile;
  #lastNews = "";

  constructor(connection: MessageConnection, profile: ClientProfile) {
    this.#connection = connection;
    this.#profile = profile;
  }

  /** A sentence for the person: shown where it matters, else in the client's log. */
  notify(level: keyof typeof messageTypes, message: string): void {
    const method = level === "info" ? "window/logMessage" : "window/showMessage";
    this.#send(method, { type: messageTypes[level], message: `Midspan: ${message}` });
    if (level !== "info") this.#tell("Warning", message, false);
  }

  /** Title of the work that goes on; `null` when none does. */
  busy(title: string | null): void {
    this.#tell("Normal", title ?? "", title !== null);
  }

  /** By the conventions of existing plugins, in both spellings; others are not bothered. */
  #tell(kind: "Normal" | "Warning", message: string, busy: boolean): void {
    if (!this.#profile.hasEditorInfo) return;
    const news = JSON.stringify({ kind, message, busy });
    if (news === this.#lastNews) return;
    this.#lastNews = news;
    this.#send("didChangeStatus", { busy, kind, message });
    const status = busy ? "InProgress" : kind;
    this.#send("statusNotification", { status, message, busy, kind });
  }

  #send(method: string, params: object): void {
    // A client that is gone cannot be told; the connection's end is handled elsewhere.
    this.#connection.sendNotification(method, params).catch(() => {});
  }
}
