/** The server that comes with the extension, and how it is started. */
import { join } from "node:path";
import type { ExtensionContext } from "vscode";
import type { Executable } from "vscode-languageclient/node";
import { serverEnvironment, serverUrl } from "./settings.ts";

/** Runs the program under the editor's own Node. */
export function serverProgram(
  context: ExtensionContext,
  args: readonly string[],
): Executable & { readonly args: string[] } {
  const file = join(context.extensionPath, "dist", "server", "cli", "main.js");
  return {
    command: process.execPath,
    args: [file, ...args],
    options: { env: { ...process.env, ...serverEnvironment(), ELECTRON_RUN_AS_NODE: "1" } },
  };
}

/** As a language server over stdin and stdout. */
export function languageServer(context: ExtensionContext): Executable {
  const url = serverUrl();
  return serverProgram(context, ["lsp", "--stdio", ...(url === "" ? [] : ["--server", url])]);
}
