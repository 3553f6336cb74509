/**
 * Runs code that nobody has read: what a model wrote, joined with the tests of a benchmark. On Linux
 * it runs as another user, without a network, in a root folder of its own that is gone afterwards.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import { type Isolation, launchCommand, limitCommand, scratchFolder } from "./launch-script.ts";
import { defaultSandboxLimits, type SandboxLimits } from "./limits.ts";
import { runLimited, type SandboxResult } from "./run-limited.ts";

/** One program to run. */
export interface SandboxJob {
  /** Content by path below the scratch folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Run in the scratch folder; its own program is looked up in `PATH`. */
  readonly command: readonly string[];
  /** Folders that it needs besides the system's own; they are read-only. */
  readonly visible: readonly string[];
  /** Added to a bare environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** In place of the usual limits. */
  readonly limits?: Partial<SandboxLimits>;
  readonly signal: AbortSignal;
}

/** A place to run programs in. Jobs may run side by side. */
export interface Sandbox {
  /** `none`: time, output and the kernel's limits hold, but files and network are open. */
  readonly isolation: Isolation | "none";
  /** Resolves with how it ended. Rejects when it could not be started, or with the signal's reason. */
  run(job: SandboxJob): Promise<SandboxResult>;
}

/**
 * The strongest sandbox that this machine allows. Without isolation: throws
 * `EvaluationUnavailableError` unless `allowsUnsafe`.
 */
export async function openSandbox(options: { readonly allowsUnsafe: boolean }): Promise<Sandbox> {
  const isolation: Isolation = process.getuid?.() === 0 ? "other-user" : "own-namespace";
  const isolated = sandboxWith(isolation);
  const fault = process.platform === "linux" ? await faultOf(isolated) : "it needs Linux";
  if (fault === null) return isolated;
  if (options.allowsUnsafe) return sandboxWith("none");
  throw new EvaluationUnavailableError(
    `generated code cannot be isolated here: ${fault}; run where namespaces are allowed, or add --unsafe to run it with your own rights`,
  );
}

/** What the system itself keeps for programs. */
const systemFolders: readonly string[] = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"],
  ...["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"],
  ...["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"],
];

/**
 * Users that own nothing: the range between those that Debian and systemd hand out. Each running job
 * has its own, since the kernel counts processes by user.
 */
const FIRST_USER = 60_706;
const USERS = 478;

function sandboxWith(isolation: Sandbox["isolation"]): Sandbox {
  // Another process of ours beside this one begins somewhere else.
  let next = (process.pid * 31) % USERS;
  const taken = new Set<number>();
  const takeUser = (): number => {
    do next = (next + 1) % USERS;
    while (taken.has(next) && taken.size < USERS);
    taken.add(next);
    return FIRST_USER + next;
  };
  return {
    isolation,
    run: async (job) => {
      const folder = await mkdtemp(join(tmpdir(), "midspan-sandbox-"));
      const userId = takeUser();
      try {
        return await runIn(folder, { isolation, userId, job });
      } finally {
        taken.delete(userId - FIRST_USER);
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function runIn(
  folder: string,
  about: {
    readonly isolation: Sandbox["isolation"];
    readonly userId: number;
    readonly job: SandboxJob;
  },
): Promise<SandboxResult> {
  const { isolation, userId, job } = about;
  const limits = { ...defaultSandboxLimits, ...job.limits };
  const [root, files] = [join(folder, "root"), join(folder, "files")];
  await mkdir(root);
  await mkdir(files);
  for (const [path, content] of Object.entries(job.files)) {
    const file = join(files, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const home = isolation === "none" ? files : scratchFolder;
  const environment = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: home,
    TMPDIR: home,
    LANG: "C.UTF-8",
    ...job.environment,
  };
  const { command, visible, signal } = job;
  if (isolation === "none") {
    const limiting = process.platform === "linux" ? limitCommand(limits) : [];
    const all = [...limiting, ...command];
    return runLimited({ command: all, folder: files, environment, limits, signal });
  }
  return runLimited({
    command: launchCommand({
      isolation,
      userId,
      root,
      files,
      visible: [...systemFolders, ...visible],
      environment,
      command,
      limits,
    }),
    folder,
    environment: { PATH: `${process.env.PATH ?? ""}:/usr/sbin:/sbin:/usr/bin:/bin` },
    limits,
    signal,
  });
}

/** Why the sandbox does not work here, in words; `null` when it does. */
async function faultOf(sandbox: Sandbox): Promise<string | null> {
  const token = "midspan-sandbox-works";
  try {
    const result = await sandbox.run({
      files: {},
      command: ["echo", token],
      visible: [],
      environment: {},
      signal: new AbortController().signal,
    });
    if (result.output.trim() === token) return null;
    const [line = "it prints nothing"] = result.output.trim().split("\n");
    return line;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
