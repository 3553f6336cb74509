/** A real VS Code workbench: code-server, with our packed extension in it, on a port of 127.0.0.1. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  cleanEnvironment,
  runToEnd,
  type TemporaryFolder,
  temporaryFolder,
} from "../../integration/product.ts";
import { keepProcess } from "../../kept-process.ts";

export const howToGetCodeServer: string =
  "the extension is tried in code-server: `npm run e2e:vscode` sets it up and packs the extension";

/** Folder of code-server, and the packed extension. */
export interface CodeServerSetup {
  readonly folder: string;
  readonly vsix: string;
}

/** Both are named by the environment; `null` where one is missing. */
export function findCodeServer(): CodeServerSetup | null {
  const folder = process.env.MIDSPAN_CODE_SERVER ?? "";
  const vsix = process.env.MIDSPAN_TEST_VSIX ?? "";
  return folder === "" || vsix === "" ? null : { folder, vsix };
}

export interface CodeServer {
  /** Address of the page that shows the workspace. */
  readonly url: string;
  /** The workspace on disk. */
  readonly workspace: string;
  /** Where the language server keeps its state. */
  readonly home: string;
  /** What the recorder noted so far. */
  readonly notes: () => readonly Note[];
  /** Processes of the language server. */
  readonly languageServers: () => readonly number[];
  readonly changeSettings: (settings: Settings) => void;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

export type Settings = Readonly<Record<string, unknown>>;

export type Note =
  | { readonly kind: "handler"; readonly name: string; readonly ms: number }
  | {
      readonly kind: "answer";
      readonly uri: string;
      readonly line: string;
      readonly lines: readonly (readonly string[])[];
    };

/** Nothing moves or appears that a scenario did not ask for. */
const quietSettings: Settings = {
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "editor.wordBasedSuggestions": "currentDocument",
  "editor.suggestOnTriggerCharacters": false,
  "editor.parameterHints.enabled": false,
  "editor.minimap.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.stickyScroll.enabled": false,
  "editor.detectIndentation": false,
  "editor.tabSize": 2,
  "editor.largeFileOptimizations": true,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.editor.enablePreview": false,
  "explorer.autoReveal": false,
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off",
  "git.enabled": false,
  "typescript.validate.enable": false,
  "typescript.tsserver.useSyntaxServer": "always",
  "midspan.events.enabled": true,
};

/** Keys for what else needs a menu. */
const keybindings = [
  { key: "ctrl+alt+f1", command: "workbench.action.closeAllEditors" },
  { key: "ctrl+alt+f2", command: "editor.action.insertCursorBelow" },
  {
    key: "ctrl+alt+f3",
    command: "runCommands",
    args: {
      // Not reverted: that is for the editor with the focus alone, and a dialog asks about the others.
      commands: ["workbench.action.files.saveAll", "workbench.action.closeAllEditors"],
    },
  },
];

export interface CodeServerOptions {
  /** Files of the workspace by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: Settings;
  readonly env?: Readonly<Record<string, string>>;
}

export async function startCodeServer(
  setup: CodeServerSetup,
  options: CodeServerOptions,
): Promise<CodeServer> {
  const folder = temporaryFolder("vscode");
  const place = (name: string): string => join(folder.path, name);
  // A space and letters beyond ASCII in the path.
  const workspace = place("Grüße an 世界");
  for (const [path, text] of Object.entries(options.files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const user = place("data/User");
  const machine = place("data/Machine");
  for (const path of [user, machine]) mkdirSync(path, { recursive: true });
  // The window is a remote one: what belongs to a machine is taken from that machine's file alone.
  const changeSettings = (settings: Settings): void => {
    const text = JSON.stringify({ ...quietSettings, ...options.settings, ...settings });
    for (const path of [user, machine]) writeFileSync(join(path, "settings.json"), text);
  };
  changeSettings({});
  writeFileSync(join(user, "keybindings.json"), JSON.stringify(keybindings));
  const home = place("home");
  const recorded = place("recorded.jsonl");
  const env: NodeJS.ProcessEnv = {
    ...cleanEnvironment(home),
    HOME: place("account"),
    XDG_CONFIG_HOME: place("account/.config"),
    XDG_DATA_HOME: place("account/.local/share"),
    XDG_CACHE_HOME: place("account/.cache"),
    VSCODE_RECORDER_FILE: recorded,
    ...options.env,
  };
  const entry = join(setup.folder, "package", "out", "node", "entry.js");
  const folders = ["--user-data-dir", place("data"), "--extensions-dir", place("extensions")];
  await install(setup.vsix, { entry, folders, env, folder });
  const flags = [
    ...["--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry"],
    ...[
      "--disable-update-check",
      "--disable-workspace-trust",
      "--disable-getting-started-override",
    ],
  ];
  const child = spawn(process.execPath, [entry, ...flags, ...folders], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: the extension hosts end with it.
    detached: true,
  });
  const kill = keepProcess(child);
  let log = "";
  const address = await addressOf(child, (text) => {
    log += text;
  });
  return {
    url: `${address}/?folder=${encodeURIComponent(workspace)}`,
    workspace,
    home,
    notes: () => readNotes(recorded),
    languageServers: () => languageServers(place("extensions")),
    changeSettings,
    log: () => log,
    stop: () => stopped(child, { kill, folder }),
  };
}

/** As Linux knows them, by the program that they run. */
function languageServers(extensions: string): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0)
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return command.includes(extensions) && command.includes("\0lsp\0");
      } catch {
        // Ended meanwhile.
        return false;
      }
    });
}

async function install(
  vsix: string,
  how: {
    readonly entry: string;
    readonly folders: readonly string[];
    readonly env: NodeJS.ProcessEnv;
    readonly folder: TemporaryFolder;
  },
): Promise<void> {
  const { entry, folders, env, folder } = how;
  const args = [entry, ...folders, "--install-extension", vsix];
  const { code, stdout, stderr } = await runToEnd(process.execPath, args, {
    cwd: folder.path,
    env,
  });
  if (code !== 0) throw new Error(`the extension could not be installed: ${stdout}${stderr}`);
  const extensions = join(folder.path, "extensions");
  const name = readdirSync(extensions).find((file) => file.startsWith("midspan"));
  if (name === undefined) throw new Error(`not installed: ${stdout}${stderr}`);
  const dist = join(extensions, name, "dist");
  renameSync(join(dist, "extension.cjs"), join(dist, "extension.packed.cjs"));
  copyFileSync(join(import.meta.dirname, "recorder.cjs"), join(dist, "extension.cjs"));
}

function addressOf(child: ChildProcess, read: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const listen = (text: string): void => {
      read(text);
      output += text;
      const found = /listening on (http:\/\/[\d.:]+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.setEncoding("utf8").on("data", listen);
    child.stderr?.setEncoding("utf8").on("data", listen);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`code-server ended with ${code}: ${output}`)));
  });
}

function readNotes(file: string): readonly Note[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Note => JSON.parse(line));
}

async function stopped(
  child: ChildProcess,
  how: { readonly kill: () => void; readonly folder: TemporaryFolder },
): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  if (child.exitCode === null && child.signalCode === null) {
    how.kill();
    await gone;
  }
  how.folder.dispose();
}
