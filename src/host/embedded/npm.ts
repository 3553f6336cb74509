/** Runs the npm that came with Node, without a shell wherever that is possible. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { CompletionError } from "../../core/index.ts";

/** How npm ended. */
export interface NpmResult {
  readonly exitCode: number;
  /** The code of its first error, such as `ENOTFOUND`; `null` when it names none. */
  readonly errorCode: string | null;
  /** Its first error in its own words; `""` when it said nothing. */
  readonly says: string;
}

/** Runs npm with these arguments. Aborting the signal ends it. */
export type RunNpm = (args: readonly string[], options: NpmOptions) => Promise<NpmResult>;

export interface NpmOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Called for each package that was fetched, or found in npm's cache. */
  readonly onPackage: () => void;
}

const MAX_SAID = 20_000;

/** The real one. Throws `DOWNLOAD_FAILED` when there is no npm. */
export const runNpm: RunNpm = async (args, { cwd, signal, onPackage }) => {
  signal.throwIfAborted();
  const script = npmScript();
  // Our own keys are no business of npm. On Windows a bare npm is a batch file, which needs a shell;
  // nothing in the arguments is a person's text.
  const { MIDSPAN_API_KEY: _, ...env } = process.env;
  const shell = script === null && process.platform === "win32";
  const stdio: ["ignore", "ignore", "pipe"] = ["ignore", "ignore", "pipe"];
  const options = { cwd, env, shell, stdio, windowsHide: true };
  const child =
    script === null
      ? spawn("npm", [...args], options)
      : spawn(process.execPath, [script, ...args], options);
  let said = "";
  const lines = createInterface({ input: child.stderr });
  lines.on("line", (line) => {
    if (/^npm http .*\.tgz\b/.test(line)) onPackage();
    else said = `${said}${line}\n`.slice(-MAX_SAID);
  });
  const kill = (): void => void child.kill();
  signal.addEventListener("abort", kill, { once: true });
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once("error", (cause) => reject(missing(cause)));
      child.once("close", (code) => resolve(code ?? 1));
    });
    signal.throwIfAborted();
    return { exitCode, ...readErrors(said) };
  } finally {
    signal.removeEventListener("abort", kill);
  }
};

/** The first error that npm printed; what it wrote before version 10 is understood too. */
export function readErrors(said: string): Pick<NpmResult, "errorCode" | "says"> {
  const lines = said
    .split(/\r?\n/)
    .flatMap((line) => /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1]?.trim() ?? []);
  const code = lines.flatMap((line) => /^code (\S+)$/.exec(line)?.[1] ?? [])[0] ?? null;
  const words = lines.find((line) => !/^(code|syscall|errno|path) /.test(line)) ?? "";
  return { errorCode: code, says: words.slice(0, 300).replace(/\.$/, "") };
}

/** Path of npm's own script; `null` where only its command may be known. */
function npmScript(): string | null {
  const own = process.env.npm_execpath ?? "";
  // Other package managers name themselves there.
  if (basename(own) === "npm-cli.js" && existsSync(own)) return own;
  const bin = dirname(process.execPath);
  const places = [join(bin, "node_modules"), join(bin, "..", "lib", "node_modules")];
  const scripts = places.map((place) => join(place, "npm", "bin", "npm-cli.js"));
  return scripts.find((script) => existsSync(script)) ?? null;
}

function missing(cause: unknown): CompletionError {
  return new CompletionError(
    "DOWNLOAD_FAILED",
    "npm was not found; install Node with npm, then try again",
    { cause },
  );
}
