/**
 * A repository's history, read through git's plumbing: trees, changes and blobs by their ids. Nothing
 * is checked out and nothing is written; neither filters nor external programs of the repository run,
 * and a partial clone fetches nothing.
 */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";

/** A commit and the one before it. */
export interface Commit {
  readonly id: string;
  readonly parent: string;
}

/** A file that a commit changed. Paths are relative to the folder, with `/`. */
export interface FileChange {
  readonly path: string;
  /** Blob ids; `null` where the file did not exist before, or no longer does. */
  readonly before: string | null;
  readonly after: string | null;
}

/** One patch of a commit may have this many bytes; a larger one is data that was checked in. */
const MAX_PATCH_BYTES = 64 * 1024 * 1024;
const NO_BLOB = /^0+$/;
const REGULAR_FILE = /^100/;

const execute = promisify(execFile);

/** Reads one repository up to one commit; to be closed. */
export class GitHistory {
  /** Id of the newest commit that is looked at. */
  readonly head: string;
  readonly #folder: string;
  readonly #blobs: BlobReader;

  private constructor(folder: string, head: string) {
    this.head = head;
    this.#folder = folder;
    this.#blobs = new BlobReader(folder);
  }

  /**
   * The history that ends in `revision`, `HEAD` by default. `null` where there is none: no repository,
   * no such commit, or no git on this machine.
   */
  static async open(folder: string, revision = "HEAD"): Promise<GitHistory | null> {
    try {
      const named = ["--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
      const head = await run(folder, ["rev-parse", ...named]);
      return new GitHistory(folder, head.trim());
    } catch (error) {
      if (error instanceof EvaluationUnavailableError) return null;
      throw error;
    }
  }

  /** The newest `limit` commits with exactly one parent, the oldest of them first. */
  async commits(limit: number): Promise<readonly Commit[]> {
    const range = ["--no-merges", `--max-count=${limit}`, "--parents", this.head];
    const text = await run(this.#folder, ["rev-list", ...range]);
    return text
      .split("\n")
      .flatMap((line) => {
        const [id, parent, another] = line.split(" ");
        const isPlain = id !== undefined && parent !== undefined && another === undefined;
        return isPlain ? [{ id, parent }] : [];
      })
      .reverse();
  }

  /** The regular files of a commit below the folder, with their blobs. */
  async tree(commit: string): Promise<ReadonlyMap<string, string>> {
    const text = await run(this.#folder, ["ls-tree", "-r", "-z", commit]);
    const files = new Map<string, string>();
    for (const entry of text.split("\0")) {
      const tab = entry.indexOf("\t");
      const [mode = "", type, blob] = entry.slice(0, tab).split(" ");
      if (type === "blob" && blob !== undefined && REGULAR_FILE.test(mode)) {
        files.set(entry.slice(tab + 1), blob);
      }
    }
    return files;
  }

  /** The files that differ between a commit and its parent, renamed ones as removed and added. */
  async changes({ id, parent }: Commit): Promise<readonly FileChange[]> {
    const text = await run(this.#folder, [...diffTree, "--raw", "-z", "--abbrev=64", parent, id]);
    const fields = text.split("\0");
    const changes: FileChange[] = [];
    for (let i = 0; i + 1 < fields.length; i += 2) {
      const [, , before = "", after = ""] = (fields[i] as string).split(" ");
      const blob = (name: string): string | null => (NO_BLOB.test(name) ? null : name);
      changes.push({ path: fields[i + 1] as string, before: blob(before), after: blob(after) });
    }
    return changes;
  }

  /** The patch of a commit without context lines, files in the order of `changes`; `""` when huge. */
  async patch({ id, parent }: Commit): Promise<string> {
    try {
      return await run(this.#folder, [...diffTree, "--patch", "--unified=0", parent, id]);
    } catch (error) {
      const isHuge = error instanceof RangeError;
      if (isHuge) return "";
      throw error;
    }
  }

  /** The bytes of a blob. */
  blob(id: string): Promise<Buffer> {
    return this.#blobs.read(id);
  }

  close(): void {
    this.#blobs.close();
  }
}

const diffTree = [
  "diff-tree",
  "-r",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-indent-heuristic",
  "--diff-algorithm=histogram",
  "--ignore-submodules",
  "--relative",
] as const;

/** Settings of the person or the repository that would change what is printed. */
const plain = ["--no-pager", "--no-replace-objects", "-c", "core.quotePath=false"] as const;

function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

async function run(folder: string, args: readonly string[]): Promise<string> {
  try {
    const options = { cwd: folder, env: environment(), maxBuffer: MAX_PATCH_BYTES };
    const { stdout } = await execute("git", [...plain, ...args], options);
    return stdout;
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new EvaluationUnavailableError(`git ${args[0]} ${endWords(cause)} in ${folder}`, {
      cause,
    });
  }
}

/** Ctrl+C reaches git before us; that is no failure of git. */
function endWords(cause: unknown): string {
  const isKilled = cause instanceof Error && "signal" in cause && typeof cause.signal === "string";
  return isKilled ? `was ended by ${cause.signal}` : "failed";
}

interface Waiting {
  readonly id: string;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** `git cat-file --batch`: one process answers for all blobs, in the order in which they are asked. */
class BlobReader {
  readonly #folder: string;
  readonly #waiting: Waiting[] = [];
  #process: ChildProcessWithoutNullStreams | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Bytes that the answer at hand needs before it is whole. */
  #needed = 1;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(id: string): Promise<Buffer> {
    const child = this.#process ?? this.#start();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject });
      child.stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.#process?.stdin.end();
    this.#process = null;
  }

  #start(): ChildProcessWithoutNullStreams {
    const options = { cwd: this.#folder, env: environment() };
    const child = spawn("git", [...plain, "cat-file", "--batch"], options);
    this.#process = child;
    child.stderr.resume();
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    const fail = (): void => {
      for (const { id, reject } of this.#waiting.splice(0)) {
        reject(new EvaluationUnavailableError(`git cat-file ended before it read ${id}`));
      }
    };
    child.on("error", fail);
    child.on("close", fail);
    return child;
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Joining is put off until an answer is whole: a large blob comes in many chunks.
    if (this.#bytes < this.#needed) return;
    let rest = Buffer.concat(this.#chunks);
    this.#needed = 1;
    while (rest.length > 0) {
      const headEnd = rest.indexOf(10);
      if (headEnd < 0) break;
      const [, type, size] = rest.toString("latin1", 0, headEnd).split(" ");
      const end = size === undefined ? headEnd : headEnd + 1 + Number(size);
      if (rest.length < end + 1) {
        this.#needed = end + 1;
        break;
      }
      const first = this.#waiting.shift();
      if (type === "blob") first?.resolve(Buffer.from(rest.subarray(headEnd + 1, end)));
      else first?.reject(new EvaluationUnavailableError(`git has no blob ${first.id}`));
      rest = rest.subarray(end + 1);
    }
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
  }
}
