/** A real Neovim with a screen of our own, driven by its RPC. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { keepProcess } from "../../kept-process.ts";
import { type Packed, pack, Unpacker } from "./msgpack.ts";

/** How a person gets what is missing. */
export const howToGetNvim: string =
  "Neovim is tried with the real one, 0.12 or newer: install it, set MIDSPAN_NVIM to the command " +
  "that starts it, or run npm run e2e:nvim, which sets one up";

/** The command that starts Neovim, and the folder that it takes for `/`. */
export interface NvimSetup {
  readonly command: readonly string[];
  readonly root: string;
}

/** Named by the environment, else on PATH; `null` without one, or with one that is too old. */
export function findNvim(): NvimSetup | null {
  const command = (process.env.MIDSPAN_NVIM || "nvim").split(" ");
  const [program = "", ...before] = command;
  const { stdout } = spawnSync(program, [...before, "--version"], { encoding: "utf8" });
  const [, major = 0, minor = 0] = (stdout ?? "").match(/^NVIM v(\d+)\.(\d+)/)?.map(Number) ?? [];
  if (major === 0 && minor < 12) return null;
  return { command, root: program === "chroot" ? (before[0] ?? "/") : "/" };
}

/** Files that the server and Neovim see at the same path, with what else Neovim needs. */
export interface Place {
  /** The workspace; its path has blanks and letters beyond ASCII. */
  readonly workspace: string;
  /** Where `editors/nvim` lies for Neovim. */
  readonly plugin: string;
  /** Run by `nvim -l` with a port: a program that talks to the server by stdin and stdout. */
  readonly bridge: string;
  readonly dispose: () => void;
}

export function createPlace(setup: NvimSetup, files: Readonly<Record<string, string>>): Place {
  const folder = mkdtempSync(join(tmpdir(), "midspan-nvim-"));
  const workspace = join(folder, "wörk späce");
  for (const [path, text] of Object.entries({ ".git/HEAD": "", ...files })) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  writeFileSync(join(folder, "bridge.lua"), bridge);
  const plugin = join(folder, "plugin");
  cpSync(join(import.meta.dirname, "..", "..", "..", "editors", "nvim"), plugin, {
    recursive: true,
  });
  const inside = join(setup.root, folder);
  if (setup.root !== "/") cpSync(folder, inside, { recursive: true });
  return {
    workspace,
    plugin,
    bridge: join(folder, "bridge.lua"),
    dispose: () => {
      for (const path of [folder, inside]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Where Neovim is in a folder of its own it cannot start our Node; this stands for the server there. */
const bridge = `
local uv = vim.uv
local stdin, stdout = uv.new_pipe(), uv.new_pipe()
stdin:open(0)
stdout:open(1)
local function join(from, to)
  from:read_start(function(failure, data)
    -- As a server that crashed: Neovim has something to say then.
    if failure or not data then os.exit(1) end
    to:write(data)
  end)
end
local function start()
  local socket = uv.new_tcp()
  socket:connect('127.0.0.1', tonumber(arg[1]), function(failure)
    if failure then
      socket:close()
      uv.new_timer():start(50, 0, start)
      return
    end
    join(stdin, socket)
    join(socket, stdout)
  end)
end
start()
uv.run()
`;

/** One moment at which the screen was painted. */
export interface Paint {
  readonly atMs: number;
  readonly lines: readonly string[];
}

const screen = { width: 100, height: 24 } as const;

export class Nvim {
  readonly #child: ChildProcess;
  readonly #socket: Socket;
  readonly #answers = new Map<number, (answer: readonly Packed[]) => void>();
  readonly #cells = Array.from({ length: screen.height }, () =>
    Array.from({ length: screen.width }, () => " "),
  );
  readonly #watchers = new Set<(paint: Paint) => void>();
  #nextId = 0;

  private constructor(child: ChildProcess, socket: Socket) {
    this.#child = child;
    this.#socket = socket;
    const unpacker = new Unpacker();
    socket.on("data", (bytes) => {
      for (const message of unpacker.push(bytes)) this.#hear(message);
    });
    socket.on("error", () => {});
  }

  /** Starts one without anybody's settings and attaches a screen. */
  static async start(setup: NvimSetup, port: number): Promise<Nvim> {
    const [program = "", ...before] = setup.command;
    const flags = ["--clean", "-n", "--headless", "--listen", `127.0.0.1:${port}`];
    const child = spawn(program, [...before, ...flags], { stdio: "ignore" });
    keepProcess(child);
    const nvim = new Nvim(child, await connected(port));
    await nvim.call("nvim_ui_attach", [
      screen.width,
      screen.height,
      { rgb: true, ext_linegrid: true },
    ]);
    return nvim;
  }

  /** Calls a function of the API. Rejects with its message, or the screen if Neovim waits for a key. */
  call(method: string, args: readonly Packed[]): Promise<Packed> {
    const id = this.#nextId++;
    this.#socket.write(pack([0, id, method, args]));
    return new Promise((resolve, reject) => {
      const watchdog = setTimeout(() => {
        const lines = this.#cells.map((row) => row.join("").trimEnd());
        reject(new Error(`${method} has no answer; the screen:\n${lines.join("\n").trim()}`));
      }, 20_000);
      this.#answers.set(id, ([error, result]) => {
        clearTimeout(watchdog);
        if (error === null || error === undefined) resolve(result ?? null);
        else reject(new Error(`${method}: ${JSON.stringify(error)}`));
      });
    });
  }

  /** Runs Lua and returns what it returns. */
  lua(code: string, ...args: Packed[]): Promise<Packed> {
    return this.call("nvim_exec_lua", [code, args]);
  }

  /** Presses keys, all at once. */
  async press(keys: string): Promise<void> {
    await this.call("nvim_input", [keys]);
  }

  /** Presses keys one by one. */
  async type(text: string, everyMs: number): Promise<void> {
    for (const key of text) {
      await this.press(key === "<" ? "<lt>" : key);
      await wait(everyMs);
    }
  }

  /** The whole text of the buffer. */
  async text(): Promise<string> {
    const lines = await this.call("nvim_buf_get_lines", [0, 0, -1, true]);
    return (lines as readonly string[]).join("\n");
  }

  /** The virtual text that the built-in module shows, lines joined by `\n`; `""` for none. */
  async ghost(): Promise<string> {
    const ghost = await this.lua(`
      local ns = vim.api.nvim_create_namespace('nvim.lsp.inline_completion')
      local out = {}
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, { details = true })) do
        for _, chunks in ipairs({ mark[4].virt_text or {}, unpack(mark[4].virt_lines or {}) }) do
          local line = ''
          for _, chunk in ipairs(chunks) do line = line .. chunk[1] end
          out[#out + 1] = line
        end
      end
      return table.concat(out, '\\n')`);
    return String(ghost);
  }

  /** Waits until `read` gives what `isRight` likes; throws with what there was after `limitMs`. */
  async until<Value>(
    read: () => Promise<Value>,
    isRight: (value: Value) => boolean,
    limitMs: number = 5_000,
  ): Promise<Value> {
    const endMs = performance.now() + limitMs;
    for (;;) {
      const value = await read();
      if (isRight(value)) return value;
      if (performance.now() > endMs) {
        throw new Error(`waited in vain; there is ${JSON.stringify(value)}`);
      }
      await wait(10);
    }
  }

  /** Calls `watch` with each painting of the screen; the returned function ends that. */
  onPaint(watch: (paint: Paint) => void): () => void {
    this.#watchers.add(watch);
    return () => this.#watchers.delete(watch);
  }

  /** Ends it; again does nothing more. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#socket.write(pack([0, this.#nextId++, "nvim_command", ["qall!"]]));
    const killer = setTimeout(() => this.#child.kill("SIGKILL"), 2_000);
    await gone;
    clearTimeout(killer);
    this.#socket.destroy();
  }

  #hear(message: Packed): void {
    if (!Array.isArray(message)) return;
    const [kind, second, ...rest] = message as readonly Packed[];
    if (kind === 1 && typeof second === "number") {
      this.#answers.get(second)?.(rest);
      this.#answers.delete(second);
    }
    if (kind === 2 && second === "redraw") this.#draw(rest[0] ?? []);
  }

  #draw(events: Packed): void {
    for (const [name, ...calls] of events as readonly (readonly Packed[])[]) {
      for (const call of calls as readonly (readonly Packed[])[]) {
        if (name === "grid_line") this.#drawLine(call);
        if (name === "grid_clear") for (const row of this.#cells) row.fill(" ");
        if (name === "grid_scroll") this.#scroll(call as readonly number[]);
        if (name !== "flush") continue;
        const lines = this.#cells.map((row) => row.join("").trimEnd());
        for (const watch of this.#watchers) watch({ atMs: performance.now(), lines });
      }
    }
  }

  #drawLine(call: readonly Packed[]): void {
    const [, row, start, cells] = call as [number, number, number, readonly Packed[][]];
    let column = start;
    for (const [text, , count] of cells) {
      for (let i = 0; i < Number(count ?? 1); i++) {
        const line = this.#cells[row];
        if (line !== undefined) line[column] = String(text);
        column++;
      }
    }
  }

  #scroll(call: readonly number[]): void {
    const [, top = 0, bottom = 0, , , rows = 0] = call;
    const old = this.#cells.map((row) => [...row]);
    for (let row = top; row < bottom; row++) {
      const from = old[row + rows];
      if (top <= row + rows && row + rows < bottom && from !== undefined) this.#cells[row] = from;
    }
  }
}

async function connected(port: number): Promise<Socket> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await new Promise<Socket>((resolve, reject) => {
        const socket = connect(port, "127.0.0.1", () => resolve(socket));
        socket.once("error", reject);
      });
    } catch (error) {
      if (attempt > 200) throw error;
      await wait(25);
    }
  }
}
