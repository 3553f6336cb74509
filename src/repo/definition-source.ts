/**
 * Definitions in other files of what is used near the cursor, as signatures, one snippet per file.
 * The weights of names follow aider's map of a repository (names that look composed count ten times,
 * private ones a tenth, those that many files define a tenth); imported names come before all others.
 */
import type { Snippet, TokenCounter } from "../core/index.ts";
import type { ImportedSource } from "./imports.ts";
import type { NearbyName } from "./nearby-names.ts";
import type { FoundDefinition, RepoIndex } from "./repo-index.ts";
import { type PathLookup, resolveImport } from "./resolve-import.ts";

/** What the definitions are looked for with. */
export interface DefinitionQuestion {
  readonly path: string | null;
  readonly languageId: string;
  readonly names: readonly NearbyName[];
  readonly imports: readonly ImportedSource[];
  /** Types that receivers before the cursor seem to have, such as `Parser` for `parser.`. */
  readonly receivers: readonly string[];
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  readonly mayShow: (path: string) => boolean;
}

const COMPOSED = 10;
const PRIVATE = 0.1;
const WIDESPREAD = 0.1;
const WIDESPREAD_FILES = 5;
const IMPORTED = 50;
/** The type of what stands before the dot: its members are what comes next. */
const RECEIVER = 200;
/** An imported name that is not used near the cursor may be used next. */
const UNUSED_IMPORT = 0.5;
/** Members of a type that are shown beside it. */
const MAX_MEMBERS = 16;
/** Definitions that are considered for the budget; it holds fewer. */
const MAX_CONSIDERED = 40;

interface Wanted {
  readonly definition: FoundDefinition;
  readonly weight: number;
  readonly isImported: boolean;
  readonly hasMembers: boolean;
}

/** Snippets of kinds `import` and `definition`, at most one per file; `[]` when nothing is defined. */
export function findDefinitions(
  index: RepoIndex,
  paths: PathLookup,
  question: DefinitionQuestion,
): Snippet[] {
  const imported = importedFiles(question, paths);
  const wanted: Wanted[] = [];
  const near = new Set<string>();
  for (const nearby of question.names) {
    near.add(nearby.name);
    const target = imported.get(nearby.name);
    const found =
      target === undefined
        ? elsewhere(index, question, nearby)
        : importedDefinitions(index, target, nearby.name);
    for (const definition of found) {
      const weight = weightOf(nearby, found) * (target === undefined ? 1 : IMPORTED);
      wanted.push({
        definition,
        weight: weight / (1 + 0.3 * nearby.distance),
        isImported: target !== undefined,
        hasMembers: definition.parent === null && !nearby.isMember,
      });
    }
  }
  for (const receiver of question.receivers) {
    const target = imported.get(receiver);
    const found =
      target === undefined
        ? elsewhere(index, question, { name: receiver, distance: 0, uses: 1, isMember: false })
        : importedDefinitions(index, target, receiver);
    for (const definition of found) {
      wanted.push({
        definition,
        weight: RECEIVER * COMPOSED,
        isImported: target !== undefined,
        hasMembers: true,
      });
    }
  }
  for (const [alias, target] of imported) {
    if (near.has(alias)) continue;
    for (const definition of importedDefinitions(index, target, alias)) {
      wanted.push({ definition, weight: UNUSED_IMPORT, isImported: true, hasMembers: false });
    }
  }
  const best = wanted
    .filter(({ definition: { file } }) => {
      return !file.isNamesOnly && file.path !== question.path && question.mayShow(file.path);
    })
    .sort(
      (a, b) =>
        b.weight - a.weight ||
        (a.definition.file.path < b.definition.file.path ? -1 : 1) ||
        a.definition.line - b.definition.line,
    )
    .slice(0, MAX_CONSIDERED);
  return packed(index, best, question);
}

/** The files and names behind what a document calls them. */
interface ImportTarget {
  readonly paths: readonly string[];
  /** `*` for a whole file. */
  readonly name: string;
}

function importedFiles(
  { imports, path, languageId }: DefinitionQuestion,
  paths: PathLookup,
): ReadonlyMap<string, ImportTarget> {
  const targets = new Map<string, ImportTarget>();
  if (path === null) return targets;
  for (const { source, names } of imports) {
    const plain = resolveImport({ source, from: path, languageId }, paths);
    for (const { name, alias } of names) {
      // In Python and Rust the last step may be a module itself.
      const found =
        plain.length > 0 || languageId !== "python"
          ? plain
          : resolveImport({ source: `${source}.${name}`, from: path, languageId }, paths);
      if (found.length > 0) targets.set(alias, { paths: found, name });
    }
  }
  return targets;
}

/** What an import names; where the file only passes it on, the definition wherever it is. */
function importedDefinitions(
  index: RepoIndex,
  target: ImportTarget,
  alias: string,
): FoundDefinition[] {
  const isWhole = target.name === "*";
  const name = isWhole ? null : target.name === "default" ? alias : target.name;
  const found = target.paths.flatMap((path) => index.definitionsIn(path, { parent: null, name }));
  if (isWhole) return found.filter(({ isExported }) => isExported).slice(0, MAX_MEMBERS);
  if (found.length > 0) return found;
  const folder = commonFolder(target.paths[0] ?? "");
  return index
    .definitions(target.name === "default" ? alias : target.name)
    .filter(({ parent, file }) => parent === null && file.path.startsWith(folder))
    .slice(0, 2);
}

/** Definitions of a name in files of the same languages; members only where one is asked for. */
function elsewhere(
  index: RepoIndex,
  { languageId, path }: DefinitionQuestion,
  { name, isMember }: NearbyName,
): FoundDefinition[] {
  if (name.length < 3) return [];
  const found = index
    .definitions(name)
    .filter(
      ({ file, parent }) => areKin(file.languageId, languageId) && (parent === null || isMember),
    );
  // A name that the document defines itself means that one.
  if (found.some(({ file }) => file.path === path)) return [];
  return found;
}

function weightOf({ name, uses }: NearbyName, found: readonly FoundDefinition[]): number {
  const isComposed =
    name.length >= 8 && (/[a-z][A-Z]/.test(name) || /[A-Za-z][_-][A-Za-z]/.test(name));
  const files = new Set(found.map(({ file }) => file.path)).size;
  return (
    Math.sqrt(uses) *
    (isComposed ? COMPOSED : 1) *
    (name.startsWith("_") ? PRIVATE : 1) *
    (files > WIDESPREAD_FILES ? WIDESPREAD : 1)
  );
}

/** Best first until the budget is used, then together by file, in the order of their lines. */
function packed(
  index: RepoIndex,
  best: readonly Wanted[],
  { maxTokens, counter }: DefinitionQuestion,
): Snippet[] {
  const files = new Map<
    string,
    { score: number; isImported: boolean; readonly lines: Map<number, string> }
  >();
  let left = maxTokens;
  for (const { definition, weight, isImported, hasMembers } of best) {
    const { path } = definition.file;
    const known = files.get(path);
    const lines: [number, string][] = [[definition.line, definition.signature]];
    if (definition.parent !== null) {
      lines[0] = [definition.line, `${definition.parent}: ${definition.signature}`];
    } else if (hasMembers && holdsMembers(definition)) {
      for (const member of membersOf(index, definition)) {
        lines.push([member.line, `  ${member.signature}`]);
      }
    }
    const added = lines.filter(
      ([line, text]) => text.trim() !== "" && known?.lines.has(line) !== true,
    );
    const header = known === undefined ? counter.count(path) + 2 : 0;
    const tokens = header + counter.count(added.map(([, text]) => text).join("\n"));
    if (added.length === 0 || tokens > left) continue;
    left -= tokens;
    const file = known ?? { score: weight, isImported, lines: new Map<number, string>() };
    for (const [line, text] of added) file.lines.set(line, text);
    files.set(path, file);
  }
  return [...files].map(([path, { score, isImported, lines }]) => ({
    path,
    kind: isImported ? "import" : "definition",
    score,
    text: [...lines]
      .sort(([a], [b]) => a - b)
      .map(([, text]) => `${text}\n`)
      .join(""),
  }));
}

function holdsMembers({ kind }: FoundDefinition): boolean {
  return kind === "class" || kind === "interface" || kind === "enum" || kind === "module";
}

function membersOf(index: RepoIndex, { file, name, line }: FoundDefinition): FoundDefinition[] {
  return index
    .definitionsIn(file.path, { parent: name, name: null })
    .filter((member) => member.line >= line && !/\bprivate\b|^#|^_[^_]/.test(member.signature))
    .slice(0, MAX_MEMBERS);
}

/** Languages whose names mean each other. */
export function areKin(a: string, b: string): boolean {
  return familyOf(a) === familyOf(b);
}

function familyOf(languageId: string): string {
  switch (languageId) {
    case "typescript":
    case "typescriptreact":
    case "javascript":
    case "javascriptreact":
    case "vue":
    case "svelte":
      return "script";
    case "c":
    case "cpp":
      return "c";
    case "java":
    case "kotlin":
      return "jvm";
    default:
      return languageId;
  }
}

function commonFolder(path: string): string {
  return path
    .split("/")
    .slice(0, 2)
    .slice(0, -1)
    .map((step) => `${step}/`)
    .join("");
}
