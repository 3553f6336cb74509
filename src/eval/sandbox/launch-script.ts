/**
 * How a program gets into the sandbox on Linux, with util-linux and a shell only.
 *
 * `unshare` makes new namespaces: no network, no other processes, mounts of its own. There the script
 * below builds a root folder in memory that holds the toolchains, read-only, and an empty scratch
 * folder; then it goes into that root, gives up every privilege and takes the limits. When the
 * first process ends or is killed, the kernel ends all others and the mounts are gone.
 */
import type { SandboxLimits } from "./limits.ts";

/** Where the program's files are, as it sees them. */
export const scratchFolder = "/scratch";

/**
 * How privileges are given up. `other-user`: we are root and become a user that owns nothing.
 * `own-namespace`: we are nobody special and are root only inside of a user namespace.
 */
export type Isolation = "other-user" | "own-namespace";

export interface Launch {
  readonly isolation: Isolation;
  /** User and group of the program with `other-user`. */
  readonly userId: number;
  /** An empty folder to build the root in. */
  readonly root: string;
  /** Copied into the scratch folder. */
  readonly files: string;
  /** Folders and links that the program sees at the same place. Missing ones are left out. */
  readonly visible: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly limits: SandboxLimits;
}

/** The whole command line. */
export function launchCommand(launch: Launch): readonly string[] {
  const { isolation, userId, limits, environment } = launch;
  const owner = isolation === "other-user" ? userId : 0;
  const user =
    isolation === "other-user" ? [`--reuid=${userId}`, `--regid=${userId}`, "--clear-groups"] : [];
  return [
    // If this process dies, the sandbox dies with it.
    ...["setpriv", "--pdeathsig=KILL", "--"],
    "unshare",
    ...(isolation === "own-namespace" ? ["--user", "--map-root-user"] : []),
    ...["--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--"],
    ...["sh", "-c", script, "midspan-sandbox", launch.root, launch.files, String(owner)],
    String(limits.scratchBytes),
    ...launch.visible,
    "--",
    ...["setpriv", ...user, "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--"],
    ...limitCommand(limits),
    ...["env", "-i", ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)],
    // The first process of the namespace only waits: signals that nobody handles do not reach it.
    ...["sh", "-c", `cd ${scratchFolder} && "$@"; exit $?`, "sh", ...launch.command],
  ];
}

/** `prlimit` with the limits that the kernel keeps for each process, or user. */
export function limitCommand(limits: SandboxLimits): readonly string[] {
  return [
    "prlimit",
    `--nproc=${limits.processes}`,
    `--cpu=${limits.cpuSeconds}`,
    // Not the address space: runtimes reserve more of that than any machine has.
    `--data=${limits.memoryBytes}`,
    `--fsize=${limits.fileBytes}`,
    "--core=0",
    "--nofile=512",
    "--",
  ];
}

const script = `set -eu
root=$1 files=$2 owner=$3 scratch=$4
shift 4
mount -t tmpfs -o mode=755,size=4m,nosuid,nodev midspan "$root"
while [ "$1" != -- ]; do
  if [ -e "$root$1" ]; then
    :
  elif [ -L "$1" ]; then
    mkdir -p "$root\${1%/*}"
    cp -P "$1" "$root$1"
  elif [ -d "$1" ]; then
    mkdir -p "$root$1"
    mount --rbind "$1" "$root$1"
    mount -o remount,bind,ro,nosuid,nodev "$root$1"
  elif [ -e "$1" ]; then
    mkdir -p "$root\${1%/*}"
    : > "$root$1"
    mount --bind "$1" "$root$1"
    # Devices are written to; a program of the person's own must not be.
    if [ -f "$1" ]; then mount -o remount,bind,ro,nosuid,nodev "$root$1"; fi
  fi
  shift
done
shift
mkdir -p "$root/proc" "$root/scratch" "$root/tmp"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc" 2>/dev/null || true
mount -t tmpfs -o "mode=700,size=$scratch,nr_inodes=4096,nosuid,nodev" midspan "$root/scratch"
cp -R "$files/." "$root/scratch"
chown -R "$owner:$owner" "$root/scratch"
exec chroot "$root" "$@"
`;
