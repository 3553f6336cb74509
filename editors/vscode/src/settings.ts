/** The person's settings, as the server takes them. Only what was set by hand is passed on. */
import { env, workspace } from "vscode";
import table from "./settings.data.json";

const section = "midspan";

/** Environment of the server process: what only the person may set, never a repository. */
export function serverEnvironment(): Readonly<Record<string, string>> {
  const entries = table.flatMap(({ key, variable }) => {
    const value = variable === null ? undefined : setByHand(key);
    return variable === null || value === undefined ? [] : [[variable, textOf(value)] as const];
  });
  return Object.fromEntries(entries);
}

/** What the server asks for while it runs, by dotted key. */
export function editorSettings(): Readonly<Record<string, unknown>> {
  const entries = table.flatMap(({ key, variable }) => {
    const value = variable === null ? setByHand(key) : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  // Records of suggestions stay on this machine, yet who turns telemetry off wants none.
  const events = env.isTelemetryEnabled ? [] : [["events.enabled", false] as const];
  return { ...Object.fromEntries(events), ...Object.fromEntries(entries) };
}

/** Whether a change of settings needs a new server process. */
export function needsRestart(isAffected: (key: string) => boolean): boolean {
  return (
    isAffected(`${section}.serverUrl`) ||
    table.some(({ key, variable }) => variable !== null && isAffected(`${section}.${key}`))
  );
}

/** Address of a running `midspan serve`; `""` for none. */
export function serverUrl(): string {
  return workspace.getConfiguration(section).get("serverUrl", "");
}

/** False where the proposed interface is not to be used even if it is granted. */
export function mayUseProposedApi(): boolean {
  return workspace.getConfiguration(section).get<string>("proposedApi") !== "never";
}

/** Adds a language to those in which nothing is suggested while typing, or takes it away. */
export async function toggleLanguage(languageId: string): Promise<"off" | "on"> {
  const configuration = workspace.getConfiguration(section);
  const disabled = disabledLanguages();
  const isOff = disabled.includes(languageId);
  const next = isOff ? disabled.filter((id) => id !== languageId) : [...disabled, languageId];
  await configuration.update("languages.disabled", next, true);
  return isOff ? "on" : "off";
}

export function disabledLanguages(): readonly string[] {
  const value = workspace.getConfiguration(section).get<unknown>("languages.disabled");
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
}

/** `undefined` where only the default holds. */
function setByHand(key: string): unknown {
  const found = workspace.getConfiguration(section).inspect(key);
  return found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
}

/** As variables are written: lists with commas, switches as words. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  if (typeof value === "boolean") return value ? "on" : "off";
  return String(value);
}
