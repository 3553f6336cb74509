/**
 * What the head of a document imports, read line by line without a tree, so that it works in the
 * middle of an edit. Patterns are bounded; text that looks like an import and is none costs a look-up.
 */
import type { ImportedName } from "../syntax/index.ts";

/** A name of another file, and how that file is named. */
export interface ImportedSource {
  /** As written, without quotes: `./a.ts`, `os.path`, `java.util.List`, `crate::a::b`. */
  readonly source: string;
  /** `*` as a name is everything, `default` a default export. */
  readonly names: readonly ImportedName[];
}

/** Imports stand near the top; behind this many units a document is not read for them. */
export const MAX_HEAD_UNITS = 8_192;

/** The imports of a text in order; `[]` for languages that are not known. */
export function importsOf(text: string, languageId: string): ImportedSource[] {
  const head = text.slice(0, MAX_HEAD_UNITS);
  switch (languageId) {
    case "typescript":
    case "typescriptreact":
    case "javascript":
    case "javascriptreact":
      return scriptImports(head);
    case "python":
      return pythonImports(head);
    case "go":
      return goImports(head);
    case "java":
    case "kotlin":
      return javaImports(head);
    case "rust":
      return rustImports(head);
    default:
      return [];
  }
}

function scriptImports(head: string): ImportedSource[] {
  const found: ImportedSource[] = [];
  const statement =
    /\b(?:import|export)\s{1,4}(?:type\s{1,4})?([^"'`;=()]{0,1500}?)\s{0,4}\bfrom\s{0,4}["']([^"'\n]{1,300})["']/g;
  for (const [, clause = "", source = ""] of head.matchAll(statement)) {
    found.push({ source, names: scriptNames(clause) });
  }
  const required =
    /\b(?:const|let|var)\s{1,4}([\w$]{1,100}|\{[^}]{0,1000}\})\s{0,4}=\s{0,4}(?:await\s{1,4}import|require)\(\s{0,4}["']([^"'\n]{1,300})["']/g;
  for (const [, clause = "", source = ""] of head.matchAll(required)) {
    const names = clause.startsWith("{")
      ? namesInBraces(clause.slice(1, -1), ":")
      : [{ name: "*", alias: clause }];
    found.push({ source, names });
  }
  return found;
}

function scriptNames(clause: string): ImportedName[] {
  const names: ImportedName[] = [];
  const braces = /\{([^}]*)\}?/.exec(clause);
  const outside = braces === null ? clause : clause.slice(0, braces.index);
  for (const part of outside.split(",")) {
    const namespace = /^\*\s+as\s+([\w$]+)$/.exec(part.trim());
    if (namespace?.[1] !== undefined) names.push({ name: "*", alias: namespace[1] });
    else if (/^[\w$]+$/.test(part.trim())) names.push({ name: "default", alias: part.trim() });
    else if (part.trim() === "*") names.push({ name: "*", alias: "*" });
  }
  if (braces?.[1] !== undefined) names.push(...namesInBraces(braces[1], " as "));
  return names;
}

/** `a, b as c` or `a, b: c`. */
function namesInBraces(list: string, renames: ":" | " as "): ImportedName[] {
  return list.split(",").flatMap((part): ImportedName[] => {
    const clean = part.trim().replace(/^type\s+/, "");
    const [name = "", alias = name] = clean
      .split(renames === ":" ? /\s*:\s*/ : /\s+as\s+/)
      .map((half) => half.trim());
    return /^[\w$]+$/.test(name) ? [{ name, alias }] : [];
  });
}

function pythonImports(head: string): ImportedSource[] {
  const found: ImportedSource[] = [];
  const from =
    /^[ \t]{0,20}from[ \t]{1,4}([.\w]{1,200})[ \t]{1,4}import[ \t]{0,4}(?:\(([^)]{0,2000})\)?|([^\n]{0,500}))/gm;
  for (const [, source = "", inBraces, onLine = ""] of head.matchAll(from)) {
    const list = (inBraces ?? onLine).replace(/#[^\n]*/g, "").replace(/\\\n?/g, " ");
    const names = list.trim() === "*" ? [{ name: "*", alias: "*" }] : namesInBraces(list, " as ");
    found.push({ source, names });
  }
  for (const [, list = ""] of head.matchAll(/^[ \t]{0,20}import[ \t]{1,4}([^\n#]{1,500})/gm)) {
    for (const part of list.split(",")) {
      const [source = "", alias = source] = part.trim().split(/\s+as\s+/);
      if (/^[.\w]+$/.test(source)) found.push({ source, names: [{ name: "*", alias }] });
    }
  }
  return found;
}

function goImports(head: string): ImportedSource[] {
  const found: ImportedSource[] = [];
  const add = (alias: string | undefined, source: string): void => {
    const last = source.slice(source.lastIndexOf("/") + 1);
    found.push({ source, names: [{ name: "*", alias: alias ?? last }] });
  };
  for (const [, block = ""] of head.matchAll(/^import[ \t]{0,4}\(([^)]{0,8000})\)?/gm)) {
    for (const [, alias, source = ""] of block.matchAll(/^\s*([\w.]+)?[ \t]*"([^"\n]{1,300})"/gm)) {
      add(alias, source);
    }
  }
  for (const [, alias, source = ""] of head.matchAll(
    /^import[ \t]{1,4}([\w.]{1,100})?[ \t]{0,4}"([^"\n]{1,300})"/gm,
  )) {
    add(alias, source);
  }
  return found;
}

function javaImports(head: string): ImportedSource[] {
  const found: ImportedSource[] = [];
  const statement = /^[ \t]{0,4}import[ \t]{1,4}(?:static[ \t]{1,4})?([\w.]{1,300})(\.\*)?/gm;
  for (const [, source = "", all] of head.matchAll(statement)) {
    const name = source.slice(source.lastIndexOf(".") + 1);
    found.push({
      source,
      names: [all === undefined ? { name, alias: name } : { name: "*", alias: "*" }],
    });
  }
  return found;
}

function rustImports(head: string): ImportedSource[] {
  const found: ImportedSource[] = [];
  const use =
    /^[ \t]{0,8}(?:pub(?:\([a-z]{1,10}\))?[ \t]{1,4})?use[ \t]{1,4}([\w:]{1,300})(?:\{([^;]{0,2000}))?/gm;
  for (const [, path = "", list] of head.matchAll(use)) {
    const steps = path.split("::").filter((step) => step !== "");
    if (list !== undefined) {
      const names = namesInBraces(list.replace(/\}[^}]*$/, ""), " as ");
      found.push({ source: steps.join("::"), names });
      continue;
    }
    const name = steps.pop() ?? "";
    if (steps.length > 0) found.push({ source: steps.join("::"), names: [{ name, alias: name }] });
  }
  for (const [, name = ""] of head.matchAll(
    /^[ \t]{0,4}(?:pub[ \t]{1,4})?mod[ \t]{1,4}(\w{1,100});/gm,
  )) {
    found.push({ source: `self::${name}`, names: [{ name: "*", alias: name }] });
  }
  return found;
}
