/** `midspan serve` in a process of its own, as people run it, for benches. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { present } from "../base/assert.ts";
import { cpuMsOf } from "../eval/machine.ts";

/** A server of ours that answers. */
export interface ServedGateway {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Processor time that it has used so far; `null` where the system does not say. */
  cpuMs(): Promise<number | null>;
  close(): Promise<void>;
}

const START_MS = 60_000;

/** Serves an empty workspace in front of a llama-server. Rejects when it does not start. */
export async function startServedGateway(options: {
  readonly serverUrl: string;
  readonly family: string;
  readonly contextTokens: number;
  /** Shows everything that passes the filters. */
  readonly threshold: number;
}): Promise<ServedGateway> {
  const home = await mkdtemp(join(tmpdir(), "midspan-bench-"));
  // The name is the repository's in the prompt: the same as that of the engine in this process.
  const workspace = join(home, "bench");
  await mkdir(workspace);
  const program = present(process.argv[1], "the path of the program");
  const flags = [
    ...["serve", workspace, "--no-open", "--offline", "--port", "0", "--local", "off"],
    ...["--backend", `llama.cpp:${options.serverUrl}`, "--format", options.family],
    ...["--threshold", String(options.threshold)],
  ];
  const child = spawn(process.execPath, [...process.execArgv, program, ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      MIDSPAN_HOME: home,
      MIDSPAN_CONTEXT_TOTAL_TOKENS: String(options.contextTokens),
      // What is asked ahead would count against the requests that are compared.
      MIDSPAN_PREFETCH_ENABLED: "off",
      MIDSPAN_WARM_UP_ENABLED: "off",
      // So would snippets of other editors' files, which the engine in this process does not know.
      MIDSPAN_CONTEXT_ENABLED: "off",
      MIDSPAN_REQUEST_TIMEOUT_MS: "60000",
    },
  });
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  const kill = (): void => void child.kill("SIGTERM");
  process.once("exit", kill);
  const close = async (): Promise<void> => {
    process.off("exit", kill);
    kill();
    await ended;
    await rm(home, { recursive: true, force: true });
  };
  let said = "";
  const url = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), START_MS);
    void ended.then(() => resolve(null));
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => {
      said += text;
      const found = /playground\s+(http:\S+?)\/\s/.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
  if (url !== null) return { url, cpuMs: () => cpuMsOf(child.pid), close };
  await close();
  throw new Error(`midspan serve did not start: ${said}`);
}
