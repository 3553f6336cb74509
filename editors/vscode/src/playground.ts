/** The playground of the current folder: a `midspan serve` that lives as long as the window. */
import { type ChildProcess, spawn } from "node:child_process";
import { type ExtensionContext, env, type LogOutputChannel, Uri, window, workspace } from "vscode";
import { serverProgram } from "./server-program.ts";
import { serverUrl } from "./settings.ts";

const address = /playground\s+(http:\/\/\S+)/;
const START_MS = 60_000;

export class Playground {
  readonly #context: ExtensionContext;
  readonly #log: LogOutputChannel;
  readonly #running = new Map<
    string,
    { readonly child: ChildProcess; readonly url: Promise<string> }
  >();

  constructor(context: ExtensionContext, log: LogOutputChannel) {
    this.#context = context;
    this.#log = log;
  }

  /** Opens the page, and starts its server where none runs. */
  async open(): Promise<void> {
    const url = serverUrl() || (await this.#served());
    if (url === null) return;
    // In a remote window the port is forwarded.
    await env.openExternal(await env.asExternalUri(Uri.parse(url)));
  }

  dispose(): void {
    for (const { child } of this.#running.values()) child.kill();
    this.#running.clear();
  }

  async #served(): Promise<string | null> {
    const document = window.activeTextEditor?.document;
    const folder =
      (document && workspace.getWorkspaceFolder(document.uri)) ?? workspace.workspaceFolders?.[0];
    if (folder === undefined || folder.uri.scheme !== "file") {
      await window.showInformationMessage("Open a folder first: the playground shows its files.");
      return null;
    }
    const root = folder.uri.fsPath;
    const running = this.#running.get(root) ?? this.#start(root);
    try {
      return await window.withProgress(
        { location: 15, title: "Midspan: starting the playground" },
        () => running.url,
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await window.showErrorMessage(`Midspan: ${message}`);
      return null;
    }
  }

  #start(root: string): { readonly child: ChildProcess; readonly url: Promise<string> } {
    const { command, args, options } = serverProgram(this.#context, [
      ...["serve", root, "--port", "0", "--no-open"],
    ]);
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const url = new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => {
        child.kill();
        reject(new Error("the playground did not start in a minute; see Midspan: Show Log"));
      }, START_MS);
      const end = (): void => {
        clearTimeout(late);
        this.#running.delete(root);
        reject(
          new Error(`the playground's server ended: ${output.trim().split("\n").at(-1) ?? ""}`),
        );
      };
      child.on("error", end);
      child.on("exit", end);
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          this.#log.info(text.trimEnd());
          output = (output + text).slice(-4000);
          const found = address.exec(output)?.[1];
          if (found === undefined) return;
          clearTimeout(late);
          resolve(found);
        });
      }
    });
    const running = { child, url };
    this.#running.set(root, running);
    return running;
  }
}
