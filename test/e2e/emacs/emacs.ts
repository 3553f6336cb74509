/** A real Emacs in a terminal of its own: keys go in there, questions about it over a socket. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { keepProcess } from "../../kept-process.ts";

/** How a person gets what is missing. */
export const howToGetEmacs: string =
  "Emacs is tried with the real one: install Emacs 30 and lsp-mode 10 (Debian: emacs-nox and " +
  "elpa-lsp-mode), or set MIDSPAN_EMACS to the command that starts it; `script` of util-linux " +
  "gives it a terminal";

/** The command that starts Emacs, and the folder that it takes for `/`. */
export interface EmacsSetup {
  readonly command: readonly string[];
  readonly root: string;
}

/** Prints the versions of Emacs and of lsp-mode, where it can draw grey text. */
const versions = `(progn
  (package-activate-all)
  (require 'lsp-inline-completion)
  (princ (format "%s %s" emacs-major-version (boundp 'lsp-inline-completion-idle-delay))))`;

/** Named by the environment, else on PATH; `null` without one, without lsp-mode 10 or a terminal. */
export function findEmacs(): EmacsSetup | null {
  const [program = "", ...before] = (process.env.MIDSPAN_EMACS || "emacs").split(" ");
  if (!(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "").includes("util-")) {
    return null;
  }
  const args = [...before, "--batch", "--eval", versions];
  const { stdout } = spawnSync(program, args, { encoding: "utf8" });
  const [, major = "0"] = (stdout ?? "").match(/^(\d+) t$/m) ?? [];
  if (Number(major) < 30) return null;
  const root = program === "chroot" ? (before[0] ?? "/") : "/";
  return { command: [program, ...before], root };
}

/** Files that the server and Emacs see at the same path. */
export interface Place {
  readonly workspace: string;
  /** Emacs' home: nobody's settings. */
  readonly home: string;
  /** Writes what Emacs reads at its start. */
  readonly configure: (init: string) => void;
  readonly dispose: () => void;
}

export function createPlace(setup: EmacsSetup, files: Readonly<Record<string, string>>): Place {
  const folder = mkdtempSync(join(tmpdir(), "midspan-emacs-"));
  const home = join(folder, "home");
  const workspace = join(folder, "wörk späce");
  for (const [path, text] of Object.entries({ ".git/HEAD": "", ...files })) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const inside = join(setup.root, folder);
  if (setup.root !== "/") cpSync(folder, inside, { recursive: true });
  return {
    workspace,
    home,
    configure: (init) => {
      mkdirSync(join(setup.root, home, ".emacs.d"), { recursive: true });
      writeFileSync(join(setup.root, home, ".emacs.d", "init.el"), init);
    },
    dispose: () => {
      for (const path of [folder, inside]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Comes before a person's configuration: a mode for the files, and an ear for our questions. */
const preamble = `;; -*- lexical-binding: t -*-
(setq native-comp-jit-compilation nil inhibit-startup-screen t auto-save-default nil
      make-backup-files nil create-lockfiles nil)
(electric-pair-mode 1)
(define-derived-mode typescript-mode prog-mode "TS")
(add-to-list 'auto-mode-alist '("\\\\.ts\\\\'" . typescript-mode))
(defun ear (process text)
  (let ((answer (condition-case failure
                    (with-current-buffer (window-buffer (selected-window))
                      (save-excursion
                        (json-serialize (vector (or (eval (read text) t) :null)))))
                  (error (json-serialize (vector (format "ERROR: %s" failure)))))))
    (process-send-string process (concat answer "\\n"))))
(make-network-process :name "ear" :host "127.0.0.1" :service EAR :filter #'ear :noquery t
                      :coding 'utf-8)
`;

export class Emacs {
  readonly #child: ChildProcess;
  readonly #ear: Server;
  readonly #socket: Socket;
  readonly #answers: ((answer: unknown) => void)[] = [];

  private constructor(child: ChildProcess, ear: Server, socket: Socket) {
    this.#child = child;
    this.#ear = ear;
    this.#socket = socket;
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) this.#answers.shift()?.((JSON.parse(line) as unknown[])[0]);
    });
    socket.on("error", () => {});
  }

  /** Starts one with this configuration. */
  static async start(setup: EmacsSetup, place: Place, init: string): Promise<Emacs> {
    const ear = createServer();
    await new Promise<void>((resolve) => ear.listen(0, "127.0.0.1", resolve));
    const address = ear.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    place.configure(preamble.replace("EAR", String(port)) + init);
    const command = `stty rows 24 cols 100; exec ${[...setup.command, "-nw"].join(" ")}`;
    const child = spawn("script", ["-qfec", command, "/dev/null"], {
      env: { ...process.env, HOME: place.home, TERM: "xterm", LANG: "C.UTF-8", SHELL: "/bin/sh" },
      cwd: "/",
      stdio: ["pipe", "ignore", "ignore"],
    });
    // Emacs goes with its terminal.
    keepProcess(child);
    const heard = new Promise<Socket>((resolve, reject) => {
      ear.once("connection", resolve);
      child.once("exit", (code) => reject(new Error(`Emacs ended with ${code}`)));
    });
    return new Emacs(child, ear, await heard);
  }

  /** The value of an expression in the buffer that is shown: a text, a number or `null`. */
  async ask(expression: string): Promise<unknown> {
    const answer = new Promise<unknown>((resolve) => this.#answers.push(resolve));
    this.#socket.write(`${expression}\n`);
    const value = await answer;
    if (String(value).startsWith("ERROR: ")) throw new Error(`${expression}: ${value}`);
    return value;
  }

  /** Presses keys, as a terminal sends them. */
  press(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Presses keys one by one. */
  async type(text: string): Promise<void> {
    for (const key of text) {
      this.press(key);
      await wait(5);
    }
  }

  async text(): Promise<string> {
    return String(await this.ask("(buffer-substring-no-properties (point-min) (point-max))"));
  }

  /** Ends it as a closed terminal does. */
  async stop(): Promise<void> {
    const gone = new Promise<void>((resolve) => this.#child.once("exit", () => resolve()));
    await this.ask("(progn (run-at-time 0 nil #'kill-emacs) nil)");
    await gone;
    this.#socket.destroy();
    this.#ear.close();
  }
}
