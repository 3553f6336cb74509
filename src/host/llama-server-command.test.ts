import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../testing/temp-folder.ts";
import {
  findLlamaServer,
  llamaServerArguments,
  splitCommand,
  threadsFor,
} from "./llama-server-command.ts";
import { startFault } from "./llama-server-fault.ts";

describe("findLlamaServer", () => {
  const folder = () => tempFolder({ "llama-server": "", "llama-server.exe": "" });

  it("takes the setting first, then what is on PATH", () => {
    const path = folder();
    const environment = { PATH: ["/nowhere", "", path].join(delimiter) };
    const find = (setting: string, platform: NodeJS.Platform = "linux") =>
      findLlamaServer({ setting, environment, platform });
    expect(find("chroot /srv llama-server --verbose")).toEqual([
      "chroot",
      "/srv",
      "llama-server",
      "--verbose",
    ]);
    expect(find("")).toEqual([join(path, "llama-server")]);
    expect(find("", "win32")).toEqual([join(path, "llama-server.exe")]);
    expect(findLlamaServer({ setting: "", environment: {}, platform: "linux" })).toBeNull();
  });

  it("keeps quoted blanks together", () => {
    expect(splitCommand(`"C:\\Program Files\\llama-server.exe" -t 4 'a b' `)).toEqual([
      "C:\\Program Files\\llama-server.exe",
      "-t",
      "4",
      "a b",
    ]);
    expect(splitCommand("  ")).toEqual([]);
  });
});

describe("llamaServerArguments", () => {
  it("takes larger batches on a graphics processor, and leaves out what is not known", () => {
    const plan = { model: "m", port: 1, slotTokens: 4096, threads: 3, gpuLayers: 99 };
    expect(llamaServerArguments(plan, new Set(["--cache-ram", "--metrics"])).join(" ")).toBe(
      "-m m --host 127.0.0.1 --port 1 -np 2 -c 8192 -b 512 -ub 512 -t 3 -ngl 99 --no-cache-idle-slots --no-webui",
    );
  });

  it("never takes more threads than there are cores", () => {
    expect([0, 1, 2, 3, 16].map(threadsFor)).toEqual([1, 1, 1, 2, 15]);
  });
});

describe("startFault", () => {
  const ended = "ended with code 1";

  it.each([
    ["error: invalid argument: --cache-ram\n", { kind: "flag", flag: "--cache-ram" }],
    ["0.00.083.471 E srv  start: couldn't bind HTTP server socket", { kind: "port" }],
    [
      "0.00.649.129 E llama_model_load: error loading model: unable to allocate AMX buffer\n",
      { kind: "fault", says: expect.stringMatching(/^found not enough memory .*models\.gpu/) },
    ],
    [
      "gguf_init_from_file: failed to open GGUF file '/x.gguf' (No such file or directory)\n",
      { kind: "fault", says: expect.stringContaining("must see the same folders") },
    ],
    [
      "error loading model: unknown model architecture: 'qwen9'\n",
      { kind: "fault", says: expect.stringMatching(/models of the kind qwen9; install a newer/) },
    ],
    [
      "0.00.033 E llama_model_load: error loading model: llama_model_loader: failed to load model from /m.gguf\n0.00.034 E srv  llama_server: exiting due to model loading error\n",
      { kind: "fault", says: expect.stringMatching(/^cannot load the model .*fetch it again/) },
    ],
    [
      "everything is fine\n0.1 E x: cannot do this\nbye\n",
      { kind: "fault", says: `${ended} (cannot do this); run its command by hand` },
    ],
    ["", { kind: "fault", says: `${ended} without a word; run its command by hand` }],
  ])("reads %j", (log, fault) => {
    expect(startFault(log, ended)).toEqual(fault);
  });
});
