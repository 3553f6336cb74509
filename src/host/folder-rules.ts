/**
 * Which entries of a folder are left out by name: copies that editors keep, secrets, then what
 * `.gitignore` and `.midspanignore` say. Immutable, one value per folder; `enter` gives the rules one level down.
 * `.midspanignore` has the syntax of a `.gitignore` and only takes out: what git ignores, or what the
 * list of secrets holds, no file of a repository can bring back.
 */
import { join, relative, sep } from "node:path";
import { denyTest, isCaseIgnored } from "./deny-list.ts";
import { findRepository } from "./git.ts";
import { rebaseIgnoreLines } from "./ignore-lines.ts";
import { PathPatterns } from "./path-patterns.ts";
import { readPlainFile } from "./plain-file.ts";
import { childPath } from "./workspace-path.ts";

/** Folders that hold other people's code or a tool's own data, whether or not a file says so. */
const skippedFolders = new Set([
  ".git",
  ".hg",
  ".svn",
  ".jj",
  "node_modules",
  "bower_components",
  "__pycache__",
  ".venv",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".gradle",
  ".next",
  ".nuxt",
  ".turbo",
]);

/**
 * Copies that editors keep beside a file while it is edited or before it is saved (Emacs, Vim, nano,
 * JetBrains). They hold half-typed text of a file that is there itself, or a secret under a name that
 * the list of secrets does not know.
 */
const editorCopy = /^#.*#$|^\.#|~$|^\..*\.sw[a-z]$|___jb_(?:tmp|old)___$/s;

/** A larger ignore file is not read: no person wrote it. */
const MAX_IGNORE_FILE_BYTES = 1_000_000;

interface Tree {
  /** The workspace; real path. */
  readonly root: string;
  /** The list of secrets and the person's own patterns. */
  readonly isDenied: (path: string) => boolean;
}

export class FolderRules {
  /** Relative to the workspace, with `/`; "" is the workspace. */
  readonly path: string;
  readonly #tree: Tree;
  /** Paths are relative to the top of the repository. `null` when no rule applies. */
  readonly #git: PathPatterns | null;
  /** From the top of the repository to the workspace: "" or `packages/app/`. */
  readonly #gitPrefix: string;
  /** Paths are relative to the workspace. */
  readonly #own: PathPatterns | null;

  private constructor(
    tree: Tree,
    fields: { path: string; git: PathPatterns | null; gitPrefix: string; own: PathPatterns | null },
  ) {
    this.#tree = tree;
    this.path = fields.path;
    this.#git = fields.git;
    this.#gitPrefix = fields.gitPrefix;
    this.#own = fields.own;
  }

  /**
   * The rules at the top of a workspace. `root` must be a real path; rules of the repository around it
   * count too. `deny` holds the person's own patterns.
   */
  static async atRoot(
    root: string,
    options: { readonly deny: readonly string[] },
  ): Promise<FolderRules> {
    const tree = { root, isDenied: denyTest(options.deny) };
    const git = await gitRulesAbove(root);
    const bare = new FolderRules(tree, { path: "", ...git, own: null });
    return bare.#withFilesOf("", () => true);
  }

  /** Why an entry of this folder is left out; `null` when its name is no reason. */
  leavesOut(name: string, kind: "file" | "folder"): "denied" | "ignored" | null {
    if (name === ".git" || (kind === "folder" && skippedFolders.has(name))) return "ignored";
    const path = childPath(this.path, name) + (kind === "folder" ? "/" : "");
    if (this.#tree.isDenied(path)) return "denied";
    if (kind === "file" && editorCopy.test(name)) return "ignored";
    if (this.#git?.match(this.#gitPrefix + path) === true) return "ignored";
    return this.#own?.match(path) === true ? "ignored" : null;
  }

  /**
   * The rules inside a folder of this one; reads the ignore files in it. `has` says which names the
   * folder holds, where the caller knows, and spares two attempts per folder.
   */
  enter(name: string, has: (name: string) => boolean = () => true): Promise<FolderRules> {
    return this.#withFilesOf(childPath(this.path, name), has);
  }

  /**
   * Why a file anywhere below is left out, its folders included; `null` when it is not. The path is
   * relative to this folder, with `/`.
   */
  async leavesOutPath(path: string): Promise<"denied" | "ignored" | null> {
    const names = path.split("/");
    const file = names.pop() ?? "";
    let rules: FolderRules = this;
    for (const name of names) {
      const reason = rules.leavesOut(name, "folder");
      if (reason !== null) return reason;
      rules = await rules.enter(name);
    }
    return rules.leavesOut(file, "file");
  }

  async #withFilesOf(path: string, has: (name: string) => boolean): Promise<FolderRules> {
    const read = (name: string): Promise<string | null> | null =>
      has(name) ? readIgnoreFile(join(this.#tree.root, path, name)) : null;
    const [gitText, ownText] = await Promise.all([read(".gitignore"), read(".midspanignore")]);
    const inRepository = (this.#gitPrefix + path).replace(/\/$/, "");
    return new FolderRules(this.#tree, {
      path,
      gitPrefix: this.#gitPrefix,
      git: extend(this.#git, gitText, inRepository),
      own: extend(this.#own, ownText, path),
    });
  }
}

/** The rules of the repository that hold above the workspace. */
async function gitRulesAbove(
  root: string,
): Promise<{ git: PathPatterns | null; gitPrefix: string }> {
  const none = { git: null, gitPrefix: "" };
  const repository = await findRepository(root);
  if (repository === null) return none;
  const names = relative(repository.workTree, root)
    .split(sep)
    .filter((name) => name !== "");
  // The repository's own excludes are weaker than any `.gitignore`, so they come first.
  let git = extend(null, await readIgnoreFile(repository.excludeFile), "");
  for (let depth = 0; depth < names.length; depth++) {
    const folder = names.slice(0, depth).join("/");
    git = extend(
      git,
      await readIgnoreFile(join(repository.workTree, folder, ".gitignore")),
      folder,
    );
    // A workspace inside an ignored folder was chosen on purpose: it starts afresh.
    if (git?.match(`${names.slice(0, depth + 1).join("/")}/`) === true) return none;
  }
  return { git, gitPrefix: names.map((name) => `${name}/`).join("") };
}

function extend(
  rules: PathPatterns | null,
  text: string | null,
  folder: string,
): PathPatterns | null {
  if (text === null) return rules;
  const lines = rebaseIgnoreLines(text, folder);
  if (lines.length === 0) return rules;
  return rules === null ? PathPatterns.of(lines, { isCaseIgnored }) : rules.with(lines);
}

/** The text of an ignore file; `null` when there is none that can be read. Like git, follows no link. */
async function readIgnoreFile(path: string): Promise<string | null> {
  try {
    const file = await readPlainFile(path, { maxBytes: MAX_IGNORE_FILE_BYTES, links: "refused" });
    return file.kind === "bytes" ? file.bytes.toString("utf8") : null;
  } catch {
    return null;
  }
}
