/**
 * The files of a workspace for a page in a browser: a list to choose from and the text of one. Read
 * only. A path that comes from outside is believed in nothing: links are resolved, the result must lie
 * in the workspace, and what the list leaves out cannot be read by asking for it.
 */
import type { Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { CompletionError } from "../core/index.ts";
import { decodeText, leftOutByName } from "./file-content.ts";
import { fileErrorCode, isMissing } from "./file-error.ts";
import { FolderRules } from "./folder-rules.ts";
import { LeftOutTally } from "./left-out.ts";
import { readPlainFile } from "./plain-file.ts";
import { MAX_DEPTH, realWorkspace, walk } from "./walk.ts";
import { pathInside } from "./workspace-path.ts";

/** A list of files; `truncated` when there are more. */
export interface FileList {
  /** Relative to the workspace, with `/`, sorted. */
  readonly files: readonly string[];
  readonly truncated: boolean;
}

export class WorkspaceFiles {
  /** Real path. */
  readonly root: string;
  readonly #deny: readonly string[];
  readonly #maxFileBytes: number;

  private constructor(
    root: string,
    options: { readonly deny: readonly string[]; readonly maxFileBytes: number },
  ) {
    this.root = root;
    this.#deny = options.deny;
    this.#maxFileBytes = options.maxFileBytes;
  }

  /** Throws `WORKSPACE_UNREADABLE` when the folder cannot be read. `deny` adds to the list of secrets. */
  static async open(
    folder: string,
    options: { readonly deny: readonly string[]; readonly maxFileBytes: number },
  ): Promise<WorkspaceFiles> {
    return new WorkspaceFiles(await realWorkspace(folder), options);
  }

  /** The first `maxFiles` files in the order of folders. Ignore files are read anew each time. */
  async listFiles(maxFiles: number): Promise<FileList> {
    const rules = await FolderRules.atRoot(this.root, { deny: this.#deny });
    const tally = new LeftOutTally();
    const options = { tally, without: [], maxFileBytes: this.#maxFileBytes };
    const files: string[] = [];
    let truncated = false;
    for await (const { path } of walk(this.root, rules, options)) {
      truncated = files.length === maxFiles;
      if (truncated) break;
      files.push(path);
    }
    return { files: files.sort(), truncated };
  }

  /**
   * The text of a file, as editors show it. Throws `FORBIDDEN` for a path outside, one that is left out
   * and one that is no text or too large; `NOT_FOUND` when there is no such file.
   */
  async readFile(path: string): Promise<string> {
    const real = await this.#resolve(path);
    try {
      // The file may have become something else since.
      const file = await readPlainFile(real, { maxBytes: this.#maxFileBytes, links: "refused" });
      if (file.kind === "left-out") throw forbidden(path, `it is left out (${file.reason})`);
      const text = decodeText(file.bytes);
      if (text === null) throw forbidden(path, "it is no text");
      return text;
    } catch (error) {
      if (error instanceof CompletionError) throw error;
      throw unreadable(path, error);
    }
  }

  /** The real path of an allowed file. */
  async #resolve(path: string): Promise<string> {
    const names = path.split("/");
    const isPlain =
      !path.includes("\0") &&
      !isAbsolute(path) &&
      names.length <= MAX_DEPTH + 1 &&
      !names.some((name) => name === "" || name === "." || name === "..") &&
      // On Windows these reach streams and drives.
      !(sep === "\\" && /[\\:]/.test(path));
    if (!isPlain) throw forbidden(path, "it is no path inside the workspace");
    await this.#checkRules(path, path);
    try {
      const real = await realpath(join(this.root, path));
      const inside = pathInside(this.root, real);
      if (inside === null) throw forbidden(path, "it leads out of the workspace");
      // A link may have a harmless name.
      if (inside !== path) await this.#checkRules(path, inside);
      this.#checkSize(path, await lstat(real));
      return real;
    } catch (error) {
      if (error instanceof CompletionError) throw error;
      throw unreadable(path, error);
    }
  }

  async #checkRules(asked: string, path: string): Promise<void> {
    const rules = await FolderRules.atRoot(this.root, { deny: this.#deny });
    const name = path.slice(path.lastIndexOf("/") + 1);
    const reason = (await rules.leavesOutPath(path)) ?? leftOutByName(name);
    if (reason !== null) throw forbidden(asked, `such files are left out (${reason})`);
  }

  #checkSize(path: string, found: Stats): void {
    if (!found.isFile()) throw forbidden(path, "it is no file");
    if (found.size > this.#maxFileBytes) {
      throw forbidden(path, `it has ${found.size} bytes, more than ${this.#maxFileBytes}`);
    }
  }
}

function forbidden(path: string, why: string): CompletionError {
  return new CompletionError("FORBIDDEN", `${JSON.stringify(path)} cannot be read: ${why}`);
}

function unreadable(path: string, cause: unknown): CompletionError {
  if (isMissing(cause)) {
    const message = `there is no file ${JSON.stringify(path)} in the workspace`;
    return new CompletionError("NOT_FOUND", message, { cause });
  }
  const why = `the system refuses (${fileErrorCode(cause) ?? "unknown"})`;
  return new CompletionError("FORBIDDEN", `${JSON.stringify(path)} cannot be read: ${why}`, {
    cause,
  });
}
