import type { HealthReply } from "../../protocol/workspace.ts";
import type { Cell } from "../cell.ts";
import type { ConnectionState } from "../connection.ts";
import { element, setText } from "../dom.ts";

/** One line about the server: version, workspace, index, models. */
export function createStatusLine(connection: Cell<ConnectionState>): HTMLElement {
  const server = element("span", { class: "status-server" });
  const workspace = element("span", { class: "status-workspace" });
  const progress = element("progress", { max: 1, value: 0, "aria-label": "Indexing" });
  const index = element("span", { class: "status-index" });
  const local = element("span", { class: "status-local" });
  const model = element("span", { class: "status-model" });
  const offline = element("span", { class: "status-offline" }, "Offline");
  const line = element(
    "footer",
    { class: "status" },
    server,
    workspace,
    element("span", { class: "status-gap" }),
    progress,
    index,
    local,
    model,
    offline,
  );
  connection.watch((state) => {
    line.dataset.connection = state.kind;
    const health = state.kind === "connected" ? state.health : null;
    setText(server, health === null ? absentText(state.kind) : `${health.name} ${health.version}`);
    // The name tells workspaces apart; the whole path would push the rest off the line.
    setText(workspace, health?.workspace?.split(/[\\/]/).at(-1) ?? "");
    workspace.title = health?.workspace ?? "";
    setText(index, health === null ? "" : indexText(health));
    setText(local, health === null ? "" : `Local model ${health.local.enabled ? "on" : "off"}`);
    setText(model, health === null ? "" : modelText(health));
    offline.hidden = health?.offline !== true;
    progress.hidden = health?.local.state !== "indexing";
    if (health !== null) progress.value = shareDone(health);
  });
  return line;
}

function absentText(kind: ConnectionState["kind"]): string {
  if (kind === "connecting") return "Connecting…";
  return kind === "locked" ? "Token needed" : "Not connected";
}

function shareDone({ local }: HealthReply): number {
  return local.files_total === 0 ? 0 : local.files / local.files_total;
}

function indexText({ local }: HealthReply): string {
  const count = (number: number): string => number.toLocaleString("en");
  switch (local.state) {
    case "off":
      return "";
    case "empty":
      return "Nothing indexed";
    case "indexing":
      return `Indexing ${count(local.files)} of ${count(local.files_total)} files`;
    case "ready":
      return `${count(local.files)} files, ${count(local.tokens)} tokens indexed`;
  }
}

function modelText({ backend }: HealthReply): string {
  if (backend === null) return "No language model";
  const state = backend.state === "ready" ? "" : `, ${backend.state}`;
  return `${backend.model ?? "Model"} at ${backend.address}${state}`;
}
