/** `midspan config`: every setting, its value and where it comes from. */
import { existsSync } from "node:fs";
import { explainSetting, explainSettings, renderExplanation } from "../config/explain.ts";
import { workspaceConfigFile } from "../host/config-file.ts";
import type { ExitCode } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { loadSettings } from "./load-settings.ts";

/** Prints the settings, or all about the one named by `explain`. */
export async function configCommand(options: {
  readonly explain: string | null;
  readonly json: boolean;
  readonly flags: Flags;
}): Promise<ExitCode> {
  const workspace = findWorkspace(null);
  const { resolved, folders } = await loadSettings(workspace, options.flags);
  if (options.explain !== null) {
    const explanation = explainSetting(resolved, options.explain);
    const text = options.json
      ? JSON.stringify(explanation, null, 2)
      : renderExplanation(explanation);
    process.stdout.write(`${text}\n`);
    return 0;
  }
  const rows = explainSettings(resolved);
  if (options.json) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return 0;
  }
  const keyWidth = Math.max(...rows.map(({ key }) => key.length));
  const valueWidth = Math.max(...rows.map(({ value }) => value.length));
  for (const { key, value, origin } of rows) {
    process.stdout.write(`${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${origin}\n`);
  }
  process.stdout.write(
    `\nYour own file: ${found(folders.configFile)}\n` +
      `Of this workspace: ${found(workspaceConfigFile(workspace))}\n` +
      "midspan config --explain KEY says all about one of them.\n",
  );
  return 0;
}

function found(file: string): string {
  return existsSync(file) ? file : `${file} (there is none)`;
}
