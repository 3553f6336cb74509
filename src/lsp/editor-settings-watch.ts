/** Settings that the client keeps: asked for at the start and whenever it says that they changed. */
import type { MessageConnection } from "vscode-languageserver/node";
import { isAbsent } from "../protocol/decode.ts";
import { record } from "./client-profile.ts";
import type { Session } from "./session.ts";

const section = "midspan";

export class EditorSettingsWatch {
  readonly #connection: MessageConnection;

  constructor(connection: MessageConnection) {
    this.#connection = connection;
  }

  /** Asks to be told of changes, and for what is set now. */
  start(session: Session): void {
    const { canRegisterSettings } = session.profile;
    if (canRegisterSettings) {
      const registration = {
        id: "midspan-settings",
        method: "workspace/didChangeConfiguration",
        registerOptions: { section },
      };
      const params = { registrations: [registration] };
      // A client that refuses goes without.
      this.#connection.sendRequest("client/registerCapability", params).catch(() => {});
    }
    this.changed(session);
  }

  /** Asks for what is set now, where the client can be asked. */
  changed(session: Session): void {
    if (!session.profile.canBeAskedSettings) return;
    const asked = this.#connection.sendRequest("workspace/configuration", { items: [{ section }] });
    asked
      .then((answer) => {
        const [value] = Array.isArray(answer) ? answer : [];
        if (!isAbsent(value)) session.workspaces.configure(record(value));
      })
      .catch(() => {});
  }
}
